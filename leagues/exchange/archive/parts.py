"""Which rows make a league, in the order they refer to each other, and how each is written and read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Field, ForeignKey, JSONField, Model

from accounts.models import User
from accounts.rows import columns, packed
from leagues import models
from leagues.formats.editions import Edition
from leagues.formats.reasons import ENTRANTS

Number = Callable[[type[Model], int], int]


@dataclass(frozen=True)
class Part:
    """One table of the database: how its rows are found from a league, and what of them stays behind.

    `reasons` are columns with sentences about entrants, which they name by number. `older` are the values of columns
    that a file from before them lacks, where that is not what a new row gets.
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
        left = self.without | {"id", "league"}
        return [field for field in columns(self.model) if field.name not in left]


SEASON = "season__league"
STAGE = "stage__division__season__league"
ROUND = f"round__{STAGE}"
REASON = frozenset({"reason"})

PARTS: tuple[Part, ...] = (
    Part(models.Season, "league", older={"tie_break_edition": Edition.EARLIER.value}),
    Part(models.Division, SEASON),
    # Deals that are still to come follow from the secret.
    Part(models.Stage, "division__season__league", frozenset({"secret"}), frozenset({"trouble"})),
    Part(models.Entrant, SEASON),
    Part(models.TeamMember, SEASON),
    Part(models.Starter, STAGE, reasons=REASON),
    Part(models.EntrantStep, STAGE),
    Part(models.RequestedBye, STAGE),
    Part(models.Round, STAGE),
    # The record of a live table stays in its house; its result is among the results.
    Part(models.Pairing, ROUND, frozenset({"match"}), REASON),
    Part(models.PairingSeat, ROUND),
    Part(models.Bye, ROUND, reasons=REASON),
    Part(models.Result, f"pairing__{ROUND}"),
    Part(models.ResultAnswer, f"result__pairing__{ROUND}"),
    Part(models.Challenge, STAGE),
    Part(models.StandingsSnapshot, STAGE, reasons=frozenset({"rows"})),
    Part(models.Movement, SEASON, reasons=REASON),
    # What was signed is said in numbers of the house.
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

# Rows of a league that a file does not take along, and why.
LEFT_BEHIND: dict[str, str] = {
    "League": "its few fields are in the manifest",
    "Undoable": "taking back needs rows as they were in their house",
    "Waiting": "who is free to play at this moment",
    "Presence": "who is at a live table at this moment",
    "PickUp": "belongs to matches, which stay in their house",
    "HouseBot": "every house has its own; results name them by level and version",
    "RatedResult": "written by its own module, with people in its lists",
    "RatingPool": "of the whole house",
    "Refold": "follows from the results",
    "RatingChange": "follows from the results",
    "Rating": "follows from the results",
    "RatingOffset": "follows from the results",
    "Odds": "computed anew after each result",
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


def written(part: Part, row: Model, number: Number) -> dict[str, Any]:
    """A row as the file has it; `number` gives what a row of a model is called in the file."""
    told: dict[str, Any] = {}
    for column in part.fields:
        value = getattr(row, column.attname)
        if isinstance(column, ForeignKey):
            told[column.name] = None if value is None else number(column.related_model, value)
        elif column.name in part.reasons:
            told[column.name] = about(value, lambda who: _entrant(number, who))
        else:
            told[column.name] = packed(column, row)
    return told


def _entrant(number: Number, who: int) -> int:
    """Somebody whose entry was taken back is nobody, and still in old sentences."""
    try:
        return number(models.Entrant, who)
    except KeyError:
        return 0


def about(value: Any, number: Callable[[int], int]) -> Any:
    """A reason, lines of standings with one each, or chances by entrant, with other numbers for the entrants."""
    if isinstance(value, list):
        return [{**line, "entrant": number(line["entrant"]), "reason": about(line["reason"], number)} for line in value]
    if value is None:
        return None
    if "code" not in value:
        return {str(number(int(who))): float(chance) for who, chance in value.items()}
    params = {
        key: number(what) if key in ENTRANTS and type(what) is int else what for key, what in value["params"].items()
    }
    return {"code": value["code"], "params": params}


class Unfit(ValueError):
    """A row of the file cannot be one of ours; the message says what of it."""


def read(part: Part, told: Mapping[str, Any], own: Number) -> Model:
    """The row of the file as a row of this site, not yet saved. What an older file does not know has its default."""
    fields = {field.name: field for field in part.fields}
    if unknown := set(told) - set(fields):
        raise Unfit(sorted(unknown)[0])
    row = part.model(**part.older)
    for name, value in told.items():
        try:
            setattr(row, fields[name].attname, _value(part, fields[name], value, own))
        except (ValidationError, KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise Unfit(name) from error
    return row


def _value(part: Part, field: "Field[Any, Any]", value: Any, own: Number) -> Any:
    if isinstance(field, ForeignKey):
        if value is None and field.null:
            return None
        return own(field.related_model, value)
    if field.name in part.reasons:
        return about(value, lambda who: _entrant(own, who))
    if isinstance(field, JSONField):
        return value
    if isinstance(value, (list, dict)):
        raise Unfit(field.name)
    clean = field.to_python(value)
    field.validate(clean, None)
    field.run_validators(clean)
    return clean


def is_person(model: type[Model]) -> bool:
    return model is User
