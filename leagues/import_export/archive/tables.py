"""The tables of a league in the order of their references, and how each row is written and read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Field, ForeignKey, JSONField, Model

from accounts.infra.row_json import column_value, columns
from accounts.models import User
from games.models import CardFile
from leagues import models
from leagues.formats.editions import Edition
from leagues.formats.reasons import ENTRANTS

Number = Callable[[type[Model], int], int]


@dataclass(frozen=True)
class Part:
    """One database table: how its rows are selected for a league, and which columns are left out.

    `reasons` are columns with reasons about entrants, which they name by number. `older` has values for columns that
    older files lack, where these differ from the model's defaults.
    """

    model: type[Model]
    path: str
    without: frozenset[str] = frozenset()
    reasons: frozenset[str] = frozenset()
    older: Mapping[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> str:
        return f"{self.model._meta.model_name}.jsonl"

    @property
    def fields(self) -> list["Field[Any, Any]"]:
        left_out = self.without | {"id", "league"}
        return [field for field in columns(self.model) if field.name not in left_out]


SEASON = "season__league"
STAGE = "stage__division__season__league"
ROUND = f"round__{STAGE}"
REASON = frozenset({"reason"})

PARTS: tuple[Part, ...] = (
    # The club's own cards that its seasons name. The club here numbers them anew.
    Part(CardFile, "seasons__league", frozenset({"club", "number", "uploaded_by"})),
    Part(models.Season, "league", older={"tie_break_edition": Edition.EARLIER.value}),
    Part(models.Division, SEASON),
    # Future deals follow from the secret.
    Part(models.Stage, "division__season__league", frozenset({"secret"}), frozenset({"trouble"})),
    Part(models.Entrant, SEASON),
    Part(models.TeamMember, SEASON),
    Part(models.Starter, STAGE, reasons=REASON),
    Part(models.EntrantStep, STAGE),
    Part(models.RequestedBye, STAGE),
    # The draw before changes by hand is only needed until the round is published.
    Part(models.Round, STAGE, frozenset({"machine"})),
    # The record of an online table stays on its site; its result is among the results.
    Part(models.Pairing, ROUND, frozenset({"match"}), REASON),
    Part(models.PairingSeat, ROUND),
    # Those that are over; the one that is being played stays on its site, as its record does.
    Part(models.PairingGame, f"pairing__{ROUND}", frozenset({"match"})),
    Part(models.Bye, ROUND, reasons=REASON),
    Part(models.Result, f"pairing__{ROUND}"),
    Part(models.ResultAnswer, f"result__pairing__{ROUND}"),
    Part(models.Challenge, STAGE),
    Part(models.StandingsSnapshot, STAGE, reasons=frozenset({"rows"})),
    Part(models.Movement, SEASON, reasons=REASON),
    # The signature is made of ids of its own site.
    Part(models.SignOff, SEASON, frozenset({"seal"})),
    Part(models.ReturnCall, SEASON),
    Part(models.ReturnQuestion, "call__season__league"),
    Part(models.PlaceOffer, "question__call__season__league"),
    Part(models.TimeProposal, f"pairing__{ROUND}"),
    Part(models.ProposedTime, f"proposal__pairing__{ROUND}"),
    Part(models.TimeAnswer, f"time__proposal__pairing__{ROUND}"),
    Part(models.Extension, f"pairing__{ROUND}"),
    Part(models.Reminder, f"pairing__{ROUND}"),
    Part(models.OddsAfter, STAGE, reasons=frozenset({"titles"})),
)

# Rows of a league that are not exported, and why.
LEFT_BEHIND: dict[str, str] = {
    "League": "its few fields are in the manifest",
    "Undoable": "taking back needs rows as they were on their site",
    "Waiting": "who is free to play at this moment",
    "RoundAttendance": "who is here this evening",
    "RoundNight": "nights are of the club",
    "MeetingRule": "wishes about people, which only organisers of their site know",
    "Presence": "who is at a live table at this moment",
    "PickUp": "belongs to matches, which stay on their site",
    "HouseBot": "every site has its own; results name them by level and version",
    "RatedResult": "written by its own module, with people in its lists",
    "RatingPool": "of the whole site",
    "Refold": "follows from the results",
    "RatingChange": "follows from the results",
    "Rating": "follows from the results",
    "RatingOffset": "follows from the results",
    "BoardDigest": "counted again on every site",
    "EntryRequest": "answers to organisers of its site, and to nobody else",
    "EntryConsent": "people are asked on every site for themselves",
    "GuestJoin": "an agreement between people of its site; the entries carry what follows from it",
    "GuestWitness": "of people of its site",
    "Announcement": "messages to people of its site",
    "Screen": "a secret, and the clock of this evening",
    "SentReport": "keys of pages and programs of its site",
    "Objection": "of people of its site; the log names them",
    "RatingFlag": "of the whole site",
    "Odds": "computed again after each result",
    "Feed": "of people, and a secret",
    "Upload": "files on their way in",
    "Venue": "with the nights, where tables are placed",
    "ClubNight": "with the nights, where tables are placed",
    "Slot": "with the nights, where tables are placed",
    "Placement": "with the nights, where tables are placed",
    "Series": "of the club",
    "Availability": "of people",
    "Habit": "of people",
    "Plan": "attempts to place tables",
}


def serialize_row(part: Part, row: Model, number: Number) -> dict[str, Any]:
    """A row as written to the file; `number` gives a row's number in the file."""
    data: dict[str, Any] = {}
    for column in part.fields:
        value = getattr(row, column.attname)
        if isinstance(column, ForeignKey):
            data[column.name] = None if value is None else number(column.related_model, value)
        elif column.name in part.reasons:
            data[column.name] = renumber_entrants(value, lambda who: _entrant(number, who))
        else:
            data[column.name] = column_value(column, row)
    return data


