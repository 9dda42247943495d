"""Between host and server nothing changes but the address: requests, answers, notes, in any spelling."""

from __future__ import annotations

import pytest

from bridge.core import events as ev
from bridge.core.policy.presets import Preset
from bridge.core.policy.rules import HostRule, Policy, QuestionPlace, Verdict
from bridge.core.protocol.jsonrpc import peek
from bridge.core.questions.question import CANCEL
from tests.core.fake_peers import MODERN, Wire, script
from tests.core.routing.relay_samples import pair
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, call, failure, raw, response, wants

ODD = rb'{"n":1e400,"big":%b,"\u0061":"\u00e9\/","z":[1.0,-0],"e":"\ud83d\ude00 x","a b":null}' % (b"9" * 400)


# Byte for byte


@pytest.mark.parametrize(
    "request_id", [b"7", b'"7"', b"1.0", b"null", b"-0", b"1e400", rb'"\u0037"', b'{"a":1}']
)
@pytest.mark.parametrize("method", ["tools/call", "acme/unknown"])
def test_a_request_and_its_answer_keep_every_byte_but_the_id(request_id, method):
    _, host, server = pair()
    odd = ODD if method == "acme/unknown" else b'{"name":"x","arguments":' + ODD + b',"extra":1e400}'
    host.says(call(request_id, method, odd))
    sent = server.only()
    assert sent.data == call(sent.id, method, odd)
    server.says(response(sent.id, ODD))
    answer = host.only()
    assert answer.data == response(request_id, ODD)
    assert (answer.about, answer.final) == (request_id, True)


def test_an_answer_that_was_read_on_the_way_passes_as_any_other():
    wire, host, server = pair()
    host.says(call(b"7", "acme/x"))
    answer = response(server.only().id, ODD)
    wire.feed(ev.UpstreamSent(server.conn, answer, b"", peek(answer)))
    assert host.only().data == response(b"7", ODD)


def test_one_with_a_second_id_does_not_though_it_was_read_on_the_way():
    wire, host, server = pair()
    host.says(call(b"7", "acme/x"))
    answer = response(b"0", ODD)[:-1] + b',"id":%b}' % server.only().id
    wire.feed(ev.UpstreamSent(server.conn, answer, b"", peek(answer)))
    assert "twice" in host.replies[b"7"].error["message"]


@pytest.mark.parametrize("request_id", [b"7", b'"7"', b"1.0", b"null"])
def test_messages_in_any_layout_keep_their_layout(request_id):
    _, host, server = pair()
    host.says(b'{"method":"acme/x","params":%b,"extra":true,"jsonrpc":"2.0","id":%b}' % (ODD, request_id))
    sent = server.only()
    assert sent.data == b'{"method":"acme/x","params":%b,"extra":true,"jsonrpc":"2.0","id":%b}' % (
        ODD,
        sent.id,
    )
    server.says(b'{"error":{"code":1,"message":"\\u00e9"},"jsonrpc":"2.0","id":%b}' % sent.id)
    assert (
        host.only().data == b'{"error":{"code":1,"message":"\\u00e9"},"jsonrpc":"2.0","id":%b}' % request_id
    )


def test_ids_that_look_alike_are_told_apart():
    _, host, server = pair()
    ids = [b"7", b'"7"', b"7.0", b"null"]
    for request_id in ids:
        host.says(call(request_id, "acme/x"))
    for message in reversed(server.new()):
        server.replies(message, {"you": int(message.id)})
    answers = host.new()
    assert [message.about for message in answers] == ids[::-1]
    assert len({message.result["you"] for message in answers}) == 4


def test_notes_pass_untouched_both_ways():
    _, host, server = pair()
    known = b'{"jsonrpc":"2.0", "method":"notifications/roots/list_changed","params":' + ODD + b"}"
    host.says(known)
    assert server.only().data == known
    odd = b'{"jsonrpc":"2.0", "method":"notifications/acme","params":' + ODD + b"}"
    server.says(odd)
    told = host.only()
    assert (told.data, told.about, told.final) == (odd, b"", False)
    host.says(call(b"5", "acme/x"))
    server.says(odd)
    assert host.only().about == b"5"


