"""What the page Models does: add, remove, look on this computer, and try."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from bridge.core.sampling.budget import Budget
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.rules import SamplingRules
from bridge.core.status.models import ModelsStatus, ModelTrial
from bridge.sampling import local_models
from bridge.sampling.client import ModelClient
from bridge.sampling.local_models import Place
from bridge.sampling.service import SamplingService
from bridge.settings import SettingsFile
from tests.fixtures.model_server import model_server, said


async def as_it_is(text: str) -> str:
    return text


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[SamplingService]:
    file = SettingsFile(tmp_path / "config.toml")
    file.reload()
    made = SamplingService(lambda event: None, ModelClient(as_it_is), file, lambda: None, lambda: None)
    yield made
    await made.close()


def status(service: SamplingService) -> ModelsStatus:
    return service.status(SamplingRules(tuple(service._settings.current.models.values())), Budget())


async def test_a_model_is_added_tried_and_removed(service: SamplingService):
    async with model_server() as provider:
        provider.script = [said("Hello there")]
        service.set(provider.spec())
        assert [one.name for one in status(service).models] == ["local"]
        service.try_model("local")
        assert status(service).trial == ModelTrial("local")
        await service._tasks.wait()
        assert status(service).trial == ModelTrial("local", answer="Hello there")
    service.remove("local")
    assert status(service).models == ()


async def test_what_cannot_be_done_is_told(service: SamplingService):
    service.remove("nothing")
    assert "There is no model named nothing" in service.problem
    service.set(ModelSpec("gone", "openai", "http://127.0.0.1:1/v1", "m"))
    assert service.problem == ""
    service.try_model("gone")
    await service._tasks.wait()
    trial = status(service).trial
    assert trial is not None
    assert "cannot be reached" in trial.problem


async def test_models_on_this_computer_are_found_where_they_answer(
    service: SamplingService, monkeypatch: pytest.MonkeyPatch
):
    async def tags(request: web.Request) -> web.Response:
        return web.json_response({"models": [{"name": "llama3:8b"}, 7]})

    async def listed(request: web.Request) -> web.Response:
        return web.json_response({"data": [{"id": "qwen3"}]})

    app = web.Application()
    app.router.add_get("/api/tags", tags)
    app.router.add_get("/v1/models", listed)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port: int = runner.addresses[0][1]
    places = (
        Place("ollama", "ollama", port, "/api/tags"),
        Place("lm-studio", "openai", port, "/v1/models"),
        Place("vllm", "openai", port, "/nothing"),
        Place("llama.cpp", "openai", 1, "/v1/models"),
    )
    monkeypatch.setattr(local_models.find, "__defaults__", (places,))
    service.look()
    assert status(service).looking
    await service._tasks.wait()
    await runner.cleanup()
    found = [(one.name, one.kind, one.url, one.model) for one in status(service).found]
    assert found == [
        ("ollama-llama3:8b", "ollama", f"http://127.0.0.1:{port}", "llama3:8b"),
        ("lm-studio-qwen3", "openai", f"http://127.0.0.1:{port}/v1", "qwen3"),
    ]
    assert not status(service).looking


async def test_a_model_that_is_edited_keeps_its_key_and_what_windows_do_not_show(service: SamplingService):
    spec = ModelSpec(
        "far", "openai", "https://models.example/v1", "big", key="${vault:old}", limit=50, timeout=9.0
    )
    service.set(spec)
    shown = status(service).models[0]
    assert shown.has_key
    service.save(replace(shown, model="bigger", price_in=2.5))
    assert service._settings.current.models["far"] == replace(spec, model="bigger", price_in=2.5)
    service.save(shown, new_key=True)
    assert service._settings.current.models["far"].key == "${vault:models/far}"
    service.save(replace(shown, has_key=False))
    assert service._settings.current.models["far"].key == ""


async def test_servers_and_limits_are_changed_and_nonsense_is_told(service: SamplingService):
    service.set_server("allow", "github", True)
    service.set_server("background", "files", True)
    service.set_server("allow", "files", True)
    service.set_server("allow", "github", False)
    service.change("requests_per_hour", 7)
    now = service._settings.current.sampling
    assert (now.allow, now.background, now.limits.per_hour) == (("files",), ("files",), 7)
    service.change("requests_per_hour", -1)
    assert "sampling.requests_per_hour cannot be -1" in status(service).problem
