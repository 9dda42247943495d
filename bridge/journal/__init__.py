"""The Journal: what happened, in SQLite. Recording is an append to a queue; one thread writes.

It keeps what it is given and decides nothing, but whatever looks like a key or a token is masked on its way
in, and of what calls said only the beginning is kept, for a shorter time, and not of every call of a crowd. A
database that cannot be used is moved aside and a new one begun: history is never a reason to stop.
"""

from bridge.journal.entries import Contents, HistoryFilter, HistoryNames, JournalEntry, JournalRow, ServerLoad
from bridge.journal.exporter import export
from bridge.journal.reader import History
from bridge.journal.redaction import redact
from bridge.journal.writer import Journal
from bridge.system.masking import MASK

__all__ = [
    "MASK",
    "Contents",
    "History",
    "HistoryFilter",
    "HistoryNames",
    "Journal",
    "JournalEntry",
    "JournalRow",
    "ServerLoad",
    "export",
    "redact",
]
