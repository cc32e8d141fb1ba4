"""TypeScript declarations made from the schemas: one namespace a file, for the comments of our scripts.

Only what the schemas use is understood; anything else is an error.
"""

import json
from pathlib import Path
from typing import Any

from games.schema import ENDING, load_all

FILE = Path(__file__).with_name("types.d.ts")
WIDTH = 120
HEAD = "// Made from games/schema/*.schema.json by `python3 manage.py schema`; do not edit.\n"

Schema = dict[str, Any]
NOTES = frozenset({"description"})
PLAIN = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}


class UnknownSchema(Exception):
    """The generator does not know how to write this schema as a type."""


def text() -> str:
    return HEAD + "".join(f"\n{namespace(schema)}" for schema in load_all().values())


def namespace(schema: Schema) -> str:
    types = "\n".join(
        comment(each, "  ") + f"  type {name} = {write(each, '  ')};" for name, each in schema["$defs"].items()
    )
    return f"{comment(schema, '')}declare namespace {schema['title']} {{\n{types}\n}}\n"


def comment(schema: Schema, indent: str) -> str:
    return f"{indent}/** {schema['description']} */\n" if "description" in schema else ""


def write(schema: Schema, indent: str) -> str:
    """One schema as a type."""
    match {key: value for key, value in schema.items() if key not in NOTES}:
        case {"$ref": str(reference), **rest} if not rest:
            return refer(reference)
        case {"const": value, **rest} if not rest:
            return json.dumps(value)
        case {"enum": [*values], **rest} if not rest:
            return " | ".join(json.dumps(value) for value in values)
        case {"anyOf": [*options], **rest} if not rest:
            return " | ".join(write(option, indent) for option in options)
        case {"allOf": [*parts], **rest} if not rest:
            return " & ".join(write(part, indent) for part in parts)
        case {"type": [*names], **rest} if not rest:
            return " | ".join(PLAIN[name] for name in names)
        case {"type": "array", "items": dict(items), **rest} if not rest:
            inner = write(items, indent)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case {"type": "object", **rest}:
            return write_object(rest, indent)
        case {"type": str(name), **rest} if not rest and name in PLAIN:
            return PLAIN[name]
        case {**rest} if not rest:
            return "unknown"
    raise UnknownSchema(json.dumps(schema))


def write_object(rest: Schema, indent: str) -> str:
    match rest:
        case {"properties": dict(properties), **others} if set(others) <= {"required", "additionalProperties"}:
            required = others.get("required", list(properties))
            deeper = f"{indent}  "
            lines = [
                f"{comment(each, deeper)}{deeper}{name}{'' if name in required else '?'}: {write(each, deeper)};\n"
                for name, each in properties.items()
            ]
            if isinstance(others.get("additionalProperties"), dict):
                lines.append(f"{deeper}[field: string]: {write(others['additionalProperties'], deeper)};\n")
            return "{\n" + "".join(lines) + indent + "}"
        case {"propertyNames": dict(keys), "additionalProperties": dict(values), **others} if not others:
            return f"Partial<Record<{write(keys, indent)}, {write(values, indent)}>>"
        case {"additionalProperties": dict(values), **others} if not others:
            return f"Record<string, {write(values, indent)}>"
        case {**others} if not others:
            return "object"
    raise UnknownSchema(json.dumps(rest))


def refer(reference: str) -> str:
    """`#/$defs/Team` is of the same namespace, `page.schema.json#/$defs/View` of another."""
    file, _, name = reference.partition("#/$defs/")
    return f"{load_all()[file.removesuffix(ENDING)]['title']}.{name}" if file else name
