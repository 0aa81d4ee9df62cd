"""What the benchmarks that pytest runs share with the tests; their browser optimises all code, as people's do."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright

from tests.conftest import once, zygote  # noqa: F401
from tests.web.conftest import launched, playwright, server, visitors, windows  # noqa: F401
from tests.web.site import guests, site  # noqa: F401


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:  # noqa: F811
    with launched(playwright) as one:
        yield one
