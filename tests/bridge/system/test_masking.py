"""Secrets are masked by their name, by their shape, and because they are known."""

from __future__ import annotations

import json

import pytest

from bridge.system.key_shapes import SHAPES, KeyBlocks
from bridge.system.masking import MASK, Mask, masked, redact

HEX = "0123456789abcdef0123456789abcdef"
WORD = "Zk3vQx9LmN2pRs7TuV4wXyZ0aBcDeFgHiJkLmNoPq"  # 41 characters
LOWER = "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"  # 40; masked only for what stands before it
EXAMPLES = {
    "1Password service account": f"ops_eyJ{LOWER}",
    "Adafruit IO": f"aio_{LOWER[:28]}",
    "age": "AGE-SECRET-KEY-1" + "QPZRY9X8" * 7 + "QP",
    "Airtable": f"patabcdefghijklmn.{HEX}{HEX}",
    "Asana": "1/1234567890123456:" + "0a" * 16,
    "Atlassian": f"ATATT3{LOWER}{LOWER}",
    "AWS access key": "AKIAIOSFODNN7EXAMPLE",
    "Azure AD client secret": f"abc8Q~{LOWER}",
    "Azure account key": f"AccountKey={LOWER}==",
    "Azure shared access key": f"SharedAccessKey={LOWER}=",
    "Azure shared signature": f"?sv=2024&sig={LOWER}%3D",
    "Bluesky app password": "abcd-ef23-ghij-kl45",
    "Cloudflare origin CA": "v1.0-" + "0a" * 12 + "-" + "b1" * 73,
    "Databricks": f"dapi{HEX}",
    "Deskbell": f"dbt-{LOWER}",
    "DigitalOcean": f"dop_v1_{HEX}{HEX}",
    "Discord bot": f"M{LOWER[:23]}.abcdef.{LOWER[:30]}",
    "Discord webhook": f"discord.com/api/webhooks/123456789012345678/{LOWER}{LOWER}",
    "Docker": f"dckr_pat_{LOWER[:27]}",
    "Doppler": f"dp.pt.{LOWER}",
    "Dropbox": f"sl.{LOWER}{LOWER}",
    "Facebook": f"EAA{LOWER}{LOWER}",
    "Figma": f"figd_{LOWER}",
    "Fly.io": f"fo1_{LOWER}",
    "GitHub": f"ghp_{LOWER[:36]}",
    "GitLab": f"glpat-{LOWER[:20]}",
    "Google API": f"AIza{LOWER[:35]}",
    "Google OAuth secret": f"GOCSPX-{LOWER[:28]}",
    "Google OAuth token": f"ya29.{LOWER}",
    "Grafana": f"glsa_{LOWER[:32]}_abcdef01",
    "Groq": f"gsk_{LOWER}",
    "Heroku": f"HRKU-{LOWER}",
    "Hugging Face": f"hf_{LOWER[:34]}",
    "JWT": f"eyJ{LOWER[:20]}.{LOWER[:20]}.{LOWER}",
    "Linear": f"lin_api_{LOWER}",
    "Mailchimp": "0a" * 16 + "-us12",
    "Mailgun": f"key-{HEX}",
    "Netlify": f"nfp_{LOWER}",
    "New Relic": f"NRAK-{LOWER[:27]}",
    "Notion": f"ntn_{LOWER}abcdef",
    "npm": f"npm_{LOWER[:36]}",
    "OpenAI, Anthropic, Stripe": f"sk-ant-{LOWER}",
    "Perplexity": f"pplx-{LOWER}",
    "PlanetScale": f"pscale_tkn_{LOWER}",
    "Postman": f"PMAK-{HEX[:24]}-{HEX}01",
    "Pulumi": f"pul-{HEX}01234567",
    "PyPI": f"pypi-{LOWER}",
    "Replicate": f"r8_{LOWER}",
    "RubyGems": f"rubygems_{HEX}{HEX[:16]}",
    "SendGrid": f"SG.{LOWER[:22]}.{LOWER}abc",
    "Sentry": f"sntrys_{LOWER}",
    "Shopify": f"shpat_{HEX}",
    "Slack": "xoxb-123456789012-abcdefghijkl",
    "Slack webhook": "https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx",
    "Square": f"sq0atp-{LOWER[:22]}",
    "Stripe webhook": f"whsec_{LOWER[:32]}",
    "Supabase": f"sbp_{HEX}01234567",
    "Tailscale": f"tskey-auth-{LOWER[:20]}",
    "Telegram bot": f"123456789:AA{LOWER[:33]}",
    "Terraform Cloud": f"abcdefghijklmn.atlasv1.{LOWER}{LOWER}",
    "Twilio": f"SK{HEX}",
    "Vault": f"hvs.{LOWER[:28]}",
    "Vercel": f"vcp_{LOWER[:28]}",
    "xAI": f"xai-{LOWER}",
}


def test_there_is_an_example_of_every_shape_and_they_are_many():
    assert EXAMPLES.keys() == SHAPES.keys()
    assert len(SHAPES) >= 40


@pytest.mark.parametrize("kind", EXAMPLES)
@pytest.mark.parametrize("around", ["{}", "connected with {}, ok", '{{"x": "{}"}}'])
def test_every_shape_is_masked_even_when_a_server_prints_it(kind: str, around: str):
    shown = redact(around.format(EXAMPLES[kind]))
    assert MASK in shown
    assert EXAMPLES[kind][-12:].strip("=") not in shown


