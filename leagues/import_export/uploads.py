"""Uploaded files: stored, previewed, confirmed and imported."""

import hashlib
import time
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

import structlog
from celery import current_app
from django.db import transaction
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.translation import gettext

from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.infra.shutdown import ShutdownRequested
from accounts.models import Club, User
from leagues.core import locks
from leagues.core.access import Permission, require
from leagues.import_export import players_import, results_import, results_sheet, spreadsheet, values
from leagues.import_export.archive import importer, reader
from leagues.models import Division, Season, Upload

BRING_IN = "leagues.tasks.bring_in"
CHECK = "leagues.tasks.check_archive"
# Imports up to this size run in the request; larger ones go to a worker.
AT_ONCE, ROWS_AT_ONCE, BYTES_AT_ONCE = 60, 1500, 512 * 1024
# What waits of one club at a time; the oldest goes first.
CLUB_FILES, CLUB_BYTES = 12, 40 * 1024 * 1024
SAY_EVERY = 1.0
# A worker that takes longer is taken for dead. Its import was one transaction, so it can be started again.
LOST_AFTER = timedelta(minutes=30)
# A lost task is sent again, but not for ever: the import may be what ends the workers.
UNSENT, MOST_ATTEMPTS = timedelta(minutes=1), 3

log = structlog.get_logger("gauntlet.exchange")

Plan = players_import.Plan | values.Plan


@transaction.atomic
def store_spreadsheet(
    *, actor: User, season: Season, kind: str, content: bytes, name: str = "", division: Division | None = None
) -> Upload:
    """Store a spreadsheet for its preview; one that cannot be read is refused at once."""
    require(actor, Permission.ORGANISE, season)
    delete_expired()
    if len(content) > spreadsheet.LARGEST:
        raise Refused(gettext("The file is larger than 1 MB: split it."))
    # Decoded once, so that later readings see the same text.
    text = spreadsheet.decode(content).encode()
    upload = Upload(
        kind=kind,
        club=season.league.club,
        season=season,
        division=division,
        by=actor,
        name=spreadsheet.printable(name),
        content=text,
        digest=hashlib.sha256(text).hexdigest(),
    )
    plan_of(upload)
    make_room(season.league.club, len(text))
    upload.save()
    return upload


def store_archive(*, actor: User, club: Club, content: bytes, name: str = "") -> Upload:
    """Store a league archive for its preview; another file is refused at once.

    A small one is read at once, in a process of its own. A worker reads a large one; the preview says how far it is.
    """
    require(actor, Permission.ORGANISE, club)
    is_small = len(content) <= BYTES_AT_ONCE
    # Before the transaction, which keeps other writers waiting.
    archive = reader.open_archive(content, is_scanned=not is_small)
    with transaction.atomic():
        delete_expired()
        make_room(club, len(content))
        upload = Upload.objects.create(
            kind=Upload.Kind.ARCHIVE,
            club=club,
            by=actor,
            name=spreadsheet.printable(name),
            content=content,
            digest=archive.manifest["digest"],
            outcome={"checked": True} if is_small else {"checking": 0, "of": archive.rows},
        )
        if not is_small:
            after_commit(_send_check, upload.pk)
    return upload


def check_archive(*, upload_id: int) -> None:
    """Read a stored archive in a process of its own, and note what came of it. May run twice."""
    waiting = Upload.objects.filter(pk=upload_id, status=Upload.Status.WAITING, outcome__has_key="checking")
    upload = waiting.first()
    if upload is None:
        return
    total, said = upload.outcome["of"], time.monotonic()

    def note(read: int) -> None:
        # Written as it goes, outside any transaction, for the page that waits.
        nonlocal said
        if time.monotonic() - said > SAY_EVERY:
            said = time.monotonic()
            waiting.update(outcome={"checking": max(read, 1), "of": total})

    try:
        reader.open_archive(bytes(upload.content), progress=note)
    except Refused as refused:
        waiting.update(status=Upload.Status.FAILED, outcome={"failed": refused.message}, content=b"")
    else:
        waiting.update(outcome={"checked": True})


