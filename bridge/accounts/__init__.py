"""Bluesky accounts: who you are on the network, and a sign-in that lasts.

`account` the values, `book` who owns them and when a token is renewed, `identity` handle → DID → server,
`oauth` with `dpop` the sign-in in the browser, `sign_in` the whole of it step by step, `app_password`
the fallback, `token_refresh` a renewal that no crash can interrupt, `xrpc` what tools call,
`service` what windows do. Nothing here imports httpx, cryptography or dnspython before the first use of
an account.
"""
