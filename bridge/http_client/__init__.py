"""Outgoing HTTP: `proxy_and_tls` (and user agent) for every client, `client` for rare requests.

Calls to MCP servers use their own fast client (upstreams/http/fast), under the same policy.
"""
