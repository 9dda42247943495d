"""Where secrets live. `base` says what a Store promises; `keyring`, `file`, `memory` and `refuse` are Stores,
`store_selection` picks one and moves secrets between them, `secret_references` fills in `${vault:NAME}`."""
