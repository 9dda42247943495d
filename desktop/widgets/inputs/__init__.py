"""Input widgets of a form's fields: text, choices, search lists, dates. `factory` picks one for a field."""
