"""Finds parts of a competition; 404 for what the user may not see."""

from typing import Any, TypeVar

from django.db import models
from django.http import Http404

from accounts.access import Actor
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import Division, Entrant, League, Pairing, Round, Season, Stage

M = TypeVar("M", bound=models.Model)

UP_TO_THE_CLUB: dict[type[models.Model], str] = {
    League: "club",
    Season: "league__club",
    Division: "season__league__club",
    Stage: "division__season__league__club",
    Round: "stage__division__season__league__club",
    Entrant: "season__league__club",
    Pairing: "round__stage__division__season__league__club",
}


def get_visible_or_404(person: Actor, model: type[M], **where: Any) -> M:
    """One row with its season, league and club; 404 unless this person may see it."""
    rows: models.QuerySet[M] = model._default_manager.select_related(UP_TO_THE_CLUB[model])
    if model is Pairing:
        rows = rows.select_related("match", "placement__slot__night__club").prefetch_related(
            "seats__entrant__user", "seats__entrant__members__user", "results__by", "games__match"
        )
    if model is Entrant:
        rows = rows.select_related("user", "division").prefetch_related("members__user")
    row = rows.filter(**where).first()
    if row is None or not access.may(person, Permission.SEE, row):
        raise Http404
    return row


def runs(person: Actor, row: models.Model) -> bool:
    return access.may(person, Permission.ORGANISE, row)
