"""Download, read and index the repositories of accounts."""
