"""One account's posts on this computer, to be searched: a SQLite file with a full-text index.

It holds the tree of the repository, not only its posts: so a refresh needs only what has changed, and a post
that was deleted there is deleted here. Everything in it can be downloaded again; a damaged file is removed.
Blocking, and for one thread at a time.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from bridge.tools.bluesky.repo import car
from bridge.tools.bluesky.repo.car import DamagedRepository
from bridge.tools.bluesky.text.references import POSTS
from bridge.tools.bluesky.text.search_query import Query, Ranker, folded
from bridge.tools.bluesky.text.views import Raw, dict_of, dicts_of, text_of

VERSION = "1"
_PREFIX = f"{POSTS}/".encode()
_TYPE = POSTS.encode()
_CACHE = 32_000  # KiB of memory for filling
_BATCH = 2000  # blocks between two looks at whether to go on
_CANDIDATES = 50_000  # texts that are judged for one search
_SHORT = 3  # letters below which the index cannot help
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE child (parent BLOB, child BLOB, PRIMARY KEY (parent, child)) WITHOUT ROWID;
CREATE TABLE entry (node BLOB, rkey TEXT, cid BLOB, PRIMARY KEY (node, rkey)) WITHOUT ROWID;
CREATE TABLE node (cid BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE post (id INTEGER PRIMARY KEY, rkey TEXT UNIQUE, cid BLOB, created TEXT, has TEXT, folded TEXT,
                   record BLOB);
CREATE INDEX post_created ON post (created);
CREATE VIRTUAL TABLE words USING fts5(folded, content='post', content_rowid='id', tokenize='trigram');
"""
_LIVE = """
WITH RECURSIVE reach (cid) AS (VALUES (:root) UNION
    SELECT child.child FROM reach JOIN child ON child.parent = reach.cid)
INSERT INTO temp.reach SELECT cid FROM reach
"""
GoOn = Callable[[int], None]  # hears how many blocks were read; raises to stop


@dataclass(frozen=True, slots=True)
class Hits:
    """Keys and records; how many there are in all; the key behind which there are more, "" if none are."""

    posts: list[tuple[str, Raw]]
    total: int
    more: str = ""


class UnknownCursor(Exception):
    """There is no such post, or it does not answer the query."""


