"""Bluesky accounts: identities on the network, and sign-ins that last.

`account` has the values, `registry` owns them and refreshes tokens, `identity` resolves a handle to a DID and
its server, `oauth` and `dpop` send the requests of a sign-in by browser, `sign_in` puts all steps in order,
`app_password` is the fallback, `token_refresh` survives crashes, `xrpc` sends the requests of tools,
`service` has the actions of windows and commands. Nothing here imports httpx, cryptography or dnspython
before the first use of an account.
"""
