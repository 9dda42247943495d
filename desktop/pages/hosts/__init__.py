"""The AI apps page, and the sheet that previews a change of an app's file."""
