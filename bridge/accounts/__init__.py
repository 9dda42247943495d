"""Bluesky accounts: who you are on the network, and a sign-in that lasts.

`account` the values, `book` who owns them and when a token is renewed, `identity` handle → DID → server,
`oauth` with `dpop` and `loopback` the sign-in in the browser, `login` the whole of it step by step,
`passwords` the fallback, `renewal` and `renewer` a renewal that no crash can interrupt, `calls` what tools
call. Nothing here imports httpx, cryptography or dnspython before the first use of an account.
"""
