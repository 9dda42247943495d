"""A token refresh that no crash can lose: the process that sends the request outlives Deskbell.

A refresh token can be used once: the server replies with its successor, and may take a second use of the old
one for a theft that ends the sign-in. So the moment between the server's reply and our saving it must not be
lost, whatever happens to Deskbell. Therefore:

1. A small process of its own (worker.py) sends the request. It holds a lock, and outlives Deskbell.
2. It seals the reply and writes it to disk (sealed.py) before it passes it on.
3. Deskbell puts the new tokens into the Vault, then removes the sealed reply, then uses the tokens.
4. Whoever refreshes next waits for the lock, and finds: no sealed reply (the old token is good), a reply to
   the token that the Vault has (it is used in place of a request), or a reply to an older token (it is
   removed).

The key of the seal is in the Vault only. A Vault that is locked at the wrong moment costs nothing either.
What is left is the worker itself being killed, or the power going, within the few milliseconds after the
server's reply: then the person signs in again.
"""
