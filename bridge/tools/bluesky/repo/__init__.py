"""Repositories of accounts: downloaded, read, and indexed for search."""
