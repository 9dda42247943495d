"""The Servers page and its dialogs."""
