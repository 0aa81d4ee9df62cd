"""Make a module that can be instantiated from one object file for wasm32, without a linker.

LLVM's object file is nearly a module: indices of functions, types and tables stand in the code as if it had been linked
alone, since there is nothing else. Three things are missing. Its memory, table and stack pointer are imports; here they
become its own. Its data lie from address 0; here they are moved above the stack, so that a stack that is too deep ends
below 0 and traps. And it exports nothing; its `linking` section tells which function has which name.

The format: https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md
"""

from collections.abc import Iterable
from typing import NamedTuple

STACK = 1 << 18
"""Bytes of stack, from address 0."""
MAGIC = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(13)
ORDER = (TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, DATA_COUNT, CODE, DATA)
ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_I32 = 3, 4, 5  # relocations of addresses, which move
INDICES = {0, 1, 2, 6, 7, 20}  # relocations of indices, which stay
DEFINED_ELSEWHERE, NAMED = 0x10, 0x40  # flags of a symbol
I32, FUNCREF, MUTABLE, I32_CONST, END = b"\x7f", b"\x70", b"\1", b"\x41", b"\x0b"


class CannotLink(RuntimeError):
    """The object file holds something that this linker does not know."""


class Reader:
    """Read the parts of a section one after the other."""

    def __init__(self, data: bytes | bytearray, at: int = 0) -> None:
        self.data, self.at = data, at

    def byte(self) -> int:
        """Return one byte."""
        self.at += 1
        return self.data[self.at - 1]

    def number(self, signed: bool = False) -> int:
        """Return a number in LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def chunk(self) -> bytes:
        """Return bytes after their number."""
        size = self.number()
        self.at += size
        return bytes(self.data[self.at - size : self.at])

    @property
    def more(self) -> bool:
        """Whether the end is not reached."""
        return self.at < len(self.data)


class Symbols(NamedTuple):
    """What the symbol table tells: the index of each function, the segment and offset of each variable."""

    functions: dict[str, int]
    variables: dict[str, tuple[int, int]]


def unsigned(value: int, width: int = 0) -> bytes:
    """Return a number in LEB128, filled up to a width."""
    out = bytearray()
    while value > 0x7F or len(out) + 1 < width:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def signed(value: int, width: int = 0) -> bytes:
    """Return a number in signed LEB128, filled up to a width."""
    out = bytearray()
    while not -0x40 <= value < 0x40 or len(out) + 1 < width:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value & 0x7F])


def link(made: bytes, exported: Iterable[str], heap: str) -> bytes:
    """Return the module, with these functions exported and the variable `heap` set to where the heap begins."""
    sections, custom = _sections(made)
    symbols = _symbols(custom["linking"])
    for name in ("CODE", "DATA"):
        if (moves := custom.get(f"reloc.{name}")) is not None:
            number, section = _relocated(moves, sections)
            sections[number] = section
    kinds = dict(sections)
    data, starts, end = _moved(Reader(kinds[DATA]))
    top = (end + 15) & -16
    segment, offset = symbols.variables[heap]
    data[starts[segment] + offset : starts[segment] + offset + 4] = top.to_bytes(4, "little")
    kinds[DATA] = bytes(data)
    table = _table_size(Reader(kinds[ELEMENT])) if ELEMENT in kinds else 0
    kinds |= _own(Reader(kinds.pop(IMPORT)), top, table)
    if missing := sorted(set(exported) - set(symbols.functions)):
        raise CannotLink(f"the object file has no {', '.join(missing)}")
    rows = [_text("memory") + b"\2\0", *(_text(n) + b"\0" + unsigned(symbols.functions[n]) for n in sorted(exported))]
    kinds[EXPORT] = unsigned(len(rows)) + b"".join(rows)
    return MAGIC + b"".join(bytes([kind]) + unsigned(len(kinds[kind])) + kinds[kind] for kind in ORDER if kind in kinds)


def _text(name: str) -> bytes:
    return unsigned(len(name.encode())) + name.encode()


def _sections(made: bytes) -> tuple[list[tuple[int, bytes]], dict[str, bytes]]:
    """Return the sections in order, each with its kind, and the custom ones by name."""
    if made[:8] != MAGIC:
        raise CannotLink("this is no object file for wasm32")
    reader, sections, custom = Reader(made, 8), [], {}
    while reader.more:
        kind, body = reader.byte(), reader.chunk()
        sections.append((kind, body))
        if kind == CUSTOM:
            inside = Reader(body)
            name = inside.chunk().decode()
            custom[name] = body[inside.at :]
    return sections, custom


def _symbols(body: bytes) -> Symbols:
    reader, found = Reader(body), Symbols({}, {})
    if (version := reader.number()) != 2:
        raise CannotLink(f"the linking section has version {version}, not 2")
    while reader.more:
        kind, part = reader.byte(), Reader(reader.chunk())
        if kind != 8:  # the symbol table
            continue
        for _ in range(part.number()):
            kind, flags = part.byte(), part.number()
            here = not flags & DEFINED_ELSEWHERE
            if kind == 1:  # a variable
                name = part.chunk().decode()
                if here:
                    found.variables[name] = part.number(), part.number()
                    part.number()  # its size
            elif kind == 3:  # a section
                part.number()
            else:  # a function, global, tag or table
                index = part.number()
                name = part.chunk().decode() if here or flags & NAMED else ""
                if kind == 0 and here:
                    found.functions[name] = index
    return found


def _relocated(moves: bytes, sections: list[tuple[int, bytes]]) -> tuple[int, tuple[int, bytes]]:
    """Return a section with all addresses in it moved above the stack, after its number."""
    reader = Reader(moves)
    number = reader.number()
    kind, body = sections[number]
    out = bytearray(body)
    for _ in range(reader.number()):
        how, at = reader.byte(), reader.number()
        reader.number()  # the symbol
        if how in (ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_I32):
            reader.number(signed=True)  # what is added to it, which is in the code already
            if how == ADDRESS_I32:
                out[at : at + 4] = (int.from_bytes(out[at : at + 4], "little") + STACK).to_bytes(4, "little")
            elif how == ADDRESS_LEB:
                out[at : at + 5] = unsigned(Reader(out, at).number() + STACK, 5)
            else:
                out[at : at + 5] = signed(Reader(out, at).number(signed=True) + STACK, 5)
        elif how not in INDICES:
            raise CannotLink(f"a relocation of type {how} is not known here")
    return number, (kind, bytes(out))


def _moved(reader: Reader) -> tuple[bytearray, list[int], int]:
    """Return the data section above the stack, where each segment's bytes begin in it, and the address of its end."""
    count, end = reader.number(), STACK
    out, starts = bytearray(unsigned(count)), []
    for _ in range(count):
        if reader.number() != 0 or reader.byte() != I32_CONST[0]:
            raise CannotLink("a segment of data is not at a constant address")
        address = reader.number(signed=True) + STACK
        reader.byte()  # the end of the expression
        body = reader.chunk()
        out += b"\0" + I32_CONST + signed(address) + END + unsigned(len(body))
        starts.append(len(out))
        out += body
        end = max(end, address + len(body))
    return out, starts, end


