"""A SQLite file with a full-text index of one account's posts.

It also has the tree of the repository: a refresh needs only the changes, and posts deleted on the network are
deleted here. A damaged file is deleted, as everything in it can be downloaded again. Blocks; not thread-safe.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec

from bridge.tools.bluesky.repo import car
from bridge.tools.bluesky.repo.car import DamagedRepository
from bridge.tools.bluesky.text.references import POSTS
from bridge.tools.bluesky.text.search_query import Query, Ranker, folded
from bridge.tools.bluesky.text.typing_errors import corrected
from bridge.tools.bluesky.text.views import Raw, dict_of, dicts_of, text_of

VERSION = "3"
_PREFIX = f"{POSTS}/".encode()
_TYPE = POSTS.encode()
_CACHE = 32_000  # KiB of memory while indexing
_BATCH = 2000  # blocks between two calls of `on_progress`
_MAX_CANDIDATES = 50_000  # texts that are ranked for one search
_NEWEST = f"SELECT folded FROM post ORDER BY created DESC LIMIT {_MAX_CANDIDATES}"  # noqa: S608 - ours
_TRIGRAM = 3  # characters; the index cannot find shorter terms
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
OnProgress = Callable[[int], None]  # gets the number of blocks read; may raise to stop


@dataclass(frozen=True, slots=True)
class Hits:
    """Keys and records of one page, and the number of all matches."""

    posts: list[tuple[str, Raw]]
    total: int
    more: str = ""  # key of the last post if there are more; else ""
    words: tuple[str, ...] = ()  # that were searched: others if those of the query are nowhere


class UnknownCursor(Exception):
    """The post of the cursor is gone, or does not match the query."""


class SearchIndex:
    def __init__(self, path: Path) -> None:
        self.path = path

    # --- reading -----------------------------------------------------------------------------------------

    def rev(self) -> str:
        """Return the indexed revision; "" if there is none."""
        return self._meta("rev")

    def fetched(self) -> str:
        return self._meta("fetched")

    def _meta(self, name: str) -> str:
        if not self.path.exists():
            return ""
        try:
            with self._open() as db:
                found = dict(db.execute("SELECT name, value FROM meta"))
        except sqlite3.Error:
            self.delete()
            return ""
        return str(found.get(name, "")) if found.get("version") == VERSION else ""

    def count(self) -> int:
        with self._open() as db:
            return int(db.execute("SELECT count(*) FROM post").fetchone()[0])

    def search(self, query: Query, limit: int, after: str = "") -> Hits:
        """Return the best matches, newest first among equals; only those after the post with the key
        `after`."""
        with self._open() as db:
            best, total = _search(db, query, limit, after)
            if not total and query.words:
                query = corrected(query, (text for (text,) in db.execute(_NEWEST)))
                best, total = _search(db, query, limit, after)
            found = [(rkey, _record(db, rkey)) for rkey in best[:limit]]
        return Hits(found, total, found[-1][0] if len(best) > limit else "", query.words)

    # --- changing ----------------------------------------------------------------------------------------

    def delete(self) -> None:
        for suffix in ("", "-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def delete_if_empty(self) -> None:
        if not self.rev():
            self.delete()

    def fill(self, file: IO[bytes], rev: str, when: str, on_progress: OnProgress) -> None:
        """Index a whole repository, or the changes since the indexed revision.

        Raises DamagedRepository if a block is missing; the index is then unchanged.
        """
        try:
            with self._open() as db, db:
                db.execute(f"PRAGMA cache_size = -{_CACHE}")
                _create_temp_tables(db)
                root = _read_blocks(db, file, on_progress)
                _apply_tree(db, root)
                meta = {"version": VERSION, "rev": rev, "fetched": when}
                db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", meta.items())
        except sqlite3.DatabaseError as error:
            raise DamagedRepository(f"the index cannot be written: {error}") from error

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        new = not self.path.exists()
        with closing(sqlite3.connect(self.path)) as db:
            db.execute("PRAGMA synchronous = OFF")  # speed over safety: it can be downloaded again
            if new or not db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
                db.executescript(_SCHEMA)
            yield db


# --- reading a repository --------------------------------------------------------------------------------


def _create_temp_tables(db: sqlite3.Connection) -> None:
    db.execute("CREATE TEMP TABLE fresh (cid BLOB PRIMARY KEY, record BLOB)")
    db.execute("CREATE TEMP TABLE reach (cid BLOB PRIMARY KEY)")
    db.execute("CREATE TEMP TABLE new (rkey TEXT, cid BLOB)")


def _read_blocks(db: sqlite3.Connection, file: IO[bytes], on_progress: OnProgress) -> bytes:
    """Insert nodes and posts for `_apply_tree`; return the CID of the tree's root."""
    top, blocks = car.blocks(file)
    root = b""
    for number, block in enumerate(blocks):
        if number % _BATCH == 0:
            on_progress(number)
        if block.is_node:
            _insert_node(db, block)
        elif block.cid == top:
            root = car.tree_of(block.data)
        elif _TYPE in block.data:
            record = car.decode(block.data)
            if text_of(record, "$type") == POSTS:
                db.execute("INSERT OR IGNORE INTO fresh VALUES (?, ?)", (block.cid, _encode(record)))
    if not root:
        raise DamagedRepository("it has no commit")
    return root


