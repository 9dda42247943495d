"""General-purpose modules: files, processes, text. They know nothing of hosts, servers or questions."""
