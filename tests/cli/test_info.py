"""`list` and `rules`."""

import json

import pytest

import tavolino
from tests.cli.conftest import Run


def test_list_shows_every_game_and_option(run: Run) -> None:
    out = run("list").out
    for game in tavolino.games():
        assert game["key"] in out
        assert game["title"] in out
        assert all(option["name"] in out for option in game["options"])
    assert "aimed or plain or table" in out
    assert "2,2,4,4,6,8" in out
    assert max(map(len, out.splitlines())) <= 80


def test_list_as_json_is_what_python_gives(run: Run) -> None:
    assert json.loads(run("list", "--json").out) == json.loads(json.dumps(tavolino.games()))


@pytest.mark.parametrize("lang", ["en", "it", "es"])
@pytest.mark.parametrize("game", [game["key"] for game in tavolino.games()])
def test_rules_are_there_in_every_language(game: str, lang: str, run: Run) -> None:
    ran = run("rules", game, "--lang", lang)
    assert ran.code == 0
    assert ran.out.startswith("# ")
    assert len(ran.out) > 3000


@pytest.mark.parametrize(
    ("variables", "lang"),
    [
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "es_ES"}, "es"),
        ({"LC_MESSAGES": "es", "LANG": "it_IT"}, "es"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_rules_speak_the_language_of_the_terminal(
    variables: dict[str, str], lang: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert run("rules", "orma").out == run("rules", "orma", "--lang", lang).out


def test_an_unknown_game_is_answered_with_those_there_are(run: Run) -> None:
    ran = run("rules", "../orma")
    assert ran.code == 2
    assert "face-to-face, orma, out-of-sock" in ran.err
