"""The API as a page: plain HTML made from the OpenAPI description, without a script."""

from html import escape
from typing import Any

HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tavolino: the API</title><h1>Tavolino: the API</h1>
<p>The same as data: <a href="/api/openapi.json">openapi.json</a>. Live tables: a WebSocket at
<code>/api/tables/{table}/ws</code>; its messages are in docs/protocol.md."""


def _kind(schema: dict[str, Any]) -> str:
    """Say a schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(_kind(one) for one in schema[several])
    if "enum" in schema:
        return " | ".join(escape(repr(value)) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return escape(str(schema.get("type", "anything")))


def _operation(path: str, method: str, said: dict[str, Any]) -> str:
    parts = [f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(said.get('description', ''))}"]
    rows = [(p["name"], _kind(p["schema"]), p.get("description", "")) for p in said.get("parameters", ())]
    body = said.get("requestBody", {}).get("content", {}).get("application/json")
    if body:
        rows.append(("body", _kind(body["schema"]), ""))
    for status, answer in said["responses"].items():
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        rows.append((f"answers {status}", _kind(schema) if schema else "", answer.get("description", "")))
    parts.append("<table>")
    parts += [f"<tr><td>{escape(name)}<td>{kind}<td>{escape(text)}" for name, kind, text in rows]
    parts.append("</table>")
    return "".join(parts)


def _component(name: str, schema: dict[str, Any]) -> str:
    rows = [
        f"<tr><td>{escape(field)}{'' if field in schema.get('required', ()) else ' (optional)'}<td>{_kind(kind)}"
        f"<td>{escape(str(kind.get('description', '')))}"
        for field, kind in schema.get("properties", {}).items()
    ]
    return (
        f'<h2 id="{escape(name)}">{escape(name)}</h2><p>{escape(schema.get("description", ""))}'
        f"<table>{''.join(rows)}</table>"
    )


def api_page(schema: dict[str, Any]) -> str:
    """Return the page of an OpenAPI description."""
    operations = [
        _operation(path, method, said) for path, methods in schema["paths"].items() for method, said in methods.items()
    ]
    components = [_component(name, one) for name, one in schema["components"]["schemas"].items()]
    return HEAD + "".join(operations) + "<hr>" + "".join(components)
