"""Calls whose host does not wait: kept alive, held, and taken up again by `desk_wait`."""
