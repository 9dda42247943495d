"""The built-in server `bluesky`: reading, searching and writing on Bluesky, in texts made for models.

The tools are in files by noun; `counter` is what they share. `references`, `facets`, `quoting`, `views`,
`markdown`, `queries` and `splitting` are pure: values in, values out.
"""

from bridge.tools.bluesky.box import NAME, toolbox

__all__ = ["NAME", "toolbox"]
