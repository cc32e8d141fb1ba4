"""A file from the moment it is handed in to the moment it is part of a league: kept, shown, confirmed, brought in."""

import hashlib
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

import structlog
from celery import current_app
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.closing import PutDown
from accounts.effects import after_commit
from accounts.errors import Refused
from accounts.models import Club, User
from leagues import locks
from leagues.access import Permission, require
from leagues.exchange import past, players, reading, sheets, values
from leagues.exchange.archive import opening, unpack
from leagues.models import Division, Season, Upload

BRING_IN = "leagues.tasks.bring_in"
# So much is brought in while the organiser waits; more goes to a worker.
AT_ONCE, ROWS_AT_ONCE = 60, 1500
# A worker that took longer than this is taken for dead, and the import can be started again: it was one transaction.
LOST_AFTER = timedelta(minutes=30)
# A task that was lost is sent again; an import that has ended so many workers is not for another one.
UNSENT, MOST_ATTEMPTS = timedelta(minutes=1), 3

log = structlog.get_logger("gauntlet.exchange")

Plan = players.Plan | values.Plan


@transaction.atomic
def keep(
    *, actor: User, season: Season, kind: str, content: bytes, name: str = "", division: Division | None = None
) -> Upload:
    """Keep a spreadsheet for its preview; one that cannot be read at all is refused at once."""
    require(actor, Permission.ORGANISE, season)
    tidy_up()
    if len(content) > reading.LARGEST:
        raise Refused(gettext("The file is larger than 1 MB: split it."))
    # Decoded once, so that whoever reads it later reads the same letters.
    text = reading.decoded(content).encode()
    upload = Upload(
        kind=kind,
        club=season.league.club,
        season=season,
        division=division,
        by=actor,
        name=reading.shown(name),
        content=text,
        digest=hashlib.sha256(text).hexdigest(),
    )
    plan_of(upload)
    upload.save()
    return upload


@transaction.atomic
def keep_archive(*, actor: User, club: Club, content: bytes, name: str = "") -> Upload:
    """Keep a whole league for its preview; a file that is none is refused at once."""
    require(actor, Permission.ORGANISE, club)
    tidy_up()
    archive = opening.opened(content)
    return Upload.objects.create(
        kind=Upload.Kind.ARCHIVE,
        club=club,
        by=actor,
        name=reading.shown(name),
        content=content,
        digest=archive.manifest["digest"],
    )


def tidy_up() -> None:
    """Files that nobody came back for are forgotten, whoever handed them in."""
    open_ones = [Upload.Status.WAITING, Upload.Status.FAILED]
    Upload.objects.filter(status__in=open_ones, expires_at__lt=timezone.now()).delete()


def plan_of(upload: Upload) -> Plan:
    """What the file would do to the league as it is now."""
    assert upload.season is not None
    if upload.kind == Upload.Kind.PLAYERS:
        if upload.division is None:
            raise Refused(gettext("Say which division this is."))
        upload.division.season = upload.season
        return players.plan(division=upload.division, content=bytes(upload.content))
    return sheets.plan(season=upload.season, division=upload.division, content=bytes(upload.content))


@transaction.atomic
def confirm(*, actor: User, upload: Upload, seen: str, good: bool = False) -> Upload:
    """Import what the preview showed. `seen` is its seal; `good` leaves broken rows out."""
    upload = begin(actor, upload, {"seen": seen, "good": good})
    plan = _checked(upload)
    heavy = len(plan.entries) if isinstance(plan, players.Plan) else len(plan.guests) + len(plan.others)
    if heavy > AT_ONCE:
        after_commit(_send, upload.pk)
        return upload
    return _bring_in(upload, plan)


@transaction.atomic
def confirm_archive(*, actor: User, upload: Upload, same: Collection[int]) -> Upload:
    """Bring the league in; `same` are those people of the file who are somebody here. The same file again is the
    same league.
    """
    upload = begin(actor, upload, {"same": sorted(same)})
    Club.objects.select_for_update(of=("self",), no_key=True).get(pk=upload.club_id)
    before = Upload.objects.filter(
        club=upload.club, digest=upload.digest, status=Upload.Status.DONE, league__isnull=False
    ).first()
    if before is not None:
        upload.league = before.league
        return done(upload, before.outcome)
    if opening.opened(bytes(upload.content)).rows > ROWS_AT_ONCE:
        after_commit(_send, upload.pk)
        return upload
    return _unpack(upload)


