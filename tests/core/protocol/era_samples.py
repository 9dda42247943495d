"""Messages that the tests of both eras share."""

from __future__ import annotations

from tests.core.fake_peers import Upstream, Wire
from tests.core.wire_messages import ELICIT_ALL

YES = {"action": "accept", "content": {"name": "Ada"}}
DONE = {"content": [{"type": "text", "text": "done"}]}
DECLARED = {**ELICIT_ALL, "sampling": {}}  # the person answers
COMPLETE = {"resultType": "complete", **DONE}


def files(wire: Wire) -> Upstream:
    return wire.upstreams["files"]
