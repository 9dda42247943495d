"""Where secrets are kept. `base` says what a Store promises; `keyring`, `file`, `memory` and `refuse` are
Stores, `store_selection` picks one and moves secrets between them, and
`secret_references` fills in `${vault:NAME}`."""
