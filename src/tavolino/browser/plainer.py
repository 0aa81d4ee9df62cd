"""Rewrite a module so that MicroPython runs it: the same statements, in the part of the language that it knows.

Types, docstrings and protocols go; records (dataclasses, msgspec's structs, named tuples) become plain classes; `match`
becomes `if`; displays with stars, ordered dicts and a few methods that MicroPython lacks become calls of
`plain_python`. What cannot be rewritten is an error that names the file and the line.
"""

import ast
from pathlib import Path
from typing import NoReturn

HELPERS = "plain_python"
"""The module of stand-ins that rewritten code imports from (`micropython/plain_python.py`)."""
METHODS = {
    "bit_count": "bit_count",
    "bit_length": "bit_length",
    "removeprefix": "removeprefix",
    "removesuffix": "removesuffix",
    "isprintable": "isprintable",
    "isdecimal": "isdecimal",
    "fullmatch": "fullmatch",
}
"""Methods that become functions of `plain_python`."""


class NotPlain(ValueError):
    """Something that cannot be rewritten; the message says what, where, and what would be right."""


def parse(file: Path) -> list[ast.stmt]:
    """Return the statements of a module, rewritten."""
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    rewritten: ast.Module = ast.fix_missing_locations(_Plainer(file).visit(tree))
    return rewritten.body


