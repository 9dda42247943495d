"""What was typed and not sent survives a restart, encrypted; without a key it ends with Deskbell."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bridge.answer_drafts import MOST, AnswerDrafts
from bridge.core.questions.draft import AnswerDraft
from bridge.vault.base import Vault
from bridge.vault.file import FileStore
from bridge.vault.refuse import RefuseStore

DRAFT = AnswerDraft("q1", "github", text="Name: Ada Lovelace", entered={"name": "Ada Lovelace"}, at=5.0)


def test_a_draft_is_there_after_a_restart_and_nobody_can_read_it_in_the_file(tmp_path: Path):
    async def story() -> tuple[AnswerDraft, ...]:
        vault = Vault(FileStore(tmp_path))
        drafts = AnswerDrafts(tmp_path / "drafts.bin", vault, lambda: None)
        drafts.keep(DRAFT)
        await drafts.close()
        assert b"Ada" not in (tmp_path / "drafts.bin").read_bytes()
        changed = asyncio.Event()
        again = AnswerDrafts(tmp_path / "drafts.bin", vault, changed.set)
        again.restore()
        await asyncio.wait_for(changed.wait(), 20)
        kept = again.drafts
        again.discard("q1")
        await again.close()
        vault.close()
        return kept

    assert asyncio.run(story()) == (DRAFT,)
    assert not (tmp_path / "drafts.bin").exists()


def test_without_a_place_for_the_key_drafts_are_kept_in_memory_only(tmp_path: Path):
    async def story() -> tuple[AnswerDraft, ...]:
        vault = Vault(RefuseStore())
        drafts = AnswerDrafts(tmp_path / "drafts.bin", vault, lambda: None)
        drafts.keep(DRAFT)
        await drafts.close()
        vault.close()
        return drafts.drafts

    assert asyncio.run(story()) == (DRAFT,)
    assert not (tmp_path / "drafts.bin").exists()


def test_one_question_has_one_draft_and_old_ones_make_way(tmp_path: Path):
    async def story() -> tuple[AnswerDraft, ...]:
        vault = Vault(RefuseStore())
        drafts = AnswerDrafts(tmp_path / "drafts.bin", vault, lambda: None)
        for number in (*range(MOST + 5), MOST + 4):
            drafts.keep(AnswerDraft(f"q{number}", "github", text=str(number)))
        await drafts.close()
        vault.close()
        return drafts.drafts

    kept = asyncio.run(story())
    assert [draft.id for draft in kept] == [f"q{number}" for number in range(5, MOST + 5)]
