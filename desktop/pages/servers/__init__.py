"""Parts of the Servers page. Each draws frozen values and says what the person wants."""
