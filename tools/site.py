"""What the documentation site has besides the files of docs/: a hook of MkDocs, named in mkdocs.yml.

The home page is the README; CONTRIBUTING, CHANGELOG and the licence are pages, too; so are the rules in all languages,
a page of the API reference for each module, and every source file that a page links to. Links are written for the
repository and made anew here, so that they lead to the same thing in both places.
"""

import ast
import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Pages outside docs/, and where the site has them."""
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LANGUAGES = {".py": "python", ".mjs": "js", ".md": "md"}
ELSEWHERE = re.compile(r"<(?:script|img|iframe|link[^>]*rel=\"?stylesheet)[^>]*(?:src|href)=\"?(?:https?:)?//[^\s\">]*")
"""What a browser would fetch from another place."""
MODULE = """# `{name}`

::: {name}
"""


def place(path: str) -> str:
    """Return where the site has a file of the repository."""
    if path in PAGES:
        return PAGES[path]
    inside = path.removeprefix("docs/")
    if inside != path:
        return inside
    if "/text/rules." in path:
        return f"rules/{rules_page(Path(path))}"
    return f"source/{path}.md"


def rules_page(path: Path) -> str:
    """Return the page of a game's rules in a language.

    >>> rules_page(Path("games/some_game/text/rules.en.md"))
    'some-game.en.md'
    """
    return f"{path.parent.parent.name.replace('_', '-')}.{path.name.removeprefix('rules.')}"


def home(site: str) -> str:
    """Return which file of the repository a page of the site is: the inverse of `place`."""
    for path in PAGES:
        if PAGES[path] == site:
            return path
    if site.startswith("source/"):
        return site.removeprefix("source/").removesuffix(".md")
    if site.startswith("rules/"):
        game, language, _ = site.removeprefix("rules/").split(".")
        return f"src/tavolino/games/{game.replace('-', '_')}/text/rules.{language}.md"
    return f"docs/{site}"


def target(page: str, link: str) -> str | None:
    """Return what of the repository a link on a page (both by their paths there) leads to; None: nothing of it."""
    if "://" in link or link.startswith(("mailto:", "/")):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
    if (ROOT / path).is_dir() and (ROOT / path / "README.md").exists():
        return f"{path}/README.md"
    return path if (ROOT / path).is_file() else None


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Change a page's text, but not its code blocks."""
    return "".join(part if part.startswith("```") else change(part) for part in FENCE.split(text))


def with_links(page: str, text: str) -> str:
    """Return a page of the repository with links as the site needs them."""
    here = posixpath.dirname(place(page))

    def link(found: re.Match[str]) -> str:
        path = target(page, found[2])
        if path is None:
            return found[0]
        return f"{found[1]}{posixpath.relpath(place(path), here or '.')}{found[3] or ''}{found[4]}"

    return outside_fences(text, lambda part: LINK.sub(link, part))


def with_lists(text: str) -> str:
    """Put an empty line before each list: Python's Markdown wants one, the repository's page does not."""
    before = re.compile(r"^(?!\s*(?:[-*]|\d+\.) |\s*$|\s)(.*)\n(?=(?:[-*]|\d+\.) )", re.MULTILINE)
    return outside_fences(text, lambda part: before.sub(r"\1\n\n", part))


def linked_sources() -> Iterator[str]:
    """Yield the files outside docs/ that pages link to."""
    pages = [ROOT / path for path in PAGES] + sorted((ROOT / "docs").rglob("*.md"))
    seen = set(PAGES)
    for page in pages:
        name = page.relative_to(ROOT).as_posix()
        for found in LINK.finditer(FENCE.sub("", page.read_text("utf-8"))):
            path = target(name, found[2])
            if path and path not in seen and not path.startswith("docs/"):
                seen.add(path)
                yield path


def source_page(path: str) -> str:
    """Return a page that shows a file."""
    language = LANGUAGES.get(Path(path).suffix, "text")
    return f"# {Path(path).name}\n\n`{path}`\n\n````{language}\n{(ROOT / path).read_text('utf-8')}````\n"


def modules() -> Iterator[tuple[str, str]]:
    """Yield the modules of the package, each with the page that describes it."""
    source = ROOT / "src"
    for path in sorted((source / "tavolino").rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        if "migrations" in parts or parts[-1] == "__main__":
            continue
        if parts[-1] == "__init__":
            yield ".".join(parts[:-1]), "/".join(("reference", *parts[:-1], "index.md"))
        else:
            yield ".".join(parts), "/".join(("reference", *parts)) + ".md"


def contents() -> str:
    """Return the first page of the reference: every module with the first line of what it says of itself."""
    lines = ["# API reference", "", "Made from the docstrings. What most people need is in `tavolino` itself.", ""]
    lines += ["| module | |", "|---|---|"]
    for name, page in modules():
        path = ROOT / "src" / name.replace(".", "/")
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        said = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").partition("\n")[0].replace("|", "\\|")
        lines.append(f"| [`{name}`]({page.removeprefix('reference/')}) | {said} |")
    return "\n".join(lines) + "\n"


def generated() -> dict[str, str]:
    """Return the pages that are no files of docs/, by their place in the site."""
    found = {place(path): (ROOT / path).read_text("utf-8") for path in PAGES}
    for text in sorted((ROOT / "src" / "tavolino" / "games").glob("*/text/rules.*.md")):
        found[f"rules/{rules_page(text)}"] = text.read_text("utf-8")
    for path in linked_sources():
        found.setdefault(place(path), source_page(path))
    found["reference/index.md"] = contents()
    for name, page in modules():
        found[page] = MODULE.format(name=name)
    return found


def filled(nav: list[Any], pages: list[str]) -> list[Any]:
    """Return the navigation with the pages of a folder in place of the folder."""
    found: list[Any] = []
    for entry in nav:
        ((title, what),) = entry.items()
        if isinstance(what, list):
            found.append({title: filled(what, pages)})
        elif what.endswith("/"):
            found.append({title: tree(what, pages)})
        else:
            found.append(entry)
    return found


def tree(folder: str, pages: list[str]) -> list[Any]:
    """Return a folder's pages and folders, its own first page before all."""
    inside = sorted(page.removeprefix(folder) for page in pages if page.startswith(folder))
    first = [page for page in inside if page in ("index.md", "README.md")]
    files = [page for page in inside if "/" not in page and page not in first]
    folders = sorted({page.partition("/")[0] for page in inside if "/" in page})
    return [
        *(f"{folder}{page}" for page in [*first, *files]),
        *({name: tree(f"{folder}{name}/", pages)} for name in folders),
    ]


# What MkDocs calls


def on_config(config: Any) -> None:
    """Fill the navigation."""
    written = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    config["nav"] = filled(config["nav"], [*written, *generated()])


def on_files(files: Any, config: Any) -> None:
    """Add what is generated."""
    from mkdocs.structure.files import File, InclusionLevel

    for page, text in generated().items():
        file = File.generated(config, page, content=text)
        if page.startswith("source/"):
            file.inclusion = InclusionLevel.NOT_IN_NAV
        files.append(file)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make a page's links and lists right."""
    name = page.file.src_uri
    if name.startswith(("source/", "reference/")):
        return markdown
    return with_lists(with_links(home(name), markdown))


def on_post_build(config: Any) -> None:
    """Refuse a site that would make a reader's browser fetch something from elsewhere."""
    from mkdocs.exceptions import PluginError

    for path in Path(config["site_dir"]).rglob("*.html"):
        if found := ELSEWHERE.search(path.read_text("utf-8")):
            raise PluginError(f"{path}: fetches something from elsewhere: {found[0]}")