def make_room(club: Club, size: int) -> None:
    """Delete the club's oldest waiting files, so that those that wait are few and small together."""
    waiting = Upload.objects.filter(club=club).exclude(status__in=[Upload.Status.DONE, Upload.Status.WORKING])
    rows = waiting.annotate(size=Length("content")).order_by("-made_at", "-pk").values_list("pk", "size")
    kept = 1
    for pk, stored in rows:
        size, kept = size + stored, kept + 1
        if size > CLUB_BYTES or kept > CLUB_FILES:
            Upload.objects.filter(pk=pk).delete()


def delete_expired() -> None:
    """Delete expired files."""
    open_ones = [Upload.Status.WAITING, Upload.Status.FAILED]
    Upload.objects.filter(status__in=open_ones, expires_at__lt=timezone.now()).delete()


def plan_of(upload: Upload) -> Plan:
    """What the file would do to the league as it is now."""
    assert upload.season is not None
    if upload.kind == Upload.Kind.PLAYERS:
        if upload.division is None:
            raise Refused(gettext("Say which division this is."))
        upload.division.season = upload.season
        return players_import.plan(division=upload.division, content=bytes(upload.content))
    return results_sheet.plan(season=upload.season, division=upload.division, content=bytes(upload.content))


@transaction.atomic
def confirm(*, actor: User, upload: Upload, seen: str, good: bool = False) -> Upload:
    """Import what the preview showed. `seen` is its fingerprint; `good` leaves broken rows out."""
    upload = start_import(actor, upload, {"seen": seen, "good": good})
    plan = _confirmed_plan(upload)
    size = len(plan.entries) if isinstance(plan, players_import.Plan) else len(plan.guests) + len(plan.others)
    if size > AT_ONCE:
        after_commit(_send, upload.pk)
        return upload
    return _import(upload, plan)


@transaction.atomic
def confirm_archive(*, actor: User, upload: Upload, same: Collection[int]) -> Upload:
    """Import the league. `same` are the numbers of people who have an account here.

    Confirming the same file again gives the same league.
    """
    if not upload.outcome.get("checked"):
        raise Refused(gettext("This file is still being read: wait a moment."))
    upload = start_import(actor, upload, {"same": sorted(same)})
    Club.objects.select_for_update(of=("self",), no_key=True).get(pk=upload.club_id)
    before = Upload.objects.filter(
        club=upload.club, digest=upload.digest, status=Upload.Status.DONE, league__isnull=False
    ).first()
    if before is not None:
        upload.league = before.league
        return mark_done(upload, before.outcome)
    if reader.open_archive(bytes(upload.content), is_scanned=True).rows > ROWS_AT_ONCE:
        after_commit(_send, upload.pk)
        return upload
    return _import_archive(upload)


def _import_archive(upload: Upload) -> Upload:
    archive = reader.open_archive(bytes(upload.content), is_scanned=True)
    upload.league = importer.import_archive(
        actor=upload.by, club=upload.club, archive=archive, same=upload.choices["same"]
    )
    return mark_done(upload, {"rows": archive.rows})


def start_import(actor: User, upload: Upload, choices: Mapping[str, Any]) -> Upload:
    """Lock the file and mark it as being imported. Inside the caller's transaction."""
    upload = lock_upload(upload.pk)
    require(actor, Permission.ORGANISE, upload.season or upload.club)
    lost = (
        upload.status == Upload.Status.WORKING and upload.started_at and upload.started_at < timezone.now() - LOST_AFTER
    )
    if upload.status == Upload.Status.DONE:
        raise Refused(gettext("This file was imported already."))
    if not (upload.is_open or lost):
        raise Refused(gettext("This file is being imported, or has expired: upload it again."))
    upload.status, upload.started_at, upload.by = Upload.Status.WORKING, timezone.now(), actor
    upload.choices, upload.outcome = dict(choices), {"checked": True} if upload.outcome.get("checked") else {}
    upload.save(update_fields=["status", "started_at", "by", "choices", "outcome"])
    return upload


