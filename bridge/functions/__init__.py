"""Tools without MCP: REST, OpenAPI, CGI and the command line call them as functions."""
