"""A stdio server whose tool `sample` asks for a model, and whose result is how many milliseconds that took.
Run with -I -S."""

from __future__ import annotations

import json
import sys
import time

WORDS = {"role": "user", "content": {"type": "text", "text": "Summarise this in one sentence. " * 20}}


def say(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def main() -> None:
    asked = 0.0
    for line in sys.stdin:
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if method == "initialize":
            result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}}}
            say({"id": number, "result": {**result, "serverInfo": {"name": "sampling", "version": "1"}}})
        elif method == "tools/list":
            say({"id": number, "result": {"tools": [{"name": "sample", "inputSchema": {"type": "object"}}]}})
        elif method == "tools/call":
            asked = time.monotonic()
            params = {"messages": [WORDS], "maxTokens": 100}
            say({"id": f"s{number}", "method": "sampling/createMessage", "params": params})
        elif method is None and str(number).startswith("s"):
            took = {"type": "text", "text": str((time.monotonic() - asked) * 1000)}
            failed = "result" not in message
            say({"id": int(number[1:]), "result": {"content": [took], "isError": failed}})


if __name__ == "__main__":
    main()
