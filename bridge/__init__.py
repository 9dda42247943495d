"""Deskbell's engine: carries MCP traffic between AI applications and servers, and asks the person what
servers want to know. It never imports Qt, and this file imports nothing.

    AI application          Deskbell                                                   MCP server
    (Host) ──stdio: shim──▶ transports ──Event──▶ engine ──▶ core ──Command──▶ engine ──▶ upstreams ──▶
           ──HTTP─────────▶                         │ ▲
                                          Status ▼  │  Answer
                                        windows, or a Presenter

One call, from a Host that cannot ask questions, to a server that does:

 1. `transports` turns the Host's bytes into an Event, `HostSent`; `engine` feeds it to the core.
 2. The core opens an Exchange for the request. The tool's name leads by a Route to an Upstream; the Policy
    says allow. (It might say deny, or confirm: then Deskbell asks a Question of its own.)
 3. The core returns a Command, `Send`; an UpstreamConnection of `upstreams` writes to the server.
 4. The server asks (`elicitation/create`). The core makes a Question of it and puts it on the Desk.
 5. The next Status holds the Question. A window shows it; without windows, a Presenter does.
 6. The person answers: `bridge.questions.answer(id, answer)`. The core sends the Answer to the server.
 7. The server's reply becomes `Deliver`; the Host gets it. The Journal has a row of all of it.

The words, each meaning one thing:

    Host         an AI application                   Question     what a person is asked
    Recipe       how to register us in its config    Answer       accept, decline or cancel
    Link         one Host's connection to us         Desk         the queue of Questions
    Tenant       who owns connections to servers:    Presenter    shows the first one, where no window does
                 a Host, or POSTs without session    Ticket       `requestState`: ours signed, others'
    Exchange     the life of one request, a table    Account      a Bluesky identity
    OpenRequest  a request under way: ids on each    Vault        keeps secrets
                 wire, and its Exchange              Journal      the history of calls and questions
    Upstream     where a call goes: a server         Event        what happened; past tense
    UpstreamConnection  one connection to it         Command      what to do about it; imperative
    Route        tool name → Upstream                Status       the frozen snapshot that windows read
    Policy       allow, confirm or deny              Toolbox      the tools of a built-in server

Threads: the engine has one asyncio loop on a thread of its own. Windows call services through
`api.Services` (`services.servers.restart("github")`), which returns at once, and read results from the next
Status. Only frozen values cross.

Read in this order: `api` (all that windows may know) · `app` (which parts there are) · `engine` (the loop) ·
`core` (every decision; its `__init__` follows the same call inside) · `transports/host_socket` ·
`upstreams/process/connection` · `servers/service` (what a person does with servers). Then by subject: `hosts`
edits config files of AI applications, `sampling` sends servers' requests to models, `accounts` and
`tools/bluesky` are Bluesky, `functions` offers tools without MCP (REST, OpenAPI, CGI, command line), `cli` is
the command, `shim` is what a Host starts, `presenters` ask without windows, `settings` is config.toml,
`vault` keeps secrets, `journal` the history, `http_client` and `token_refresh` serve sign-ins, `updates`
installs newer versions, `system` knows nothing of Deskbell.
"""

__version__ = "0.2.0"
