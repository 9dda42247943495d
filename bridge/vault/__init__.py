"""Where secrets live. `base` says what a Store promises; `keyring`, `file`, `memory` and `refuse` are Stores,
`store_selection` picks one and moves secrets between them, `references` fills in `${vault:NAME}`."""