def _unpack(upload: Upload) -> Upload:
    archive = opening.opened(bytes(upload.content))
    upload.league = unpack.bring_in(actor=upload.by, club=upload.club, archive=archive, same=upload.choices["same"])
    return done(upload, {"rows": archive.rows})


def begin(actor: User, upload: Upload, choices: Mapping[str, Any]) -> Upload:
    """Inside the caller's transaction: hold the file, and mark it as being imported by this person's choices."""
    upload = held(upload.pk)
    require(actor, Permission.ORGANISE, upload.season or upload.club)
    lost = (
        upload.status == Upload.Status.WORKING and upload.started_at and upload.started_at < timezone.now() - LOST_AFTER
    )
    if upload.status == Upload.Status.DONE:
        raise Refused(gettext("This file was imported already."))
    if not (upload.is_open or lost):
        raise Refused(gettext("This file is being imported, or has expired: hand it in again."))
    upload.status, upload.started_at, upload.by = Upload.Status.WORKING, timezone.now(), actor
    upload.choices, upload.outcome = dict(choices), {}
    upload.save(update_fields=["status", "started_at", "by", "choices", "outcome"])
    return upload


def held(pk: int) -> Upload:
    locked = Upload.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("club", "season__league__club", "division", "by").get(pk=pk)


def _checked(upload: Upload) -> Plan:
    """The plan anew, under the season's lock: what was confirmed must be what would be done."""
    assert upload.season is not None
    upload.season = locks.season(upload.season)
    plan = plan_of(upload)
    if plan.seal != upload.choices["seen"]:
        raise Refused(gettext("Something has changed since the preview: look at it again before you confirm."))
    if plan.problems and not upload.choices["good"]:
        raise Refused(gettext("Some lines are broken: nothing was imported."))
    if plan.is_empty:
        raise Refused(gettext("There is nothing in it that can be imported."))
    return plan


def _bring_in(upload: Upload, plan: Plan) -> Upload:
    assert upload.season is not None
    if isinstance(plan, players.Plan):
        assert upload.division is not None
        upload.division.season = upload.season
        made = players.bring_in(actor=upload.by, division=upload.division, plan=plan)
        outcome = {"players": len(made)}
    else:
        rounds = past.bring_in(actor=upload.by, season=upload.season, plan=plan)
        outcome = {"rounds": len(rounds), "tables": len(plan.tables)}
    return done(upload, outcome)


def done(upload: Upload, outcome: Mapping[str, Any]) -> Upload:
    upload.status, upload.outcome, upload.content = Upload.Status.DONE, dict(outcome), b""
    upload.save(update_fields=["status", "outcome", "content", "league"])
    return upload


def run(*, upload_id: int) -> None:
    """What the worker does: all in one transaction, so whatever kills it leaves the league as it was. May run twice."""
    if not Upload.objects.filter(pk=upload_id, status=Upload.Status.WORKING).exists():
        return
    try:
        with transaction.atomic():
            upload = held(upload_id)
            if upload.status == Upload.Status.WORKING:
                archived = upload.kind == Upload.Kind.ARCHIVE
                _unpack(upload) if archived else _bring_in(upload, _checked(upload))
    except PutDown:
        raise
    except Refused as refused:
        failed(upload_id, refused.message)
    except Exception:
        failed(upload_id, gettext("Something went wrong on our side; nothing was imported."))
        log.exception("an import failed", upload=upload_id)
        raise


def sweep() -> None:
    """Imports whose task was lost are sent again. One under way is passed over: its worker holds the row."""
    lost = Upload.objects.filter(status=Upload.Status.WORKING, started_at__lt=timezone.now() - UNSENT)
    for pk in lost.values_list("pk", flat=True):
        with transaction.atomic():
            found = lost.select_for_update(of=("self",), no_key=True, skip_locked=True).filter(pk=pk).first()
            if found is None:
                continue
            attempts = found.outcome.get("sent_again", 0) + 1
            if attempts > MOST_ATTEMPTS:
                failed(pk, gettext("Something went wrong on our side; nothing was imported."))
                continue
            lost.filter(pk=pk).update(started_at=timezone.now(), outcome={"sent_again": attempts})
            after_commit(_send, pk)


def failed(upload_id: int, why: str) -> None:
    Upload.objects.filter(pk=upload_id, status=Upload.Status.WORKING).update(
        status=Upload.Status.FAILED, outcome={"failed": why}
    )


def _send(upload_id: int) -> None:
    current_app.send_task(BRING_IN, [upload_id], queue="league", ignore_result=True, retry=False)