def bare(file: Path) -> list[ast.stmt]:
    """Return the statements of a module that was written for MicroPython, without its docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)):
            node.body = [one for one in node.body if not _is_text(one)] or [ast.Pass()]
    return tree.body


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _call(function: str, *args: ast.expr) -> ast.Call:
    return ast.Call(_name(function), list(args), [])


def helper(name: str) -> str:
    """Return what a function of `plain_python` is called in rewritten code, where nothing else has such a name."""
    return f"py_{name}"


def _aid(function: str, *args: ast.expr) -> ast.Call:
    return _call(helper(function), *args)


def _base_names(node: ast.ClassDef) -> list[str]:
    return [base.id if isinstance(base, ast.Name) else "" for base in node.bases]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


class _Plainer(ast.NodeTransformer):
    def __init__(self, file: Path) -> None:
        self._file = file
        self._structs: dict[str, dict[str, ast.expr]] = {"Struct": {}}
        """The structs of this module, with the settings that those derived from them share."""
        self._subjects = 0

    def _refuse(self, node: ast.AST, what: str) -> NoReturn:
        raise NotPlain(f"{self._file}:{getattr(node, 'lineno', '?')}: {what}")

    # Statements

    def visit_Module(self, node: ast.Module) -> ast.Module:
        node.body = [kept for one in node.body for kept in self._statements(one)]
        return node

    def _statements(self, node: ast.stmt) -> list[ast.stmt]:
        made = self.visit(node)
        return [] if made is None else made if isinstance(made, list) else [made]

    def _body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [made for one in body for made in self._statements(one)] or [ast.Pass()]

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if _is_text(node) else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        node.test = self.visit(node.test)
        node.body = self._body(node.body)
        node.orelse = self._body(node.orelse) if node.orelse else []
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.Assign([self.visit(node.target)], self.visit(node.value))

    def _function(self, node: ast.FunctionDef | ast.Lambda) -> None:
        args = node.args
        for one in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
            if one is not None:
                one.annotation = None
        args.args, args.posonlyargs = [*args.posonlyargs, *args.args], []
        args.defaults = [self.visit(default) for default in args.defaults]
        args.kw_defaults = [default and self.visit(default) for default in args.kw_defaults]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._function(node)
        node.returns = None
        node.decorator_list = [self.visit(one) for one in node.decorator_list]
        node.body = self._body(node.body)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._function(node)
        node.body = self.visit(node.body)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        self._refuse(node, "async functions do not run in the browser's table")

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        """Turn cases into `if … elif …`."""
        self._subjects += 1
        subject = f"subject_{self._subjects}"
        first: list[ast.stmt] = []
        rest = first
        for case in node.cases:
            if case.guard is not None:
                self._refuse(case.pattern, "a case with a condition: write if")
            test, bound = self._pattern(subject, case.pattern)
            body = [*bound, *self._body(case.body)]
            if test is None:
                rest += body
                break
            branch = ast.If(test, body, [])
            rest.append(branch)
            rest = branch.orelse
        return [ast.Assign([ast.Name(subject, ast.Store())], self.visit(node.subject)), *first]

    def _pattern(self, subject: str, pattern: ast.pattern) -> tuple[ast.expr | None, list[ast.stmt]]:
        """Return the test of a pattern (None: it always fits) and the names that it binds."""
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
            return None, []
        if isinstance(pattern, ast.MatchValue):
            return ast.Compare(_name(subject), [ast.Eq()], [pattern.value]), []
        if isinstance(pattern, ast.MatchOr):
            parts = [self._pattern(subject, one) for one in pattern.patterns]
            tests = [test for test, bound in parts if test is not None and not bound]
            if len(tests) == len(parts):
                return ast.BoolOp(ast.Or(), tests), []
        if isinstance(pattern, ast.MatchClass):
            # A place among the fields, or a field's name, for each part.
            fields = ast.Attribute(_name(subject), "_fields", ast.Load())
            places = [ast.Subscript(fields, ast.Constant(i), ast.Load()) for i in range(len(pattern.patterns))]
            names = [*places, *map(ast.Constant, pattern.kwd_attrs)]
            bound: list[ast.stmt] = []
            for name, one in zip(names, (*pattern.patterns, *pattern.kwd_patterns), strict=True):
                if not isinstance(one, ast.MatchAs) or one.pattern is not None:
                    self._refuse(one, "a pattern in a pattern: write if")
                if one.name is not None:
                    value = _call("getattr", _name(subject), name)
                    bound.append(ast.Assign([ast.Name(one.name, ast.Store())], value))
            return _call("isinstance", _name(subject), pattern.cls), bound
        return self._refuse(pattern, "a pattern that is neither a class with names, a value nor a wildcard: write if")

    # Classes

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | list[ast.stmt] | None:
        bases = _base_names(node)
        if "Protocol" in bases:
            return None
        if "NamedTuple" in bases:
            return self._named_tuple(node)
        record = any(
            (one.func if isinstance(one, ast.Call) else one).id == "dataclass"  # type: ignore[attr-defined]
            for one in node.decorator_list
            if isinstance(one.func if isinstance(one, ast.Call) else one, ast.Name)
        )
        struct = next((base for base in bases if base in self._structs), None)
        if record or struct is not None:
            self._record(node, struct)
        else:
            node.body = self._body(node.body)
        node.keywords = []
        node.decorator_list = []
        return node

    def _fields(self, node: ast.ClassDef) -> tuple[list[tuple[str, ast.expr | None]], list[ast.stmt]]:
        """Return the fields of a record with their defaults, and the rest of its body."""
        fields: list[tuple[str, ast.expr | None]] = []
        rest: list[ast.stmt] = []
        for one in node.body:
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                fields.append((one.target.id, one.value))
            else:
                rest.append(one)
        return fields, rest

    def _named_tuple(self, node: ast.ClassDef) -> list[ast.stmt]:
        """Turn a named tuple into a function that makes one: MicroPython's has no defaults."""
        fields, rest = self._fields(node)
        if any(not _is_text(one) for one in rest):
            self._refuse(node, "a named tuple with methods: use a dataclass")
        kind = f"{node.name}Tuple"
        names = ast.Tuple([ast.Constant(name) for name, _ in fields], ast.Load())
        defaults = [self.visit(default) for _, default in fields if default is not None]
        args = ast.arguments([], [ast.arg(name) for name, _ in fields], None, [], [], None, defaults)
        made = ast.Return(_call(kind, *(_name(name) for name, _ in fields)))
        return [
            ast.Assign([ast.Name(kind, ast.Store())], _aid("namedtuple", ast.Constant(node.name), names)),
            ast.FunctionDef(node.name, args, [made], [], None, None),
        ]

    def _record(self, node: ast.ClassDef, struct: str | None) -> None:
        """Write out `__init__`, and for a struct what JSON needs."""
        fields, rest = self._fields(node)
        settings = dict(self._structs[struct]) if struct else {}
        settings |= {one.arg: one.value for one in node.keywords if one.arg}
        if struct is not None:
            self._structs[node.name] = settings
        args: list[ast.arg] = [ast.arg("self")]
        defaults: list[ast.expr] = []
        body: list[ast.stmt] = []
        for name, default in fields:
            made: ast.expr = _name(name)
            if default is not None and (fresh := _factory(default)) is not None:
                made = ast.IfExp(
                    ast.Compare(_name(name), [ast.Is()], [_name(helper("MISSING"))]), self.visit(fresh), made
                )
                default = _name(helper("MISSING"))
            elif default is not None and isinstance(default, ast.Call) and getattr(default.func, "id", "") == "field":
                default = None
            args.append(ast.arg(name))
            if default is not None:
                defaults.append(self.visit(default))
            body.append(ast.Assign([ast.Attribute(_name("self"), name, ast.Store())], made))
        init = ast.FunctionDef(
            "__init__", ast.arguments([], args, None, [], [], None, defaults), body or [ast.Pass()], [], None, None
        )
        about: dict[str, ast.expr] = {"_fields": ast.Tuple([ast.Constant(name) for name, _ in fields], ast.Load())}
        if struct is not None and "tag_field" in settings:
            tag = settings.get("tag")
            said = tag if isinstance(tag, ast.Constant) else ast.Constant(node.name.lower())
            about["_tag"] = ast.Tuple([settings["tag_field"], said], ast.Load())
        if struct is not None:
            unset = {name: one for name, one in fields if one is not None and _factory(one) is None}
            omits = "omit_defaults" in settings
            about["_omitted"] = (
                _aid("ordered", *(x for k, v in unset.items() for x in (ast.Constant(k), self.visit(v))))
                if omits
                else ast.Constant(None)
            )
        node.body = [
            *(ast.Assign([ast.Name(name, ast.Store())], value) for name, value in about.items()),
            init,
            *(made for one in rest for made in self._statements(one)),
        ]

    # Expressions

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in METHODS:
            return _aid(METHODS[function.attr], self.visit(function.value), *(self.visit(one) for one in node.args))
        self.generic_visit(node)
        if isinstance(function, ast.Name) and function.id == "zip":
            node.keywords = []
        elif isinstance(function, ast.Name) and function.id == "dict":
            node.func = _name(helper("dict"))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in ("list", "dict", "set", "tuple", "Counter", "deque"):
            return self.visit(_name(node.value.id))  # type: ignore[no-any-return]
        return self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Turn an f-string into a call of `format`: MicroPython's own are read too simply."""
        text, values = "", []
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value).replace("{", "{{").replace("}", "}}")
                continue
            assert isinstance(part, ast.FormattedValue)
            spec = ""
            if part.format_spec is not None:
                pieces = part.format_spec.values  # type: ignore[attr-defined]
                if not all(isinstance(one, ast.Constant) for one in pieces):
                    self._refuse(node, "a format with a value in it: write it with rjust or ljust")
                spec = ":" + "".join(str(one.value) for one in pieces)
            text += "{" + ("!r" if part.conversion == ord("r") else "") + spec + "}"
            values.append(self.visit(part.value))
        return ast.Call(ast.Attribute(ast.Constant(text), "format", ast.Load()), values, [])

    def _display(self, node: ast.List | ast.Tuple, kind: str) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or not any(isinstance(one, ast.Starred) for one in node.elts):
            return node
        parts = [
            _call("list", one.value) if isinstance(one, ast.Starred) else ast.List([one], ast.Load())
            for one in node.elts
        ]
        whole: ast.expr = parts[0]
        for part in parts[1:]:
            whole = ast.BinOp(whole, ast.Add(), part)
        return whole if kind == "list" else _call(kind, whole)

    def visit_List(self, node: ast.List) -> ast.AST:
        return self._display(node, "list")

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        return self._display(node, "tuple")

    def visit_Set(self, node: ast.Set) -> ast.AST:
        self.generic_visit(node)
        if any(isinstance(one, ast.Starred) for one in node.elts):
            self._refuse(node, "a set with stars: write set(a) | set(b)")
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """Keep the order of a dict, as Python does and MicroPython does not."""
        self.generic_visit(node)
        parts: list[ast.expr] = []
        run: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                run += [key, value]
                continue
            parts += [_aid("ordered", *run)] * bool(run)
            parts.append(value)
            run = []
        if not parts:
            return _aid("ordered", *run)
        return _aid("merged", *parts, *([_aid("ordered", *run)] if run else []))

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return _aid("dict", ast.GeneratorExp(pair, node.generators))


def _factory(default: ast.expr) -> ast.expr | None:
    """Return what makes a fresh default for each record, if the default is made so."""
    if isinstance(default, (ast.List, ast.Dict)):
        return default
    if isinstance(default, ast.Call) and isinstance(default.func, ast.Name) and default.func.id == "field":
        for one in default.keywords:
            if one.arg == "default_factory":
                return one.value.body if isinstance(one.value, ast.Lambda) else ast.Call(one.value, [], [])
    return None
