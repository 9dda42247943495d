"""Requests to models over HTTP: `client` sends them, `stream` reads answers, `failures` has the error texts.

What is sent and what an answer means is decided in core/sampling; who may ask, in core/routing.
"""
