"""What survives a restart, a file each: tools, pins, rules by "Allow always", servers answered before."""
