"""A token refresh that no crash can lose: it runs in a process that outlives its caller."""
