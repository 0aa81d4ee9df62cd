"""What the benchmarks that pytest runs share with the tests."""

from tests.web.conftest import browser, server, visitors, zygote  # noqa: F401