def _table_size(reader: Reader) -> int:
    """Return how many entries the table of functions must have."""
    size = 0
    for _ in range(reader.number()):
        if reader.number() != 0 or reader.byte() != I32_CONST[0]:
            raise CannotLink("a segment of the table is not at a constant place")
        begin = reader.number(signed=True)
        reader.byte()  # the end of the expression
        count = reader.number()
        for _ in range(count):
            reader.number()
        size = max(size, begin + count)
    return size


def _skip_limits(reader: Reader) -> None:
    for _ in range(1 + (reader.byte() & 1)):
        reader.number()


def _own(reader: Reader, top: int, table: int) -> dict[int, bytes]:
    """Return the sections that define what the object file imports: its memory, stack pointer and table."""
    made: dict[int, bytes] = {}
    for _ in range(reader.number()):
        reader.chunk()
        name, kind = reader.chunk().decode(), reader.byte()
        if kind == 1:  # a table
            reader.byte()
            _skip_limits(reader)
            made[TABLE] = b"\1" + FUNCREF + b"\0" + unsigned(table)
        elif kind == 2:  # a memory
            _skip_limits(reader)
            made[MEMORY] = b"\1\0" + unsigned((top >> 16) + 2)
        elif kind == 3 and name == "__stack_pointer":
            reader.at += 2
            made[GLOBAL] = b"\1" + I32 + MUTABLE + I32_CONST + signed(STACK) + END
        else:
            raise CannotLink(f"the object file imports {name}")
    return made