def _entrant(number: Number, who: int) -> int:
    """An entry that was deleted has no number, but old reasons may still name it."""
    try:
        return number(models.Entrant, who)
    except KeyError:
        return 0


def renumber_entrants(value: Any, number: Callable[[int], int]) -> Any:
    """The value with other numbers for its entrants: a reason, rows of standings, or odds by entrant."""
    if isinstance(value, list):
        return [
            {**line, "entrant": number(line["entrant"]), "reason": renumber_entrants(line["reason"], number)}
            for line in value
        ]
    if value is None:
        return None
    if "code" not in value:
        return {str(number(int(who))): float(chance) for who, chance in value.items()}
    params = {
        key: number(what) if key in ENTRANTS and type(what) is int else what for key, what in value["params"].items()
    }
    return {"code": value["code"], "params": params}


class InvalidRow(ValueError):
    """A row of the file does not fit its table; the message names the column."""


def build_row(part: Part, data: Mapping[str, Any], own: Number) -> Model:
    """The file's row as an unsaved row of this site. Columns that an older file lacks get their default."""
    fields = {field.name: field for field in part.fields}
    if unknown := set(data) - set(fields):
        raise InvalidRow(sorted(unknown)[0])
    row = part.model(**part.older)
    for name, value in data.items():
        try:
            setattr(row, fields[name].attname, _value(part, fields[name], value, own))
        except (ValidationError, KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise InvalidRow(name) from error
    return row


def _value(part: Part, field: "Field[Any, Any]", value: Any, own: Number) -> Any:
    if isinstance(field, ForeignKey):
        if value is None and field.null:
            return None
        return own(field.related_model, value)
    if field.name in part.reasons:
        return renumber_entrants(value, lambda who: _entrant(own, who))
    if isinstance(field, JSONField):
        return value
    if isinstance(value, (list, dict)):
        raise InvalidRow(field.name)
    clean = field.to_python(value)
    field.validate(clean, None)
    field.run_validators(clean)
    return clean


def is_person(model: type[Model]) -> bool:
    return model is User