def test_modern_requests_pass_verbatim_where_nothing_must_be_added():
    _, host, server = pair(MODERN, {**ELICIT_ALL, "sampling": {}})
    params = b'{"_meta":%b,"name":"x","arguments":%b}' % (raw(host.meta), ODD)
    host.says(call(b'"a"', "tools/call", params))
    sent = server.only()
    assert sent.data == call(sent.id, "tools/call", params)


def test_params_that_are_no_object_pass_too():
    _, host, server = pair()
    host.says(call(b"5", "acme/x", b"[1,2]"))
    assert server.only().params == [1, 2]


def test_half_a_character_does_not_stop_an_answer():
    _, host, server = pair()
    host.says(call(b"5", "acme/x"))
    server.says(response(server.only().id, rb'{"text":"cut \ud83d"}'))
    assert host.only().data == response(b"5", rb'{"text":"cut \ud83d"}')


# Progress


def test_progress_carries_the_hosts_own_token():
    _, host, server = pair()
    host.says(call(b"5", "tools/call", b'{"name":"x","_meta":{"progressToken":"mine","a":1e400}}'))
    sent = server.only()
    assert sent.data == call(
        sent.id, "tools/call", b'{"name":"x","_meta":{"progressToken":%b,"a":1e400}}' % sent.id
    )
    server.notes("notifications/progress", b'{"progressToken":%b,"progress":1e400,"x":1}' % sent.id)
    told = host.only()
    assert told.data == (
        b'{"jsonrpc":"2.0","method":"notifications/progress",'
        b'"params":{"progressToken":"mine","progress":1e400,"x":1}}'
    )
    assert told.about == b"5"


def test_progress_of_nothing_goes_nowhere():
    _, host, server = pair()
    host.says(call(b"5", "tools/call", b'{"name":"x"}'))
    for token in (server.only().id, b'"mine"', b"null"):
        server.notes("notifications/progress", b'{"progressToken":%b,"progress":1}' % token)
    server.notes("notifications/progress")
    assert host.new() == []


# Cancellation


def test_a_cancelled_request_is_cancelled_upstream_and_gets_no_reply():
    wire, host, server = pair()
    host.says(call(b'"5"', "tools/call", b'{"name":"x"}'))
    sent = server.only()
    host.cancels(b"5")
    assert server.new() == []
    host.cancels(b'"5"')
    told = server.only()
    assert (told.method, told.params["requestId"]) == ("notifications/cancelled", int(sent.id))
    server.replies(sent, {})
    assert host.new() == []
    assert wire.records[-1].outcome == "cancelled"
    assert wire.state.open_requests == {}


def test_a_cancelled_request_takes_its_question_along():
    wire, host, server = pair()
    request = host.calls()
    server.asks(b"9", FORM)
    host.cancels(request)
    assert wire.desk == []
    assert [message.json.get("result") for message in server.new()[1:]] == [{"action": "cancel"}, None]


# Answers to nobody, requests without sense


def test_an_answer_to_nobody_is_ignored_on_both_sides():
    _, host, server = pair()
    for data in (response(b"99", {}), failure(b"null", {"code": 1}), b"{}", b'{"method":null}'):
        host.says(data)
        server.says(data)
    assert host.new() == server.new() == []


def test_an_open_id_cannot_be_used_again_and_its_own_reply_still_comes():
    _, host, server = pair()
    host.says(call(b"5", "acme/one"))
    host.says(call(b"5", "acme/two"))
    refused = host.only()
    assert (refused.error["code"], refused.final) == (-32600, False)
    server.replies(server.only(), {"one": 1})
    assert host.only().result == {"one": 1}
    host.says(call(b"5", "acme/three"))
    assert server.only().method == "acme/three"


@pytest.mark.parametrize("data", [b"nonsense", b"{", b'{"method":5}', b"[1,", b"5", b"[" * 2000])
def test_what_is_no_message_is_told_to_the_host_and_noted_of_the_server(data):
    wire, host, server = pair()
    host.says(data)
    told = host.only()
    assert (told.json["id"], told.error["code"]) == (None, -32700)
    server.says(data)
    assert (wire.records[-1].outcome, wire.records[-1].server) == ("malformed", "files")


