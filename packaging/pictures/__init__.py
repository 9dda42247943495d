"""The icon in its formats, the symbols of the windows, and the pictures of the docs."""
