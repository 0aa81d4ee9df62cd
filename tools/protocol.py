"""Write the reference part of docs/protocol.md from the server's own messages: `python tools/protocol.py [--check]`.

What each message and field means is said once, in `tavolino.server.messages`, `descriptions` and `settings`; a
test fails when the page says something else.
"""

import argparse
import ast
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from tavolino.server import descriptions, messages, settings

TARGET = Path(__file__).parent.parent / "docs" / "protocol.md"
Schema = dict[str, Any]
BEGIN, END = "<!-- from here: tools/protocol.py -->\n", "<!-- to here -->\n"


def said(module: ModuleType) -> dict[str, dict[str, str]]:
    """Return the sentences below the fields of a module's classes."""
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            fields = found.setdefault(node.name, {})
            for field, text in zip(node.body, node.body[1:], strict=False):
                if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
                    fields[ast.unparse(field.target)] = str(ast.literal_eval(text.value))
    return found


def kind(schema: Schema) -> str:
    """Return a schema in a few words."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind(schema['items'])}"
    limits = {"minimum": "≥ {}", "maximum": "≤ {}", "maxLength": "≤ {} characters"}
    more = [text.format(schema[name]) for name, text in limits.items() if name in schema]
    plain = str(schema.get("type", "anything"))
    return " ".join(["whole number" if plain == "integer" else plain, *more])


def reached(schema: Any, components: dict[str, Schema]) -> set[str]:
    """Return the names of all structs that a schema leads to."""
    found: set[str] = set()
    for name in re.findall(r"#/\$defs/(\w+)", str(schema)):
        found |= {name} | reached(components[name], components)
    return found


def table(name: str, schema: Schema, texts: dict[str, str]) -> str:
    """Return one struct: what it is for, and its fields."""
    properties: dict[str, Any] = schema.get("properties", {})
    tag = properties.get("type", {}).get("enum", [None])[0]
    lines = [f"#### {tag or name}", "", schema.get("description", ""), ""]
    rows = [(field, one) for field, one in properties.items() if not (field == "type" and tag)]
    if rows:
        lines += ["| field | is | means |", "|---|---|---|"]
    for field, one in rows:
        optional = "" if field in schema.get("required", ()) else " (may be absent)"
        meaning = texts.get(field, one.get("description", "")).replace("|", "\\|").replace("\n", " ")
        lines.append(f"| `{field}`{optional} | {kind(one)} | {meaning} |")
    return "\n".join(lines) + "\n"


def generate() -> str:
    """Return the reference part."""
    roots, components = msgspec.json.schema_components(
        [messages.Incoming, messages.Outgoing], ref_template="#/$defs/{name}"
    )
    texts = said(settings) | said(descriptions) | said(messages)
    parts = []
    shown: set[str] = set()
    for title, root in zip(("From the client", "From the server"), roots, strict=True):
        parts.append(f"### {title}\n")
        for name in re.findall(r"#/\$defs/(\w+)", str(root["anyOf"])):
            parts.append(table(name, components[name], texts[name]))
            shown.add(name)
    parts.append("### Parts of messages\n")
    for name in components:
        if name in reached(roots, components) - shown:
            parts.append(table(name, components[name], texts[name]))
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    check = parser.parse_args().check
    page = TARGET.read_text("utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    new = before + BEGIN + "\n" + generate() + "\n" + END + after
    if check and new != page:
        sys.exit("docs/protocol.md is out of date: python tools/protocol.py")
    if not check:
        TARGET.write_text(new, "utf-8")


if __name__ == "__main__":
    main()