class SearchIndex:
    def __init__(self, path: Path) -> None:
        self.path = path

    # --- looking -----------------------------------------------------------------------------------------

    def rev(self) -> str:
        """The revision it holds; "" if there is none."""
        return self._said("rev")

    def fetched(self) -> str:
        return self._said("fetched")

    def _said(self, name: str) -> str:
        if not self.path.exists():
            return ""
        try:
            with self._open() as db:
                found = dict(db.execute("SELECT name, value FROM meta"))
        except sqlite3.Error:
            self.forget()
            return ""
        return str(found.get(name, "")) if found.get("version") == VERSION else ""

    def count(self) -> int:
        with self._open() as db:
            return int(db.execute("SELECT count(*) FROM post").fetchone()[0])

    def search(self, query: Query, limit: int, after: str = "") -> Hits:
        """The best first and of equals the newest; `after`: only what comes behind the post of this key."""
        ranker = Ranker(query)
        with self._open() as db:
            for all_words in (True, False):
                best, total = _best(db, query, ranker, limit, after, all_words=all_words)
                if total or len(query.words) < 2:
                    break
            found = [(rkey, _record(db, rkey)) for rkey in best[:limit]]
        return Hits(found, total, found[-1][0] if len(best) > limit else "")

    # --- changing ----------------------------------------------------------------------------------------

    def forget(self) -> None:
        for suffix in ("", "-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def forget_if_empty(self) -> None:
        if not self.rev():
            self.forget()

    def fill(self, file: BinaryIO, rev: str, when: str, go_on: GoOn) -> None:
        """Index a whole repository, or the changes since the indexed revision.

        Raises DamagedRepository if a block is missing; the index is then unchanged.
        """
        try:
            with self._open() as db, db:
                db.execute(f"PRAGMA cache_size = -{_CACHE}")
                _stage(db)
                root = _read(db, file, go_on)
                _settle(db, root)
                said = {"version": VERSION, "rev": rev, "fetched": when}
                db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", said.items())
        except sqlite3.DatabaseError as error:
            raise DamagedRepository(f"the index cannot be written: {error}") from error

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        new = not self.path.exists()
        with closing(sqlite3.connect(self.path)) as db:
            db.execute("PRAGMA synchronous = OFF")  # it can all be downloaded again
            if new or not db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
                db.executescript(_SCHEMA)
            yield db


# --- reading a repository --------------------------------------------------------------------------------


def _stage(db: sqlite3.Connection) -> None:
    db.execute("CREATE TEMP TABLE fresh (cid BLOB PRIMARY KEY, record BLOB)")
    db.execute("CREATE TEMP TABLE reach (cid BLOB PRIMARY KEY)")
    db.execute("CREATE TEMP TABLE new (rkey TEXT, cid BLOB)")


def _read(db: sqlite3.Connection, file: BinaryIO, go_on: GoOn) -> bytes:
    """Puts nodes and posts where `_settle` finds them; the hash of the tree's root."""
    top, blocks = car.blocks(file)
    root = b""
    for number, block in enumerate(blocks):
        if number % _BATCH == 0:
            go_on(number)
        if block.is_node:
            _keep_node(db, block)
        elif block.cid == top:
            commit = car.decode(block.data)
            root = bytes(commit.get("data", b"")) if isinstance(commit, dict) else b""
        elif _TYPE in block.data:
            record = car.decode(block.data)
            if text_of(record, "$type") == POSTS:
                db.execute("INSERT OR IGNORE INTO fresh VALUES (?, ?)", (block.cid, _packed(record)))
    if not root:
        raise DamagedRepository("it has no commit")
    return root


def _packed(record: Any) -> bytes:
    try:
        return msgspec.json.encode(record, enc_hook=lambda one: None)  # links to blobs are not needed
    except (OverflowError, ValueError) as error:
        raise DamagedRepository("a post makes no sense") from error


def _keep_node(db: sqlite3.Connection, block: car.CarBlock) -> None:
    left, entries = car.node(block.data)
    children = [one for one in (left, *(entry.right for entry in entries)) if one]
    posts = [(block.cid, _rkey(one.key), one.value) for one in entries if one.key.startswith(_PREFIX)]
    db.execute("INSERT OR IGNORE INTO node VALUES (?)", (block.cid,))
    db.executemany("INSERT OR IGNORE INTO child VALUES (?, ?)", [(block.cid, one) for one in children])
    db.executemany("INSERT OR IGNORE INTO entry VALUES (?, ?, ?)", posts)


def _rkey(key: bytes) -> str:
    return key[len(_PREFIX) :].decode("ascii", "replace")


def _settle(db: sqlite3.Connection, root: bytes) -> None:
    """What the tree reaches is kept, all else goes."""
    db.execute(_LIVE, {"root": root})
    if db.execute("SELECT 1 FROM reach WHERE cid NOT IN (SELECT cid FROM node) LIMIT 1").fetchone():
        raise DamagedRepository("a part of the tree is missing")
    for table, column in (("node", "cid"), ("child", "parent"), ("entry", "node")):
        db.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT cid FROM reach)")  # noqa: S608 - ours
    gone = (
        "FROM post WHERE NOT EXISTS "
        "(SELECT 1 FROM entry WHERE entry.rkey = post.rkey AND entry.cid = post.cid)"
    )
    db.execute(f"INSERT INTO words (words, rowid, folded) SELECT 'delete', id, folded {gone}")
    db.execute(f"DELETE {gone}")
    db.execute(
        "INSERT INTO new SELECT rkey, cid FROM entry WHERE rkey NOT IN (SELECT rkey FROM post)",
    )
    for rkey, cid, record in db.execute("SELECT rkey, cid, record FROM new LEFT JOIN fresh USING (cid)"):
        if record is None:
            raise DamagedRepository("a post is missing")
        _add(db, rkey, cid, record)


