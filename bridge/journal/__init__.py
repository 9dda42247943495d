"""The Journal: the history of calls, questions and servers, in SQLite. One thread writes what others queue.

Keys and tokens are masked before they are stored. Contents of calls are cut, expire earlier, and are skipped
under load. A database that cannot be used is renamed, and a new one created: history never stops Deskbell.
"""

from bridge.journal.conversations import conversation_of
from bridge.journal.earlier_answers import EarlierAnswer, earlier_answers
from bridge.journal.entries import Contents, HistoryFilter, HistoryNames, JournalEntry, JournalRow
from bridge.journal.exporter import export
from bridge.journal.reader import History
from bridge.journal.writer import Journal
from bridge.system.masking import MASK, redact

__all__ = [
    "MASK",
    "Contents",
    "EarlierAnswer",
    "History",
    "HistoryFilter",
    "HistoryNames",
    "Journal",
    "JournalEntry",
    "JournalRow",
    "conversation_of",
    "earlier_answers",
    "export",
    "redact",
]
