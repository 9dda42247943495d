"""A requestedSchema as a form: its fields, what may be entered in them, and the answer that is sent."""
