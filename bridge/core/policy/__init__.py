"""Who may do what: rules for calls, changed tools, URLs to open, hosts that decline by themselves. Some parts
remember what they saw; none does I/O."""