def _add(db: sqlite3.Connection, rkey: str, cid: bytes, packed: bytes) -> None:
    record = msgspec.json.decode(packed)
    text = folded("\n".join([text_of(record, "text"), *_told(record)]))
    row = (rkey, cid, text_of(record, "createdAt")[:24], " ".join(sorted(kinds(record))), text, packed)
    made = db.execute(
        "INSERT INTO post (rkey, cid, created, has, folded, record) VALUES (?, ?, ?, ?, ?, ?)", row
    )
    db.execute("INSERT INTO words (rowid, folded) VALUES (?, ?)", (made.lastrowid, text))


def _media(record: Raw) -> Raw:
    embed = dict_of(record, "embed")
    return dict_of(embed, "media") or embed


def _told(record: Raw) -> list[str]:
    """Words that hang on a post: of its pictures and its card."""
    media = _media(record)
    card = dict_of(media, "external")
    alts = [text_of(one, "alt") for one in dicts_of(media, "images")]
    return [*alts, text_of(media, "alt"), text_of(card, "title"), text_of(card, "description")]


def kinds(record: Raw) -> set[str]:
    """What a post has, in the words of `has:`."""
    embed, media = text_of(dict_of(record, "embed"), "$type"), text_of(_media(record), "$type")
    found = {"reply"} if dict_of(record, "reply") else set()
    found |= {"image"} if media.endswith(".images") else set()
    found |= {"video"} if media.endswith(".video") else set()
    found |= {"link"} if media.endswith(".external") else set()
    found |= {"quote"} if embed.endswith((".record", ".recordWithMedia")) else set()
    for facet in dicts_of(record, "facets"):
        for feature in dicts_of(facet, "features"):
            found.add(text_of(feature, "$type").partition("#")[2])
    return found


# --- searching -------------------------------------------------------------------------------------------


def _best(
    db: sqlite3.Connection, query: Query, ranker: Ranker, limit: int, after: str, *, all_words: bool
) -> tuple[list[str], int]:
    """One more than wanted, if there are so many; and the number of all. Holds no more than that at once."""
    bound = _place(db, ranker, after, all_words) if after else None
    total = 0

    def ranked() -> Iterator[tuple[int, str, str]]:
        nonlocal total
        for rkey, created, text in _candidates(db, query, ranker, any_word=not all_words):
            if rank := ranker.rank(text, all_words=all_words):
                total += 1
                place = (rank, created, rkey)
                if bound is None or place < bound:
                    yield place

    best = heapq.nlargest(limit + 1, ranked())
    if after and bound is None and total:
        raise UnknownCursor
    return [rkey for _, _, rkey in best], total


def _place(db: sqlite3.Connection, ranker: Ranker, rkey: str, all_words: bool) -> tuple[int, str, str] | None:
    """Where a post stands among those that answer."""
    row = db.execute("SELECT created, folded FROM post WHERE rkey = ?", (rkey,)).fetchone()
    rank = ranker.rank(row[1], all_words=all_words) if row else 0
    return (rank, row[0], rkey) if rank else None


def _candidates(
    db: sqlite3.Connection, query: Query, ranker: Ranker, *, any_word: bool = False
) -> Iterator[tuple[str, str, str]]:
    """Posts that may answer, the newest first: the index narrows down what is then judged."""
    long = [one for one in ranker.needles if len(one) >= _SHORT]
    short = any_word and len(long) < len(ranker.needles)  # a word the index cannot find may be the one
    where, given = ["1"], []
    if long and not short:
        found = (" OR " if any_word else " AND ").join('"' + one.replace('"', '""') + '"' for one in long)
        where.append("id IN (SELECT rowid FROM words WHERE words MATCH ?)")
        given.append(found)
    for kind in sorted(query.has):
        where.append("' ' || has || ' ' LIKE ?")
        given.append(f"% {kind} %")
    for date, sign in ((query.before, "<"), (query.after, ">=")):
        if date:
            where.append(f"created {sign} ?")
            given.append(date)
    wanted = " AND ".join(where)
    sql = f"SELECT rkey, created, folded FROM post WHERE {wanted} ORDER BY created DESC LIMIT {_CANDIDATES}"  # noqa: S608
    yield from db.execute(sql, given)


def _record(db: sqlite3.Connection, rkey: str) -> Raw:
    (record,) = db.execute("SELECT record FROM post WHERE rkey = ?", (rkey,)).fetchone()
    return dict(msgspec.json.decode(record))
