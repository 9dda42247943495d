"""The AI apps page, and the sheet that shows a change before it is made."""