BLOCKS = ["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK", "PGP MESSAGE"]


@pytest.mark.parametrize("kind", BLOCKS)
def test_a_block_is_masked_at_once_and_line_by_line(kind: str):
    lines = ["before", f"-----BEGIN {kind}-----", "MIIEow+/short", "abc=", f"-----END {kind}-----", "after"]
    assert redact("\n".join(lines)) == f"before\n{MASK}\nafter"
    blocks = KeyBlocks()
    assert [blocks.mask_line(line) for line in lines] == ["before", MASK, MASK, MASK, MASK, "after"]


@pytest.mark.parametrize("value", ["hunter22", 123456, 1.5, ["a", "b"], {"a": {"b": 1}}])
def test_below_a_telling_name_everything_is_masked(value: object):
    told = {"api_key": value, "name": "Ann"}
    assert masked(told) == {"api_key": MASK, "name": "Ann"}
    assert json.loads(Mask().mask_arguments(json.dumps({"deep": [told]}).encode())) == {
        "deep": [masked(told)]
    }


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (b'{"n": 1.50, "n": 12345678901234567890123}', b'{"n": 1.50, "n": 12345678901234567890123}'),
        (
            b'{"n":1.50,"n":1e400,"max_tokens":9,"token":7}',
            '{"n":1.50,"n":1e400,"max_tokens":9,"token":"•••"}',
        ),
        (b'{"pass\\u0077ord":"x","on":[true,null]}', '{"password":"•••","on":[true,null]}'),
        (b'{"run":"curl -u a:b ghp_0123456789abcdefghijABCDEF"}', '{"run":"curl -u a:b •••"}'),
        (b'{"ghp_0123456789abcdefghijABCDEF":"open sesame"}', '{"•••":"•••"}'),
        (
            b'{"id":"1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms"}',
            b'{"id":"1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms"}',
        ),
        (b"not JSON, password=hunter22", '"not JSON, password=•••"'),
    ],
)
def test_arguments_are_shown_as_sent_but_for_what_is_known_to_be_secret(sent: bytes, shown: bytes | str):
    mask = Mask()
    mask.learn(["open sesame"])
    told = mask.mask_arguments(sent)
    assert told == shown if isinstance(shown, bytes) else json.loads(told) == json.loads(shown)
    assert told.count(b'"n"') == sent.count(b'"n"')
    assert (b"1.50" in told) == (b"1.50" in sent)


def test_of_arguments_nobody_can_read_only_the_beginning_is_shown():
    shown = json.loads(Mask().mask_arguments(b'{"password":"hunter22","text":"' + b"a" * (1 << 20)))
    assert shown.startswith('{"password":"•••","text":"aaa')
    assert shown.endswith(" … +31 bytes")


def test_yes_no_nothing_and_counts_of_tokens_are_no_secrets():
    told = {"has_password": True, "token": None, "secret": "", "max_tokens": 4096, "input_tokens": 7}
    assert masked(told) == told


def test_a_key_of_an_object_may_be_a_secret_too():
    mask = Mask()
    mask.learn(["open sesame"])
    assert mask.mask_json({"open sesame": 1}) == {MASK: 1}
    assert masked({EXAMPLES["GitHub"]: 1}) == {MASK: 1}


def test_each_line_of_a_secret_is_known():
    mask = Mask()
    mask.learn(["first line\nsecond line\nabc"])
    assert mask.mask_text("it said: second line") == f"it said: {MASK}"
    assert mask.mask_text("first line\nsecond line\nabc") == MASK
    assert mask.mask_text("abc") == "abc"  # too short: it would be in any text


@pytest.mark.parametrize(
    "written", [b"b3BlbiA/c2VzYW1l", b"b3BlbiA_c2VzYW1l", b"6f70656e203f736573616d65", b"open%20%3Fsesame"]
)
def test_a_secret_is_known_in_base64_in_hexadecimal_and_in_an_address(written: bytes):
    mask = Mask()
    assert not mask.is_in(written)
    mask.learn(["open ?sesame"])
    assert mask.mask_text(f"as {written.decode()}==") == f"as {MASK}=="
    assert mask.is_in(b'{"x":"' + written + b'"}')


def test_answers_to_secret_questions_are_known_until_others_came_after_them():
    mask = Mask()
    mask.learn(["for ever"])
    mask.learn_answers(["open sesame"])
    mask.learn_answers(["open sesame"])
    assert mask.mask_text("open sesame, for ever") == f"{MASK}, {MASK}"
    mask.learn_answers([f"answer number {number}" for number in range(60)])
    assert mask.mask_text("open sesame, for ever") == f"open sesame, {MASK}"


@pytest.mark.parametrize(
    "text",
    [
        "src/bridge/upstreams/process/connection.py:120: in _run",
        "that-this-with-from is a name, and so is some-long-name-of-four",
        "2026-11-18T06:44:12.123456+00:00 INFO started in 12.5 ms",
        "https://example.org/docs/getting-started/installation?lang=en&page=2",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "task_list_of_the_person_in_this_project",
        "desk-organisation-and-more-words",
    ],
)
def test_ordinary_words_stay_readable(text: str):
    assert redact(text) == text
