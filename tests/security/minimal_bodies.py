"""The smallest valid body of each operation, so that only the sender's permission decides."""

from typing import Any

import engine
from leagues.models import Slot, Venue
from tests.api.sample_site import BROWSER, WON, World
from tests.factories import PICTURE

Schema = dict[str, Any]
TIMES = {"date": "2030-01-10", "time": "19:00", "date-time": "2030-01-10T19:00:00Z"}


def least(schema: Schema, parts: Schema) -> Any:
    """The smallest value that fits a schema."""
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
    """Bodies for operations where the smallest value is invalid, so that it would be refused for another reason."""
    entrant = world.known["entrants/{id}"]
    venue, slot = Venue.objects.get(club=world.club).pk, Slot.objects.get(night__club=world.club).pk
    evening = {"venue": venue, "begins": "19:00"}
    return {
        "hand_over_club": {"to": "bob"},
        "decide_entry_request": {"approves": False},
        "add_person": {"handle": world.owner.handle},
        "propose_guest_join": {"handle": "bob"},
        "add_bot_entrant": {"level": "rookie"},
        "add_team": {"name": "Pair", "members": ["bob", "olga"]},
        "ask_for_bye": {"round": 2, "stage": world.known["stages/{id}"]},
        "move_entrant": {"division": world.known["divisions/{id}"]},
        "make_webhook": {"name": "More", "url": "https://more.example/", "events": ["match.finished"]},
        "edit_webhook": {"name": "More", "url": "https://more.example/", "events": ["match.finished"]},
        "add_device": BROWSER,
        "set_portrait": {"picture": PICTURE},
        "set_emblem": {"picture": PICTURE},
        "found_league": {"club": world.club.slug, "game": "thanos-rising", "name": "Mondays"},
        "add_season": {"preset": "empty"},
        "bring_bot": {"handle": "robot-2", "name": "Robot", "games": ["splendor-marvel"]},
        "edit_own_bot": {"name": "Robot", "games": ["splendor-marvel"]},
        "upload_card_file": {
            "game": "thanos-rising",
            "title": "More",
            "text": engine.game("thanos-rising").own_card_file(),
        },
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
        "write_message": {"text": "Hello"},
        "challenge_person": {"to": "olga", "game": "splendor-marvel", "players": 2},
        "counter_person_challenge": {"game": "splendor-marvel", "players": 2},
        "seek_table": {"games": ["splendor-marvel"]},
        "add_night": evening | {"day": "2030-01-10"},
        "add_series": evening | {"name": "Thursdays", "first": "2030-01-10", "last": "2030-01-31"},
        "place_in_slot": {"slot": slot},
        "set_attendance": {"entrant": entrant, "here": True},
        "choose_round_night": {"night": None},
        "exchange_seats": {"one": entrant, "other": entrant},
        "add_meeting_rule": {"one": entrant, "other": entrant},
    }
