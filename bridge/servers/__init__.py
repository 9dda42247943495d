"""What a person does with servers: draft, add, edit, look at, try; and the secrets they need.

config.toml is written by settings/, connections are the engine's; here is what leads to both.
"""
