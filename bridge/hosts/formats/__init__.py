"""Editors of JSONC, TOML and YAML files that keep the text of everything they do not change."""
