"""What a person does with servers: propose, add, edit, rename, remove and try them, and set their secrets.

`service` has the actions, `details` what a window shows of one server. settings/ writes config.toml.
"""
