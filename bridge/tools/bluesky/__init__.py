"""The built-in server `bluesky`: reading, searching and writing on Bluesky, in texts made for models.

The tools are in files by noun; `shared` is what they share. What is in `text` is pure: values in, values out.
"""

from bridge.tools.bluesky.lazy_toolbox import NAME, toolbox

__all__ = ["NAME", "toolbox"]
