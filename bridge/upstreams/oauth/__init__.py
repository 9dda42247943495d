"""OAuth for servers over HTTP: when to sign in, the flow, tokens that are saved, refreshed and revoked."""
