"""Write the client's message types from the server's own: `python -m tools.schema [--check]`.

The structs of `tavolino.server.messages` and `settings`, and the characters of `tavolino.bots.characters`, are the
truth; `web/src/lib/messages.ts` follows, and `make check` fails when it does not.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec

from tavolino.bots.characters import CHARACTERS, STYLED
from tavolino.server.messages import VERSION, Code, Incoming, Outgoing, Reason
from tavolino.server.settings import TableSettings

TARGET = Path(__file__).parent.parent / "web" / "src" / "lib" / "messages.ts"

HEAD = """\
// Made by tools/schema.py from tavolino.server.messages and settings, and tavolino.bots.characters; do not edit: change
// them, then `make schema`.

export const VERSION = {version};

/** Why something is refused, as a code. */
export const CODES = [{codes}] as const;
export type Code = (typeof CODES)[number];

/** The exact reason, where people should be told more than the code says. */
export const REASONS = [{reasons}] as const;
export type Reason = (typeof REASONS)[number];

/** The computer's players, by seat: the style each plays in, where a game has it, and how long its moves are shown. */
export const CHARACTERS = [
{characters}
];
/** The levels that play in it. */
export const STYLED = [{styled}];
"""

Schema = dict[str, Any]
SIMPLE = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def written(schema: Schema) -> str:
    """Return the TypeScript type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(written(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(f"'{one}'" if isinstance(one, str) else str(one) for one in schema["enum"])
    match schema.get("type"):
        case "array":
            inner = written(schema["items"])
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case "object":
            return "Record<string, unknown>"
        case str(kind):
            return SIMPLE[kind]
    return "unknown"


def interface(name: str, schema: Schema, *, sent_whole: bool) -> str:
    """Return a struct as an interface; `sent_whole`: the server leaves no default out."""
    lines = [f"/** {schema['description']} */"] if "description" in schema else []
    lines.append(f"export interface {name} {{")
    for field, kind in schema.get("properties", {}).items():
        always = field in schema.get("required", []) or (sent_whole and "default" in kind)
        lines.append(f"  {field}{'' if always else '?'}: {written(kind)};")
    return "\n".join([*lines, "}"])


def reached(schema: Schema, components: dict[str, Schema]) -> set[str]:
    """Return the names of all structs that a schema leads to."""
    found: set[str] = set()
    waiting = re.findall(r"\$ref\W+#/\$defs/(\w+)", str(schema))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += re.findall(r"\$ref\W+#/\$defs/(\w+)", str(components[name]))
    return found


def generate() -> str:
    """Return the whole file."""
    roots, components = msgspec.json.schema_components(
        [Incoming, Outgoing, TableSettings], ref_template="#/$defs/{name}"
    )
    incoming, outgoing, _ = roots
    whole = reached(outgoing, components)
    codes, reasons, styled = (
        ", ".join(f"'{one}'" for one in names) for names in (get_args(Code), get_args(Reason), STYLED)
    )
    characters = "\n".join(
        f"  {{ name: '{name}', style: '{style}', tempo: {tempo} }}," for name, style, tempo in CHARACTERS
    )
    parts = [HEAD.format(version=VERSION, codes=codes, reasons=reasons, characters=characters, styled=styled)]
    parts += [interface(name, one, sent_whole=name in whole) + "\n" for name, one in components.items()]
    parts.append(f"/** All that a client may say. */\nexport type Incoming = {written(incoming)};\n")
    parts.append(f"/** All that the server says. */\nexport type Outgoing = {written(outgoing)};\n")
    return "\n".join(parts)


def main() -> None:
    """Write the types, or with --check say whether they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if the file differs")
    if not parser.parse_args().check:
        TARGET.write_text(generate(), encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != generate():
        sys.exit(f"{TARGET.name} is not what the server speaks; write it anew: python -m tools.schema")


if __name__ == "__main__":
    main()