@pytest.mark.parametrize(
    "data",
    [
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}',
        b'{"jsonrpc":"2.0","method":"notifications/progress","params":5}',
    ],
)
def test_a_note_without_sense_harms_nothing(data):
    _, host, server = pair()
    host.says(data)
    server.says(data)
    request = host.calls()
    server.replies(server.calls[-1], {})
    assert host.replies[request].result == {}


@pytest.mark.parametrize("params", [b"[]", b'{"name":5}', b'{"_meta":[]}', b"null"])
def test_a_call_without_sense_is_refused(params):
    _, host, server = pair()
    host.says(call(b"5", "tools/call", params))
    assert host.replies[b"5"].error["code"] == -32602
    assert server.new() == []


@pytest.mark.parametrize(
    "data",
    [
        b'{"jsonrpc":"2.0","id":5,"id":5,"method":"acme/x"}',
        b'{"jsonrpc":"2.0","id":5,"method":"acme/x","method":"acme/x"}',
        b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{"progressToken":1,"progressToken":1}}}',
    ],
)
def test_a_request_that_repeats_a_key_is_refused(data):
    wire, host, server = pair()
    host.says(data)
    assert host.replies[b"5"].error["code"] == -32602
    assert "twice" in host.replies[b"5"].error["message"]
    assert (server.new(), wire.state.open_requests) == ([], {})


def test_a_tool_named_twice_is_refused_where_there_are_rules():
    wire = Wire(script(), policy=Policy((("files_delete", Verdict.DENY),)))
    host = wire.legacy_host()
    host.says(call(b"5", "tools/call", b'{"name":"delete","name":"save"}'))
    assert "twice" in host.replies[b"5"].error["message"]
    assert wire.upstreams["files"].calls == []


JUDGED = [
    Policy((("files_delete", Verdict.DENY),)),
    Policy(hosts={"*": HostRule(tools=("!files_delete",))}),
    Policy(presets={"files": Preset.ALLOW}),
]


@pytest.mark.parametrize("policy", JUDGED)
@pytest.mark.parametrize(
    "said",
    [
        b'{"id":5,"method":"tools/call","params":{"name":"save","Name":"delete"}}',
        b'{"id":5,"method":"tools/call","params":{"name":"save","name":"delete"}}',
        b'{"id":5,"method":"tools/call","params":{"name":"save"},"Params":{"name":"delete"}}',
        b'{"id":5,"method":"acme/x","Method":"tools/call","params":[]}',
        b'{"id":5,"method":"tools/call","params":{"name":"save","requestState":"a","requestState":"b"}}',
        b'{"id":5,"method":"tools/call","params":{"name":"save","requestState":"a","request_state":"b"}}',
        b'{"id":5,"method":"prompts/get","params":{"name":"save","InputResponses":{}}}',
        b'{"id":5,"method":"tasks/get","params":{"taskId":"1","taskId":"2"}}',
        b'{"id":5,"method":"tasks/result","params":{"taskId":"1","taskid":"2"}}',
        '{"id":5,"method":"acme/x","param\u017f":{"name":"delete"}}'.encode(),
    ],
)
def test_what_another_reader_might_take_for_a_judged_call_is_refused(policy: Policy, said: bytes):
    wire = Wire(script(), policy=policy)
    host = wire.legacy_host()
    host.says(said)
    assert " key" in host.replies[b"5"].error["message"]
    assert wire.upstreams["files"].calls == []
    (line,) = wire.records
    assert (line.host, line.outcome) == ("Old Host", "doubtful")
    assert line.detail.startswith("It sent what can be read in two ways, and it was not passed on: ")


@pytest.mark.parametrize("policy", JUDGED)
def test_a_note_that_another_reader_might_take_for_a_call_is_dropped(policy: Policy):
    wire = Wire(script(), policy=policy)
    host = wire.legacy_host()
    server = wire.upstreams["files"]
    server.new(), host.new()
    host.says(b'{"method":"notifications/x","ID":5,"Method":"tools/call","params":{"name":"delete"}}')
    assert server.new() == []
    assert "can be taken for" in host.only().error["message"]
    host.notes("notifications/roots/list_changed")
    assert server.only().method == "notifications/roots/list_changed"
    assert [line.outcome for line in wire.records] == ["doubtful"]
    host.says(b'{"id":5,"result":{},"Method":"tools/call","params":{"name":"delete"}}')
    assert "can be taken for" in host.only().error["message"]


