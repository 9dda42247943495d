"""Tools as functions for callers without MCP: REST, OpenAPI, CGI and the command line."""