def _encode(record: Any) -> bytes:
    try:
        return msgspec.json.encode(record)
    except (OverflowError, RecursionError, ValueError) as error:
        raise DamagedRepository("a post cannot be written as JSON") from error


def _insert_node(db: sqlite3.Connection, block: car.CarBlock) -> None:
    children, entries = car.node(block.data)
    posts = [(block.cid, _rkey(one.key), one.value) for one in entries if one.key.startswith(_PREFIX)]
    db.execute("INSERT OR IGNORE INTO node VALUES (?)", (block.cid,))
    db.executemany("INSERT OR IGNORE INTO child VALUES (?, ?)", [(block.cid, one) for one in children])
    db.executemany("INSERT OR IGNORE INTO entry VALUES (?, ?, ?)", posts)


def _rkey(key: bytes) -> str:
    return key[len(_PREFIX) :].decode("ascii", "replace")


def _apply_tree(db: sqlite3.Connection, root: bytes) -> None:
    """Delete everything that the tree does not reach; insert its new posts."""
    db.execute(_LIVE, {"root": root})
    if db.execute("SELECT 1 FROM reach WHERE cid NOT IN (SELECT cid FROM node) LIMIT 1").fetchone():
        raise DamagedRepository("a part of the tree is missing")
    for table, column in (("node", "cid"), ("child", "parent"), ("entry", "node")):
        db.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT cid FROM reach)")  # noqa: S608 - ours
    unreachable = (
        "FROM post WHERE NOT EXISTS "
        "(SELECT 1 FROM entry WHERE entry.rkey = post.rkey AND entry.cid = post.cid)"
    )
    db.execute(f"INSERT INTO words (words, rowid, folded) SELECT 'delete', id, folded {unreachable}")
    db.execute(f"DELETE {unreachable}")
    db.execute(
        "INSERT INTO new SELECT rkey, cid FROM entry WHERE rkey NOT IN (SELECT rkey FROM post)",
    )
    for rkey, cid, record in db.execute("SELECT rkey, cid, record FROM new LEFT JOIN fresh USING (cid)"):
        if record is None:
            raise DamagedRepository("a post is missing")
        _insert_post(db, rkey, cid, record)


def _insert_post(db: sqlite3.Connection, rkey: str, cid: bytes, encoded: bytes) -> None:
    record = msgspec.json.decode(encoded)
    text = folded("\n".join([text_of(record, "text"), *_attached_texts(record)]))
    row = (rkey, cid, text_of(record, "createdAt")[:24], " ".join(sorted(kinds(record))), text, encoded)
    cursor = db.execute(
        "INSERT INTO post (rkey, cid, created, has, folded, record) VALUES (?, ?, ?, ?, ?, ?)", row
    )
    db.execute("INSERT INTO words (rowid, folded) VALUES (?, ?)", (cursor.lastrowid, text))


def _media(record: Raw) -> Raw:
    embed = dict_of(record, "embed")
    return dict_of(embed, "media") or embed


def _attached_texts(record: Raw) -> list[str]:
    """Return the texts of images and of the link card."""
    media = _media(record)
    card = dict_of(media, "external")
    alts = [text_of(one, "alt") for one in dicts_of(media, "images")]
    return [*alts, text_of(media, "alt"), text_of(card, "title"), text_of(card, "description")]


