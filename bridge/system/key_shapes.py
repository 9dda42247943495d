"""Recognise keys, tokens and passwords by their shape, and mask them in text: the only list of such shapes.

Running every pattern on every text would take longer than all other work on a call, so each has words without
one of which it cannot match. What a name tells is secret_names.py's; values that are known are masking.py's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from bridge.system.secret_names import IN_TEXT, is_count, may_be_in

MASK = "•••"

# issuer or kind → (words in lower case, one of which is in every such text; pattern)
SHAPES: dict[str, tuple[tuple[str, ...], str]] = {
    "1Password service account": (("ops_eyj",), r"\bops_eyJ[\w-]{30,}"),
    "Adafruit IO": (("aio_",), r"\baio_\w{28}\b"),
    "age": (("age-secret-key-",), r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    "Airtable": (("pat",), r"pat(?<=\bpat)\w{14}\.[0-9a-f]{40,}"),
    "Asana": (("1/", "2/"), r"\b[12]/(?:\d{16}/)?\d{16}:[0-9a-f]{32}\b"),
    "Atlassian": (("atatt3",), r"\bATATT3[\w=-]{50,}"),
    "AWS access key": (("akia", "asia", "aroa", "aida"), r"\b(?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{16}\b"),
    "Azure AD client secret": (("8q~",), r"[\w~.-]{3}8Q~[\w~.-]{31,}"),
    "Azure account key": (("accountkey=",), r"(?<=AccountKey=)[\w+/=]{30,}"),
    "Azure shared access key": (("sharedaccesskey=",), r"(?<=SharedAccessKey=)[\w+/=]{30,}"),
    "Azure shared signature": (("sig=",), r"(?<=[?&]sig=)[\w%+/=-]{20,}"),
    "Bluesky app password": (
        ("-",),
        r"-(?<=(?<![\w-])[a-z2-7]{4}-)(?=[a-z-]*[2-7])[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}(?![\w-])",
    ),
    "Cloudflare origin CA": (("v1.0-",), r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{100,}"),
    "Databricks": (("dapi",), r"\bdapi[0-9a-f]{32}(?:-\d)?\b"),
    "Deskbell": (("dbt-",), r"\bdbt-[\w-]{16,}"),
    "DigitalOcean": (("_v1_",), r"\bdo[opr]_v1_[0-9a-f]{40,}"),
    "Discord bot": ((".",), r"[MNO](?<=\b[MNO])[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}"),
    "Discord webhook": (("/webhooks/",), r"(?<=/webhooks/)\d{15,}/[\w-]{40,}"),
    "Docker": (("dckr_",), r"\bdckr_(?:pat|oat)_[\w-]{20,}"),
    "Doppler": (("dp.",), r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,}"),
    "Dropbox": (("sl.",), r"\bsl\.[\w-]{60,}"),
    "Facebook": (("eaa",), r"\bEAA[0-9A-Za-z]{60,}"),
    "Figma": (("figd_",), r"\bfigd_[\w-]{30,}"),
    "Fly.io": (("fm1", "fm2", "fo1_"), r"\b(?:fm[12][ar]?_|fo1_)[\w+/=-]{30,}"),
    "GitHub": (
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,})",
    ),
    "GitLab": (
        ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "glsoat-"),
        r"\bgl(?:pat|dt|rt|ptt|cbt|ft|soat)-[\w-]{16,}",
    ),
    "Google API": (("aiza",), r"\bAIza[\w-]{30,}"),
    "Google OAuth secret": (("gocspx-",), r"\bGOCSPX-[\w-]{20,}"),
    "Google OAuth token": (("ya29.", "1//0"), r"\bya29\.[\w-]{16,}|\b1//0[\w-]{30,}"),
    "Grafana": (("glsa_", "glc_"), r"\bgl(?:sa|c)_[\w=+/]{28,}"),
    "Groq": (("gsk_",), r"\bgsk_\w{30,}"),
    "Heroku": (("hrku-",), r"\bHRKU-[\w-]{30,}"),
    "Hugging Face": (("hf_", "api_org_"), r"\b(?:hf|api_org)_[A-Za-z]{20,}"),
    "JWT": (("eyj",), r"\b(?:[sp]k\.)?eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"),
    "Linear": (("lin_",), r"\blin_(?:api|oauth)_\w{30,}"),
    "Mailchimp": (("-us",), r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    "Mailgun": (("key-",), r"\bkey-[0-9a-f]{32}\b"),
    "Netlify": (("nfp_", "nfc_"), r"\bnf[pc]_\w{30,}"),
    "New Relic": (("nrak-", "nrii-", "nrra-", "nrjs-"), r"\bNR(?:AK|II|RA|JS)-[\w-]{19,}"),
    "Notion": (("ntn_", "secret_"), r"\b(?:ntn_\w{40,}|secret_[0-9A-Za-z]{43})\b"),
    "npm": (("npm_",), r"\bnpm_\w{30,}"),
    "OpenAI, Anthropic, Stripe": (("k-", "k_"), r"[spr]k(?<=\b[spr]k)[-_][\w-]{16,}"),
    "Perplexity": (("pplx-",), r"\bpplx-\w{30,}"),
    "PlanetScale": (("pscale_",), r"\bpscale_(?:tkn|pw|oauth)_[\w.-]{30,}"),
    "Postman": (("pmak-",), r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    "Pulumi": (("pul-",), r"\bpul-[0-9a-f]{40}\b"),
    "PyPI": (("pypi-",), r"\bpypi-[\w-]{30,}"),
    "Replicate": (("r8_",), r"\br8_\w{30,}"),
    "RubyGems": (("rubygems_",), r"\brubygems_[0-9a-f]{48}"),
    "SendGrid": (("sg.",), r"\bSG\.[\w-]{16,}\.[\w-]{30,}"),
    "Sentry": (("sntry",), r"\bsntry[su]_[\w+/=-]{30,}"),
    "Shopify": (("shp",), r"\bshp(?:at|ca|pa|ss|it)_[0-9a-fA-F]{32}"),
    "Slack": (("xox", "xapp-", "xwfp-"), r"\b(?:xox[a-z]|xapp|xwfp)-[\w-]{11,}"),
    "Slack webhook": (("hooks.slack.com",), r"(?<=hooks\.slack\.com/services/)[\w/]{30,}"),
    "Square": (("sq0", "eaaa"), r"\b(?:sq0[a-z]{3}-[\w-]{22,}|EAAA[\w-]{50,})"),
    "Stripe webhook": (("whsec_",), r"\bwhsec_[\w+/=]{16,}"),
    "Supabase": (("sbp_", "sb_"), r"\b(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})"),
    "Tailscale": (("tskey-",), r"\btskey-[a-z]+-[\w-]{16,}"),
    "Telegram bot": ((":aa",), r"\b\d{8,10}:AA[\w-]{32,}"),
    "Terraform Cloud": ((".atlasv1.",), r"\b\w{14}\.atlasv1\.[\w-]{60,}"),
    "Twilio": (("sk",), r"SK(?<=\bSK)[0-9a-f]{32}\b"),
    "Vault": (("hvs.", "hvb.", "hvr.", "s."), r"\b(?:hv[sbr]\.[\w-]{24,}|s\.[0-9A-Za-z]{24}\b)"),
    "Vercel": (("vca_", "vcp_", "vck_", "vci_", "vcr_"), r"\bvc[apkir]_\w{24,}"),
    "xAI": (("xai-",), r"\bxai-\w{30,}"),
}
_TOKEN = re.compile(r"[\w~.:+/=%-]{16,}", re.ASCII)  # every shape has a run of so many of these
_LONG = re.compile(r"\b[\w-]{32,}", re.ASCII)
_CASES_AND_DIGITS = tuple(re.compile(kind) for kind in ("[a-z]", "[A-Z]", "[0-9]"))


def _has(*hints: str) -> Callable[[str], bool]:
    return lambda folded: any(hint in folded for hint in hints)


# (cheap test whether the pattern can match, pattern, replacement)
_Pattern = tuple[Callable[[str], bool], re.Pattern[str], str]
_SHAPES: tuple[_Pattern, ...] = tuple(
    (_has(*hints), re.compile(pattern, re.ASCII), MASK) for hints, pattern in SHAPES.values()
)
_IN_CONTEXT: tuple[_Pattern, ...] = (
    (
        _has("-----begin "),
        re.compile(
            r"-----BEGIN (?:PGP MESSAGE|[A-Z ]*PRIVATE KEY(?: BLOCK)?)-----.*?(?:-----END [A-Z ]*-----|\Z)",
            re.DOTALL,
        ),
        MASK,
    ),
    (
        _has("bearer", "basic", "dpop", "authorization"),
        re.compile(r"\b(bearer|basic|dpop|authorization:) +[\w.~+/=:-]{8,}", re.IGNORECASE),
        rf"\1 {MASK}",
    ),
    (_has("://"), re.compile(r"(://[^/\s:@]{0,256}:)[^/\s@]{1,256}@"), rf"\1{MASK}@"),
    (
        may_be_in,
        re.compile(rf"((?:{IN_TEXT})[\w-]{{0,40}}[\"']?\s{{0,9}}[:=]\s{{0,9}}[\"']?)[^\s\"'&,;]{{6,}}", re.I),
        rf"\1{MASK}",
    ),
)


# A secret name in JSON, quoted as often as JSON stands in JSON: the end of the name, the colon.
_QUOTED_NAME = re.compile(
    rf"(?:{IN_TEXT}|authorization)[^\"'\\\n]{{0,80}}(\\{{0,9}}[\"'])\s{{0,9}}:\s{{0,9}}", re.IGNORECASE
)
_NUMBER = re.compile(r"-?\d[\w.+-]*", re.ASCII)


def redact(text: str) -> str:
    """Return the text with keys, tokens and passwords masked, and all that looks generated as keys are."""
    folded = text.casefold()
    if may_be_in(folded) or "authorization" in folded:
        text = _mask_members(text)
    return _LONG.sub(_unless_innocent, redact_known(text))


def redact_known(text: str) -> str:
    """Redact like `redact`, but keep what may be an id, which a person must see to approve a call."""
    text = _masked(text, text.casefold(), _IN_CONTEXT)
    long = " ".join(_TOKEN.findall(text))
    return _masked(text, long.casefold(), _SHAPES) if long else text


def _masked(text: str, folded: str, patterns: tuple[_Pattern, ...]) -> str:
    for may_be_there, pattern, instead in patterns:
        if may_be_there(folded):
            text = pattern.sub(instead, text)
    return text


def _unless_innocent(found: re.Match[str]) -> str:
    """Mask a long word with both cases and digits, as generated keys have; hashes and names do not."""
    return MASK if all(kind.search(found[0], 0, 100) for kind in _CASES_AND_DIGITS) else found[0]


def _mask_members(text: str) -> str:
    """Mask everything under a secret name in JSON within a text, also if the text ends in the middle."""
    shown, at = [], 0
    for name in _QUOTED_NAME.finditer(text):
        end = _end_of_value(text, name) if name.start() >= at else 0
        if end > name.end():
            shown += [text[at : name.end()], name[1], MASK, name[1]]
            at = end
    return "".join([*shown, text[at:]])


def _end_of_value(text: str, name: re.Match[str]) -> int:
    """Return where the value after this name ends; where it begins if it is no secret."""
    at, depth = name.end(), 0
    if not text.startswith((name[1], "[", "{"), at):
        number = _NUMBER.match(text, at)
        return number.end() if number and not is_count(name[0]) else at
    for part in _structure(name[1]).finditer(text, at):
        depth += (part[0] in "[{") - (part[0] in "]}")
        if depth <= 0:
            return part.end()
    return len(text)


@lru_cache(maxsize=64)
def _structure(quote: str) -> re.Pattern[str]:
    """Match a whole string within these quotes, or a bracket. An escaped backslash may stand before the quote
    that ends the string."""
    escaped, quote = rf"\\{{{2 * len(quote)}}}", re.escape(quote)
    return re.compile(rf"{quote}(?:.*?(?<!\\)(?:{escaped})*{quote}|.*)|[\[\]{{}}]", re.DOTALL)


class KeyBlocks:
    """Masks private keys that come line by line, as a server prints them."""

    def __init__(self) -> None:
        self._inside = False

    def mask_line(self, line: str) -> str:
        begins = "-----BEGIN " in line and ("PRIVATE KEY" in line or "PGP MESSAGE" in line)
        ends = "-----END " in line
        hidden = self._inside or begins
        self._inside = hidden and not ends
        return MASK if hidden else line
