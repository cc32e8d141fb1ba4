"""What to send to an operation so that only the sender's rights are in question: the least that its shape asks for."""

from typing import Any

from leagues.models import Slot, Venue
from tests.api.world import WON, World

Schema = dict[str, Any]
TIMES = {"date": "2030-01-10", "time": "19:00", "date-time": "2030-01-10T19:00:00Z"}


def least(schema: Schema, parts: Schema) -> Any:
    """A small value that fits a shape of the description."""
    if "$ref" in schema:
        return least(parts[schema["$ref"].rpartition("/")[2]], parts)
    for key in ("allOf", "oneOf", "anyOf"):
        if key in schema:
            return least(schema[key][0], parts)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    match kind:
        case "object":
            return {name: least(schema["properties"][name], parts) for name in schema.get("required", [])}
        case "array":
            return [least(schema["items"], parts)] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case _ if schema.get("format") in TIMES:
            return TIMES[schema["format"]]
        case _:
            return "x" * max(1, schema.get("minLength", 1))


def special(world: World) -> dict[str, Any]:
    """Where the least that fits means nothing, so that whoever may would be refused for another reason."""
    entrant = world.known["entrants/{id}"]
    venue, slot = Venue.objects.get(club=world.club).pk, Slot.objects.get(night__club=world.club).pk
    evening = {"venue": venue, "begins": "19:00"}
    return {
        "hand_over_club": {"to": "bob"},
        "add_person": {"handle": "stella"},
        "add_bot_entrant": {"level": "rookie"},
        "add_team": {"name": "Pair", "members": ["bob", "olga"]},
        "ask_for_bye": {"round": 2, "stage": world.known["stages/{id}"]},
        "move_entrant": {"division": world.known["divisions/{id}"]},
        "make_webhook": {"name": "More", "url": "https://more.example/", "events": ["match.finished"]},
        "edit_webhook": {"name": "More", "url": "https://more.example/", "events": ["match.finished"]},
        "found_league": {"club": world.club.slug, "game": "thanos-rising", "name": "Mondays"},
        "add_season": {"preset": "empty"},
        "bring_bot": {"handle": "robot-2", "name": "Robot", "games": ["splendor-marvel"]},
        "edit_own_bot": {"name": "Robot", "games": ["splendor-marvel"]},
        "report_result": {"places": WON},
        "settle_result": {"places": WON},
        "correct_result": {"places": WON, "seen": "x", "why": "a slip"},
        "preview_correction": {"places": WON},
        "forfeit": {"absent": [entrant]},
        "change_tie_breaks": {"tie_breaks": ["wins"]},
        "challenge": {"target": entrant},
        "open_table": {"game": "splendor-marvel", "players": 2},
        "play_now": {"game": "splendor-marvel", "players": 2},
        "ask_bot": {"bot": "robo"},
        "say": {"text": "Hello"},
        "add_night": evening | {"day": "2030-01-10"},
        "add_series": evening | {"name": "Thursdays", "first": "2030-01-10", "last": "2030-01-31"},
        "place_in_slot": {"slot": slot},
    }
