"""What the server tells people is a code, put into words by the page: every code and reason, in every language."""

import re
from pathlib import Path
from typing import get_args

import pytest

from tavolino.engine.registry import GAMES
from tavolino.play.text import rules_text
from tavolino.server.messages import VALUES, Code, Reason

ROOT = Path(__file__).parent.parent.parent
SERVER = ROOT / "src" / "tavolino" / "server"
CODES, REASONS = get_args(Code), get_args(Reason)


def sentences(language: str, block: str) -> dict[str, str]:
    """Return a block of the page's texts."""
    source = (ROOT / "web" / "src" / "i18n" / f"{language}.ts").read_text("utf-8")
    inner = source.split(f"\n  {block}: {{\n")[1].split("\n  },\n")[0]
    return dict(re.findall(r"^    (\w+):\s+'(.*)',$", inner, re.MULTILINE))


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_every_code_and_reason_is_said(language: str) -> None:
    codes, reasons = sentences(language, "refused"), sentences(language, "reasons")
    assert set(codes) == set(CODES)
    assert set(reasons) == set(REASONS)
    named: dict[str, tuple[str, ...]] = dict(VALUES.items())
    for key, text in (codes | reasons).items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(named.get(key, ())), key
    if language != "en":
        assert not set(codes.values()) & set(sentences("en", "refused").values())
        assert not set(reasons.values()) & set(sentences("en", "reasons").values())


def test_the_server_sends_no_other() -> None:
    """The types say so; here the source is read, for what a type cannot see, and for reasons nobody gives."""
    source = "".join(path.read_text("utf-8") for path in SERVER.glob("*.py") if path.name != "messages.py")
    used = set(re.findall(r"\b(?:_?refuse|(?:Request)?Refused|refusal|_say|[Pp]roblem)\(\s*\"([a-z_]+)\"", source))
    assert used <= set(CODES)
    assert {one for one in CODES if f'"{one}"' not in source} == set()
    assert {one for one in REASONS if f'"{one}"' not in source} == set()


@pytest.mark.parametrize("key", list(GAMES))
def test_a_clause_that_forbids_a_move_can_be_read_in_every_language(key: str) -> None:
    """What refusals of the rules cite stands in the text that the page opens for them."""
    source = GAMES[key].folder.joinpath("people.py").read_text("utf-8")
    cited = set(re.findall(r"[A-Z]\d+\.\d+", source.split("def slip(")[1]))
    assert cited
    for language in ("en", "it", "es"):
        text = rules_text(GAMES[key].folder, language)
        assert cited <= set(re.findall(r"\b[A-Z]\d+\.\d+", text)), language
