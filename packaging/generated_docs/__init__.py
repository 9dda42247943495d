"""The generated parts of the documentation, one module for each; docs.py puts them into the pages."""
