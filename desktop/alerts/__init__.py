"""Tells the person of a new Question: notification, sound, and what they are doing meanwhile."""
