"""Where secrets live. `base` says what a Store promises; each other module is one Store."""
