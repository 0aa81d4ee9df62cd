"""What the benchmarks that pytest runs share with the tests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright

from tavolino.browser.site import write_site
from tests.conftest import zygote  # noqa: F401
from tests.web.conftest import launched, playwright, server, visitors  # noqa: F401
from tests.web.site import UNDER, Guests, Site, hosted, visited
from tests.web.visitor import Windows


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:  # noqa: F811
    with launched(playwright) as one:
        yield one


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    """Windows that are painted, as people's are."""
    return Windows(browser, seen=True)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The page without a server as people get it: its bots and hints think as long as they do anywhere."""
    root = tmp_path_factory.mktemp("host")
    write_site(root / UNDER)
    with hosted(root) as one:
        yield one


@pytest.fixture
def guests(browser: Browser, site: Site) -> Iterator[Guests]:
    with visited(browser, site, seen=True) as made:
        yield made
