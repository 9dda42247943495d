"""Widgets and functions for text: foreign text made safe, long text, Markdown, differences, times."""
