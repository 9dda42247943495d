"""Pure functions of the Bluesky tools: replies of the network → text, text → posts."""
