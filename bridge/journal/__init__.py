"""The Journal: what happened, in SQLite. Recording is an append to a queue; one thread writes.

It keeps what it is given and decides nothing, but whatever looks like a key or a token is masked on its way
in. A database that cannot be used is moved aside and a new one begun: history is never a reason to stop.
"""

from bridge.core.questions import MASK
from bridge.journal.entries import Entry, Row
from bridge.journal.reading import History
from bridge.journal.redacting import redact
from bridge.journal.writing import Journal

__all__ = ["MASK", "Entry", "History", "Journal", "Row", "redact"]
