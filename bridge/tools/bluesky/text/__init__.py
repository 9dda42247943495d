"""Pure functions of the Bluesky tools: what the network sends becomes text, and text becomes posts."""
