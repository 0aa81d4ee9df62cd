"""Ways to reach and read what is on the screen, for the hands of every game."""

from tests.web.visitor import Visitor


def focused(visitor: Visitor, selector: str) -> bool:
    return bool(visitor.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector))


def walk(visitor: Visitor, selector: str, key: str) -> None:
    """Press an arrow until the focus is there."""
    for _ in range(24):
        if focused(visitor, selector):
            return
        visitor.page.keyboard.press(key)
    raise AssertionError(f"{key} never reaches {selector}")


def tab_to_named(visitor: Visitor, name: str) -> None:
    script = "n => document.activeElement?.matches('button') && document.activeElement.textContent.trim().startsWith(n)"
    for _ in range(80):
        if visitor.page.evaluate(script, name):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches the button {name}")


def by(selector: str, name: str, value: str) -> str:
    """Return a script that reads something of each element, by the name in its data."""
    return f'Object.fromEntries([...document.querySelectorAll("{selector}")].map(e => [e.dataset.{name}, {value}]))'