def lock_upload(pk: int) -> Upload:
    locked = Upload.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("club", "season__league__club", "division", "by").get(pk=pk)


def _confirmed_plan(upload: Upload) -> Plan:
    """Make the plan again under the season's lock, and check that it is the one that was confirmed."""
    assert upload.season is not None
    upload.season = locks.season(upload.season)
    plan = plan_of(upload)
    if plan.seal != upload.choices["seen"]:
        raise Refused(gettext("Something has changed since the preview: look at it again before you confirm."))
    if plan.problems and not upload.choices["good"]:
        raise Refused(gettext("Some lines are broken: nothing was imported."))
    if plan.is_empty:
        raise Refused(gettext("The file contains nothing that can be imported."))
    return plan


def _import(upload: Upload, plan: Plan) -> Upload:
    assert upload.season is not None
    if isinstance(plan, players_import.Plan):
        assert upload.division is not None
        upload.division.season = upload.season
        entrants = players_import.import_players(actor=upload.by, division=upload.division, plan=plan)
        outcome = {"players": len(entrants)}
    else:
        rounds = results_import.import_results(actor=upload.by, season=upload.season, plan=plan)
        outcome = {"rounds": len(rounds), "tables": len(plan.tables)}
    return mark_done(upload, outcome)


def mark_done(upload: Upload, outcome: Mapping[str, Any]) -> Upload:
    upload.status, upload.outcome, upload.content = Upload.Status.DONE, dict(outcome), b""
    upload.save(update_fields=["status", "outcome", "content", "league"])
    return upload


def run(*, upload_id: int) -> None:
    """Run an import in a worker, in one transaction, so that a crash leaves the league as it was. May run twice."""
    if not Upload.objects.filter(pk=upload_id, status=Upload.Status.WORKING).exists():
        return
    try:
        with transaction.atomic():
            upload = lock_upload(upload_id)
            if upload.status == Upload.Status.WORKING:
                archived = upload.kind == Upload.Kind.ARCHIVE
                _import_archive(upload) if archived else _import(upload, _confirmed_plan(upload))
    except ShutdownRequested:
        raise
    except Refused as refused:
        mark_failed(upload_id, refused.message)
    except Exception:
        mark_failed(upload_id, gettext("Something went wrong on our side; nothing was imported."))
        log.exception("an import failed", upload=upload_id)
        raise


def sweep() -> None:
    """Send imports again whose task was lost. Those under way are skipped: their worker has locked the row."""
    delete_expired()
    unread = Upload.objects.filter(status=Upload.Status.WAITING, outcome__checking=0)
    for pk in unread.filter(made_at__lt=timezone.now() - UNSENT).values_list("pk", flat=True):
        _send_check(pk)
    lost = Upload.objects.filter(status=Upload.Status.WORKING, started_at__lt=timezone.now() - UNSENT)
    for pk in lost.values_list("pk", flat=True):
        with transaction.atomic():
            upload = lost.select_for_update(of=("self",), no_key=True, skip_locked=True).filter(pk=pk).first()
            if upload is None:
                continue
            attempts = upload.outcome.get("sent_again", 0) + 1
            if attempts > MOST_ATTEMPTS:
                mark_failed(pk, gettext("Something went wrong on our side; nothing was imported."))
                continue
            again = {"sent_again": attempts, "checked": upload.outcome.get("checked", False)}
            lost.filter(pk=pk).update(started_at=timezone.now(), outcome=again)
            after_commit(_send, pk)


def mark_failed(upload_id: int, why: str) -> None:
    Upload.objects.filter(pk=upload_id, status=Upload.Status.WORKING).update(
        status=Upload.Status.FAILED, outcome={"failed": why, "checked": True}
    )


def _send_check(upload_id: int) -> None:
    current_app.send_task(CHECK, [upload_id], queue="league", ignore_result=True, retry=False)


def _send(upload_id: int) -> None:
    current_app.send_task(BRING_IN, [upload_id], queue="league", ignore_result=True, retry=False)
