"""Small things any program might need. They know nothing of hosts, servers or questions."""
