"""Decisions about calls. Takes events, returns commands; no I/O, no clock, no `await`.

    engine ──Event──▶ Router.feed ──▶ one part of routing/ ──▶ [Command, …] ──▶ engine

An Event says what happened (`HostSent`, `PersonAnswered`, `TimePassed`), a Command what to do about it
(`Send`, `Show`, `Deliver`). The engine sets `RoutingState.now`, feeds an event and carries out the commands.
So every behaviour of the core is tested without sockets: bytes in, bytes out (tests/core).

MCP has two eras. In the *legacy* one, revisions until 2025-11-25, a server asks while its call is open. In
the *modern* one, 2026-07-28, it ends the call with a request to be called again. An Exchange, the life of
one request, has events and commands of its own: `Admitted → [Call]` below is event → commands.

One tools/call that asks a question, from a host that cannot ask, to a server of an older revision:

    HostSent          from_hosts       reads the envelope, finds the connection, applies the policy,
                                       opens an Exchange: Admitted → [Call]
                      exchange_runner  carries out Call                              ──▶ Send
    UpstreamSent      from_servers     reads the envelope: a request of the server
                      server_requests  finds the call that asks, makes a Question
                      exchange_runner  UpstreamAsked → [Ask]; state ASKING, the call's clock stops
                      open_questions   puts the Question on the Desk                 ──▶ Show
    PersonAnswered    open_questions   takes it off the Desk, writes history         ──▶ TakeBack, Record
                      exchange_runner  Answered → [Resume]; state CALLING            ──▶ Send
    UpstreamSent      from_servers     reads the envelope: the reply to the call
                      exchange_runner  UpstreamReplied → [ReplyToHost]; state DONE   ──▶ Deliver, Record

Three rules hold everywhere:

1. What we do not touch leaves as it came, byte for byte (protocol/jsonrpc.py).
2. Everything that changes the state of a request is one table (exchange/state_machine.py).
3. Each part of routing/ owns its fields. The Router tells all parts of time, closed Links and changed
   settings in a loop (routing/router_part.py); `RoutingState` holds only what they share.

Read in this order: `events`, `commands`, `ports`; `exchange/state_machine`; of routing `router`, `state`,
`from_hosts`, `exchange_runner`, `from_servers`, `asking/server_requests`, `asking/open_questions`. That is
the whole path of a call. Everything else is one subject a file: `routing/asking` takes questions to the
person and answers back; `routing/lists` merges the lists of many servers; `routing/subscriptions` announces
changes; `routing/connections` and `routing/shared_servers` say which host talks to which process;
`routing/held` keeps calls whose host stopped waiting. `protocol` is MCP on the wire, both eras, without
state; `questions` what a person is asked; `forms` a requestedSchema as fields; `sampling` requests for a
model; `policy` who may do what; `status` the snapshot that windows read.
"""
