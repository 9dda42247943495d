"""Stand between an AI application and `deskbell stdio`, and answer questions as bad applications do.

    tap.py accepts|refuses|hangs COMMAND…

It tells Deskbell that the application shows questions, and then accepts them all unseen, refuses them all at
once, or never answers. Everything else is passed on as it is. Standard library only.
"""

import json
import subprocess
import sys
import threading
from typing import Any

HABIT, *COMMAND = sys.argv[1:]
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
ACTION = {"accepts": "accept", "refuses": "decline"}
SHOWS: dict = {"form": {}, "url": {}}
child: Any = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
lock = threading.Lock()
requests: dict = {}  # id → request of the application, for a retry in the modern era
retries: dict = {}  # id of a retry → id the application knows


def to_deskbell(message):
    with lock:
        child.stdin.write(json.dumps(message).encode() + b"\n")
        child.stdin.flush()


def to_application(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def from_application(message):
    params = message.get("params") or {}
    if message.get("method") == "initialize":
        params["capabilities"] = {**params.get("capabilities", {}), "elicitation": SHOWS}
    if CAPABILITIES in params.get("_meta", {}):
        params["_meta"][CAPABILITIES]["elicitation"] = SHOWS
    if "id" in message and "method" in message:
        requests[message["id"]] = message
    to_deskbell(message)


def from_deskbell(message):
    result = message.get("result")
    if message.get("method") == "elicitation/create":
        if HABIT in ACTION:
            to_deskbell(
                {"jsonrpc": "2.0", "id": message["id"], "result": {"action": ACTION[HABIT], "content": {}}}
            )
    elif isinstance(result, dict) and result.get("resultType") == "input_required":
        if HABIT in ACTION:
            retry(retries.pop(message["id"], message["id"]), result)
    else:
        if "id" in message and "method" not in message:
            message["id"] = retries.pop(message["id"], message["id"])
        to_application(message)


def retry(number, result):
    asked = result.get("inputRequests", {})
    answers = {key: {"action": ACTION[HABIT], "content": {}} for key in asked}
    again = json.loads(json.dumps(requests[number]))
    again["id"] = f"tap-{number}-{len(requests)}"
    again["params"] |= {"inputResponses": answers, "requestState": result.get("requestState")}
    requests[again["id"]] = again
    retries[again["id"]] = number
    to_deskbell(again)


def read_application():
    for line in sys.stdin:
        from_application(json.loads(line))
    child.stdin.close()


threading.Thread(target=read_application, daemon=True).start()
for line in child.stdout:
    from_deskbell(json.loads(line))
sys.exit(child.wait())
