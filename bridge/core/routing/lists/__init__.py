"""Lists of tools, prompts, resources and tasks: many servers as one, and changes to a server's tools."""
