"""Announce a new Question by notification and sound, unless the person is busy or away (`user_activity`)."""
