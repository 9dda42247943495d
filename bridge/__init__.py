"""Deskbell's engine, on one page. It never imports Qt; this file imports nothing at all.

A Host is the AI application that calls us; a Recipe says how to register us in its config. A Link is one
Host as we see it: era, capabilities, name. Each request it makes is an Exchange, from first word to last,
even when it comes back under a new id; on its way, with what each wire calls it, it is an OpenRequest. The
connections to servers belong to a Tenant: one Host, or all POSTs of a stateless one. A Route leads from a
tool's name to the Upstream, the place where the call goes; the Policy gives a pure verdict on it: allow,
confirm or deny. When the call needs something only the user knows, that is a Question; it waits at the
Desk, oldest first, until a Presenter has shown it and brings the Answer: accept, decline or cancel. A Host
that prefers to ask by itself gets the Question back with a Ticket (`requestState`): ours are sealed, an
Upstream's we never read. An Account is an atproto identity, the Vault keeps secrets, the Journal remembers
what happened. Inside, the core takes Events (what happened) and returns Commands (what to do) without any
I/O; the engine carries them out, and windows see the whole as a frozen Status.

Where to look: `api` is the front door, `cli` the command, `shim` what a Host starts, `app` the whole as it
runs, `engine` its one loop, `core` every decision; `transports` face Hosts, `upstreams` face servers,
`presenters` face the user. A tool is a typed function in `tools`; callers without MCP (REST, CGI, the command
line) are Hosts too, by `functions/caller`.
"""

__version__ = "0.1.0"
