"""Programs that only run another: what is run gets its name, and keys leave a container's command."""

from __future__ import annotations

import pytest

from bridge.system.process.command_name import extract_env, is_runner, program_name


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("npx -y @modelcontextprotocol/server-everything@1.2", "server-everything"),
        ("npx -y @playwright/mcp@latest --headless", "playwright"),
        ("npx --package=@acme/tools acme-mcp", "acme-mcp"),
        ("npx -p @acme/tools acme-mcp", "acme-mcp"),
        ("C:\\nodejs\\npx.cmd -y firecrawl-mcp", "firecrawl-mcp"),
        ("cmd /c npx -y figma-developer-mcp --stdio", "figma-developer-mcp"),
        ("npm exec -- @acme/thing", "thing"),
        ("pnpm dlx mcp-thing@2", "mcp-thing"),
        ("yarn dlx mcp-thing", "mcp-thing"),
        ("bunx mcp-thing", "mcp-thing"),
        ("uvx mcp-server-git==2025.1 --repository /r", "mcp-server-git"),
        ("uvx --from git+https://github.com/acme/serena serena start", "serena"),
        ("uvx git+https://github.com/acme/serena.git@main", "serena"),
        ("uv --directory /srv/weather run weather.py", "weather"),
        ("uv run --with mcp[cli] python server.py", "server"),
        ("pipx run mcp-thing[extra]", "mcp-thing"),
        ("python3 server.py", "server"),
        ("/usr/bin/python3.12 -m mcp_server_fetch", "mcp_server_fetch"),
        ("python -c pass", "python"),
        ("node /srv/github/dist/index.js", "github"),
        ("node --env-file .env build/weather.mjs", "weather"),
        ("node index.js", "index"),
        ("docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:1.0", "github-mcp-server"),
        ("docker run -i -e TOKEN=ghp_12345678 --env=A=b acme/thing", "thing"),
        ("docker run -i mcp/postgres postgresql://h/db", "postgres"),
        ("java -jar /opt/thing.jar", "thing"),
        ("env TOKEN=x /opt/bin/github-mcp-server stdio", "github-mcp-server"),
        ("npx", "npx"),
        ("/opt/My Tool", "My"),
        ("./mcp", "mcp"),
        ("@@@", "server"),
    ],
)
def test_a_server_is_named_after_what_is_run(line: str, name: str) -> None:
    command, *args = line.split()
    assert program_name(command, args) == name


@pytest.mark.parametrize(
    ("line", "rest", "env"),
    [
        ("docker run -i -e KEY=1 --rm acme", "docker run -i -e KEY --rm acme", {"KEY": "1"}),
        ("podman run --env=KEY=a=b -e OTHER=2 acme", "podman run --env=KEY -e OTHER=2 acme", {"KEY": "a=b"}),
        ("docker container run -v KEY=1 -e KEY acme", "docker container run -v KEY=1 -e KEY acme", {}),
        ("docker run acme -e KEY=1", "docker run acme -e KEY=1", {}),
        ("docker run -e", "docker run -e", {}),
        ("npx -e KEY=1 acme", "npx -e KEY=1 acme", {}),
    ],
)
def test_variables_leave_a_containers_command_for_its_environment(
    line: str, rest: str, env: dict[str, str]
) -> None:
    assert extract_env(line.split(), lambda name, value: name == "KEY") == (rest.split(), env)


@pytest.mark.parametrize("program", ["npx", "/usr/bin/python3.12", "C:\\uv\\uvx.exe", "docker"])
def test_a_program_that_only_runs_another_is_known_wherever_it_is(program: str):
    assert is_runner(program)
    assert not is_runner("mcp-server-time")