def kinds(record: Raw) -> set[str]:
    """Return which values of `has:` a post matches."""
    embed, media = text_of(dict_of(record, "embed"), "$type"), text_of(_media(record), "$type")
    found = {"reply"} if dict_of(record, "reply") else set()
    found |= {"image"} if media.endswith(".images") else set()
    found |= {"video"} if media.endswith(".video") else set()
    found |= {"media"} if found & {"image", "video"} else set()
    found |= {"link"} if media.endswith(".external") else set()
    found |= {"quote"} if embed.endswith((".record", ".recordWithMedia")) else set()
    for facet in dicts_of(record, "facets"):
        for feature in dicts_of(facet, "features"):
            found.add(text_of(feature, "$type").partition("#")[2])
    return found


# --- searching -------------------------------------------------------------------------------------------


def _search(db: sqlite3.Connection, query: Query, limit: int, after: str) -> tuple[list[str], int]:
    """Find posts with all words; if there are none, with any of them."""
    ranker = Ranker(query)
    best, total = _best(db, query, ranker, limit, after, all_words=True)
    if total or len(query.words) < 2:
        return best, total
    return _best(db, query, ranker, limit, after, all_words=False)


def concerns(query: Query, record: Raw) -> bool:
    """True if a post replies to and mentions the accounts of the query, which are DIDs here."""
    parent = text_of(dict_of(dict_of(record, "reply"), "parent"), "uri")
    if query.to and not parent.startswith(f"at://{query.to}/"):
        return False
    features = (one for facet in dicts_of(record, "facets") for one in dicts_of(facet, "features"))
    return not query.mentions or any(text_of(one, "did") == query.mentions for one in features)


def _best(
    db: sqlite3.Connection, query: Query, ranker: Ranker, limit: int, after: str, *, all_words: bool
) -> tuple[list[str], int]:
    """Return the keys of the best `limit` + 1 posts, and the number of all matches."""
    after_place = _place(db, ranker, after, all_words) if after else None
    total = 0

    def ranked() -> Iterator[tuple[int, str, str]]:
        nonlocal total
        for rkey, created, text in _candidates(db, query, ranker, any_word=not all_words):
            if rank := ranker.rank(text, all_words=all_words):
                total += 1
                place = (rank, created, rkey)
                if after_place is None or place < after_place:
                    yield place

    best = heapq.nlargest(limit + 1, ranked())
    if after and after_place is None and total:
        raise UnknownCursor
    return [rkey for _, _, rkey in best], total


def _place(db: sqlite3.Connection, ranker: Ranker, rkey: str, all_words: bool) -> tuple[int, str, str] | None:
    """Return the sort key of a matching post; None if it does not match."""
    row = db.execute("SELECT created, folded FROM post WHERE rkey = ?", (rkey,)).fetchone()
    rank = ranker.rank(row[1], all_words=all_words) if row else 0
    return (rank, row[0], rkey) if rank else None


def _candidates(
    db: sqlite3.Connection, query: Query, ranker: Ranker, *, any_word: bool = False
) -> Iterator[tuple[str, str, str]]:
    """Yield posts that may match, newest first, found by the index; they are then ranked."""
    long = [one for one in ranker.terms if len(one) >= _TRIGRAM]
    has_short = any_word and len(long) < len(ranker.terms)  # the index cannot find short words
    where, values = ["1"], []
    if long and not has_short:
        match = (" OR " if any_word else " AND ").join('"' + one.replace('"', '""') + '"' for one in long)
        where.append("id IN (SELECT rowid FROM words WHERE words MATCH ?)")
        values.append(match)
    for kind in sorted(query.has):
        where.append("' ' || has || ' ' LIKE ?")
        values.append(f"% {kind} %")
    for date, sign in ((query.before, "<"), (query.after, ">=")):
        if date:
            where.append(f"created {sign} ?")
            values.append(date)
    if query.to or query.mentions:
        db.create_function("concerns", 1, lambda raw: concerns(query, msgspec.json.decode(raw)))
        where.append("concerns(record)")
    condition = " AND ".join(where)
    sql = f"SELECT rkey, created, folded FROM post WHERE {condition} ORDER BY created DESC"  # noqa: S608 - ours
    yield from db.execute(f"{sql} LIMIT {_MAX_CANDIDATES}", values)


def _record(db: sqlite3.Connection, rkey: str) -> Raw:
    (record,) = db.execute("SELECT record FROM post WHERE rkey = ?", (rkey,)).fetchone()
    return dict(msgspec.json.decode(record))