def test_an_answer_that_repeats_its_id_becomes_an_error():
    _, host, server = pair()
    request = host.calls()
    upstream_id = server.only().id
    server.says(b'{"id":%b,"result":{},"id":%b}' % (upstream_id, upstream_id))
    assert "cannot be passed on" in host.replies[request].error["message"]


def test_a_hosts_answer_that_repeats_its_id_becomes_an_error():
    wire, host, server = pair(can=ELICIT)
    host.calls()
    server.asks(b"9", FORM)
    asked = host.asked[-1].id
    wire.passes(1.0)
    host.says(b'{"id":%b,"result":{},"id":%b}' % (asked, asked))
    assert "cannot be passed on" in server.last().error["message"]


def test_an_answer_that_says_nothing_becomes_an_error():
    _, host, server = pair()
    request = host.calls()
    server.says(b'{"jsonrpc":"2.0","id":%b,"x":1}' % server.only().id)
    assert "neither a result nor an error" in host.replies[request].error["message"]


@pytest.mark.parametrize(
    "result",
    [
        b"[]",
        b'{"resultType":5}',
        b'{"resultType":"input_required","inputRequests":{"a":{"method":5}}}',
        b'{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":5}}}}',
        b'{"resultType":"input_required","inputRequests":[]}',
    ],
)
def test_a_modern_answer_without_sense_becomes_an_error(result):
    wire, host, server = pair(MODERN)
    request = host.calls()
    server.says(response(server.calls[-1].id, result))
    assert "valid" in host.replies[request].error["message"]
    assert wire.state.open_requests == {}


def test_a_legacy_answer_without_sense_to_a_modern_host_becomes_an_error():
    wire = Wire(script())
    host = wire.modern_host()
    request = host.calls()
    server = wire.upstreams["files"]
    server.says(response(server.last().id, b"[1]"))
    assert "valid" in host.replies[request].error["message"]


def test_a_call_that_cannot_be_repeated_ends_when_it_must_be():
    wire, host, server = pair(MODERN, {**ELICIT_ALL, "sampling": {}})
    wire.edits(wire.state.servers, Policy(hosts={"*": HostRule(QuestionPlace.DESKTOP)}))
    wire.strict = False  # what is relayed verbatim is not looked into
    host.says(call(b"50", "tools/call", b'{"_meta":%b,"x":1,"x":1,"name":"a"}' % raw(host.meta)))
    server.replies(server.calls[-1], wants(who=FORM))
    wire.person(CANCEL)
    assert "twice" in host.replies[b"50"].error["message"]
    assert wire.state.open_requests == {}


@pytest.mark.parametrize(
    "method", ["tools/call", "Tools/Call", "tools/call ", "tools/call\0", "notifications/acme", "prompts/get"]
)
@pytest.mark.parametrize("batch", [False, True])
def test_what_is_no_notification_reaches_no_server_without_an_id(method: str, batch: bool):
    wire = Wire(script())
    host = wire.legacy_host()
    server = wire.upstreams["files"]
    server.new(), host.new()
    sent = b'{"jsonrpc":"2.0","method":%b,"params":{"name":"delete"}}' % raw(method)
    host.says(b"[" + sent + b"]" if batch else sent)
    assert server.new() == []
    (line,) = wire.records
    assert (line.host, line.outcome) == ("Old Host", "unknown")
    assert "was not passed on" in line.detail


@pytest.mark.parametrize(
    "method",
    [
        "Tools/Call",
        "tools/call ",
        "tools/call\0",
        "toolsCall",
        "TOOLS/LIST",
        "t\u043eols/call",
        "\uff54ools/call",
    ],
)
@pytest.mark.parametrize("policy", JUDGED)
def test_a_method_that_only_looks_like_a_known_one_is_refused_where_rules_exist(policy: Policy, method: str):
    wire = Wire(script(), policy=policy)
    host = wire.legacy_host()
    server = wire.upstreams["files"]
    server.new(), host.new()
    request = host.requests(method, {"name": "delete"})
    assert server.new() == []
    assert "can be taken for " in host.replies[request].error["message"]
    request = host.requests("acme/delete")
    server.replies(server.only(), {})
    assert host.replies[request].result == {}
