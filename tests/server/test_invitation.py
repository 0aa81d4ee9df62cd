"""What a chat shows of a link, and where a phone can reach the server."""

import re

import pytest

from tests.server.servers import Server, person


def test_a_link_shows_who_invites_to_what_and_nothing_secret(server: Server) -> None:
    """OpenGraph in the page's head, also for HEAD; the name is text, whatever is in it."""
    with person(server.url, '<b>"Ada"') as ada:
        table = ada.open("orma", ("me", "bot:easy", "open"))
        page = ada.http.get(f"/t/{table}").text
        said = dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)"', page))
        assert said["og:title"] == "&lt;b&gt;&quot;Ada&quot; invites you to Orma"
        assert said["og:description"] == "2 of 3 seated"
        assert said["og:url"].endswith(f"/t/{table}")
        picture = ada.http.get(said["og:image"].removeprefix(server.url))
        assert picture.headers["content-type"] == "image/png"
        assert ada.http.head(f"/t/{table}").status_code == 200
        assert not ada.http.head(f"/t/{table}").content
        assert "og:title" not in ada.http.get("/t/AAAAAAAAAAAAAAAA").text


@pytest.mark.parametrize(
    ("accepted", "said"),
    [
        ("it-IT,it;q=0.9,en;q=0.8", "Ada ti invita a giocare a Orma"),
        ("de, en;q=0.5, es;q=0.7", "Ada te invita a jugar a Orma"),
        ("fr", "Ada invites you to Orma"),
        ("it;q=0, en;q=x", "Ada invites you to Orma"),
    ],
)
def test_a_link_speaks_the_readers_language(server: Server, accepted: str, said: str) -> None:
    with person(server.url) as ada:
        answer = ada.http.get(f"/t/{ada.open('orma')}", headers={"Accept-Language": accepted})
        assert f'<meta property="og:title" content="{said}" />' in answer.text
        assert "accept-language" in answer.headers["vary"].lower()


def test_a_table_in_play_invites_nobody(server: Server) -> None:
    with person(server.url) as ada:
        page = ada.http.get(f"/t/{ada.open('face-to-face', ('me', 'bot:easy'))}").text
        assert "invites" not in page
        assert 'content="In progress"' in page
