"""The parser of the `deskbell` command: help that says what a command does."""

import pytest

from bridge.cli.parser import build_parser


@pytest.mark.parametrize(
    ("words", "does"),
    [
        (["call"], "Call a tool: call TOOL key=value…"),
        (["doctor"], "Check everything Deskbell needs, and say what is wrong."),
        (["servers", "add"], "Add a server: an address, or a command after --."),
    ],
)
def test_the_help_of_a_command_says_first_what_it_does(
    words: list[str], does: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args([*words, "--help"])
    assert does in capsys.readouterr().out
