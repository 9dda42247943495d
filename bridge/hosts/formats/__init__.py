"""Edits other applications' files: JSONC, TOML and YAML, without reformatting what is not ours."""
