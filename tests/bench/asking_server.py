"""A stdio server whose tool `ask` asks the person, and says in its message when it did, and in its result
when it heard the answer. Run with -I -S."""

from __future__ import annotations

import json
import sys
import time

FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name"},
        "count": {"type": "integer", "title": "How many", "minimum": 1, "default": 3},
        "urgent": {"type": "boolean", "title": "Urgent?"},
        "colour": {"type": "string", "title": "Colour", "enum": ["red", "green", "blue"]},
        "labels": {"type": "array", "title": "Labels", "items": {"enum": ["bug", "feature"]}},
    },
    "required": ["name"],
}


def say(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if method == "initialize":
            revision = message["params"]["protocolVersion"]
            info = {"name": "asking", "version": "1"}
            say(
                {
                    "id": number,
                    "result": {
                        "protocolVersion": revision,
                        "capabilities": {"tools": {}},
                        "serverInfo": info,
                    },
                }
            )
        elif method == "tools/list":
            say({"id": number, "result": {"tools": [{"name": "ask", "inputSchema": {"type": "object"}}]}})
        elif method == "tools/call":
            asked = {"message": f"asked at {time.monotonic()}", "requestedSchema": FORM}
            say({"id": f"e{number}", "method": "elicitation/create", "params": asked})
        elif method is None and str(number).startswith("e"):
            heard = {"type": "text", "text": str(time.monotonic())}
            say({"id": int(number[1:]), "result": {"content": [heard]}})


if __name__ == "__main__":
    main()
