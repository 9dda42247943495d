"""Who gets what: the Router passes each event to its part. Begin with router.py, then core/exchange."""
