"""Which programs may have which secret."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bridge.core.ports import ServerSpec
from bridge.errors import VaultError
from bridge.vault.secret_uses import SecretUses
from tests.fixtures.patience import WITHIN

KNOWN, NEW = ServerSpec("known", "known"), ServerSpec("new", "new")


async def test_a_program_that_was_allowed_does_not_wait_for_the_question_about_another(tmp_path: Path):
    asked, answer = asyncio.Event(), asyncio.get_running_loop().create_future()

    async def ask(spec: ServerSpec, name: str) -> bool:
        if spec == KNOWN:
            return True
        asked.set()
        return bool(await answer)

    uses = SecretUses(tmp_path / "uses.json", ask)
    await uses.permit(KNOWN, "tok")
    waiting = asyncio.create_task(uses.permit(NEW, "tok"))
    await asyncio.wait_for(asked.wait(), WITHIN)
    await asyncio.wait_for(uses.permit(KNOWN, "tok"), WITHIN)
    answer.set_result(False)
    with pytest.raises(VaultError):
        await asyncio.wait_for(waiting, WITHIN)


async def test_a_refused_program_is_asked_about_once(tmp_path: Path):
    asked: list[str] = []

    async def ask(spec: ServerSpec, name: str) -> bool:
        asked.append(spec.name)
        return False

    uses = SecretUses(tmp_path / "uses.json", ask)
    for _ in range(2):
        with pytest.raises(VaultError, match="new may not have the secret tok"):
            await uses.permit(NEW, "tok")
    assert asked == ["new"]
