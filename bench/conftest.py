"""What the benchmarks that pytest runs share with the tests."""

from tests.conftest import once, zygote  # noqa: F401
from tests.web.conftest import browser, server, visitors, windows  # noqa: F401
from tests.web.test_site import guests, site  # noqa: F401
