"""All that the site stores about one person, as a file for that person."""

from base64 import b64encode
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db.models import Q
from django.utils import timezone

from accounts import audit
from accounts.models import (
    ApiToken,
    AuditEntry,
    Block,
    Digest,
    DirectMessage,
    Follow,
    JoinRequest,
    LoginAddress,
    Membership,
    MessageReport,
    Notice,
    NoticeChoice,
    Portrait,
    PushDevice,
    SignInLink,
    User,
)
from accounts.notifications import registry
from games.models import (
    Analysis,
    BotChallenge,
    CardFile,
    ChatLine,
    Hint,
    Match,
    Mute,
    OwnBot,
    PairingWish,
    PersonChallenge,
    PuzzleLine,
    PuzzleTry,
    Report,
    Seat,
)
from leagues.models import (
    Announcement,
    Availability,
    Entrant,
    EntryConsent,
    EntryRequest,
    Extension,
    Feed,
    GuestJoin,
    GuestWitness,
    Habit,
    Objection,
    Presence,
    Rating,
    RatingChange,
    Result,
    ResultAnswer,
    ReturnQuestion,
    TimeAnswer,
    TimeProposal,
    Upload,
)

Row = dict[str, Any]


def own_data(person: User) -> Row:
    """Plain values, without secrets and without what others wrote."""
    return {
        "made_at": _iso(timezone.now()),
        "account": {
            "handle": person.handle,
            "display_name": person.display_name,
            "email": person.email,
            "language": person.language,
            "time_zone": person.time_zone,
            "theme": person.theme,
            "notices_by_mail": person.notices_by_mail,
            "challenges_from": person.challenges_from,
            "messages_from": person.messages_from,
            "joined_at": _iso(person.joined_at),
        },
        "portrait": [
            {"at": _iso(row.at), "webp_base64": b64encode(bytes(row.content)).decode()}
            for row in Portrait.objects.filter(user=person)
        ],
        "email_addresses": _rows(EmailAddress.objects.filter(user=person), "email", "verified", "primary"),
        "sessions": _rows(UserSession.objects.filter(user=person), "ip", "user_agent", "created_at"),
        "api_tokens": _rows(
            ApiToken.objects.filter(user=person), "name", "scopes", "made_at", "expires_at", "revoked_at"
        ),
        "sign_in_links": _rows(
            SignInLink.objects.filter(user=person), "club__name", "made_at", "expires_at", "used_at"
        ),
        "second_steps": _rows(Authenticator.objects.filter(user=person), "type", "created_at", "last_used_at"),
        "accounts_elsewhere": _rows(SocialAccount.objects.filter(user=person), "provider", "uid", "date_joined"),
        "clubs": _rows(Membership.objects.filter(user=person), "club__name", "role", "joined_at"),
        "requests_to_join": _rows(
            JoinRequest.objects.filter(user=person), "club__name", "message", "status", "asked_at", "decided_at"
        ),
        "notices": [
            {"at": _iso(notice.created_at), "kind": notice.kind, "words": registry.render(notice)}
            for notice in Notice.objects.filter(user=person).select_related("actor", "club")
        ],
        "choices_of_notices": _rows(NoticeChoice.objects.filter(user=person), "kind", "bell", "mail", "push"),
        "digest": _rows(Digest.objects.filter(user=person), "every", "weekday", "hour"),
        "alerts_on_devices": _rows(PushDevice.objects.filter(user=person), "name", "made_at", "used_at"),
        "own_bots": _rows(OwnBot.objects.filter(owner=person), "user__handle", "user__display_name", "about", "games"),
        "invitations_of_bots": _rows(
            BotChallenge.objects.filter(by=person), "bot__user__handle", "match__key", "status", "at", "answered_at"
        ),
        "card_files": _rows(
            CardFile.objects.filter(uploaded_by=person), "club__name", "game", "number", "title", "uploaded_at"
        ),
        "matches": _rows(
            Seat.objects.filter(user=person).order_by("pk"),
            *("match__key", "match__game", "match__status", "match__started_at", "match__finished_at"),
            *("index", "word", "rank", "score", "won"),
        ),
        "tables_opened": _rows(Match.objects.filter(host=person).order_by("pk"), "key", "game", "status"),
        "hints": _rows(Hint.objects.filter(person=person).order_by("pk"), "match__key", "ply", "move", "asked_at"),
        "analyses_asked_for": _rows(Analysis.objects.filter(asked_by=person), "match__key", "state", "asked_at"),
        "talk": _rows(
            ChatLine.objects.filter(user=person).order_by("pk"), "match__key", "room", "text", "remark", "at"
        ),
        "talk_reports": _rows(Report.objects.filter(reporter=person), "line__match__key", "reason", "at"),
        "mutes": _rows(Mute.objects.filter(user=person), "muted__handle"),
        "follows": _rows(Follow.objects.filter(user=person), "followed__handle", "at"),
        "blocks": _rows(Block.objects.filter(user=person), "blocked__handle", "at"),
        "messages": _rows(DirectMessage.objects.filter(user=person), "to__handle", "text", "at", "read_at"),
        "message_reports": _rows(
            MessageReport.objects.filter(reporter=person), "message__user__handle", "reason", "at"
        ),
        "challenges": _rows(
            PersonChallenge.objects.filter(Q(by=person) | Q(to=person)).order_by("pk"),
            *("by__handle", "to__handle", "game", "players", "clock", "rated", "others", "status", "match__key", "at"),
        ),
        "quick_pairing": _rows(
            PairingWish.objects.filter(user=person), "games", "players", "clock", "rated", "level", "at"
        ),
        "puzzles": _rows(
            PuzzleTry.objects.filter(person=person).order_by("at", "pk"),
            *("puzzle_id", "move", "solved", "rated", "rating_before", "rating_after", "at"),
        ),
        "puzzles_begun": _rows(PuzzleLine.objects.filter(person=person).order_by("pk"), "puzzle_id", "moves"),
        "entries": _rows(
            Entrant.objects.filter(Q(user=person) | Q(members__user=person)).distinct().order_by("pk"),
            *("season__league__name", "season__name", "division__name", "team", "status"),
        ),
        "requests_to_enter": [_request_to_enter(each) for each in _requests_to_enter(person)],
        "playing_again": _rows(
            ReturnQuestion.objects.filter(by=person), "call__season__league__name", "answer", "answered_at"
        ),
        "guests_who_are_this_person": _rows(
            GuestJoin.objects.filter(Q(person=person) | Q(guest=person)),
            *("club__name", "guest__display_name", "state", "proposed_at", "answered_at"),
        ),
        "said_of_guests": _rows(GuestWitness.objects.filter(person=person), "join__club__name", "agrees", "at"),
        "present_at": _rows(Presence.objects.filter(user=person), "pairing__key", "at"),
        "results_sent": _rows(
            Result.objects.filter(by=person), "pairing__key", "kind", "source", "places", "grade", "note", "at"
        ),
        "answers_to_results": _rows(
            ResultAnswer.objects.filter(by=person), "result__pairing__key", "agrees", "note", "at"
        ),
        "times_suggested": _rows(
            TimeProposal.objects.filter(by=person), "pairing__key", "times__starts_at", "status", "made_at"
        ),
        "times_agreed_to": _rows(
            TimeAnswer.objects.filter(user=person), "time__proposal__pairing__key", "time__starts_at", "at"
        ),
        "asked_for_more_time": _rows(
            Extension.objects.filter(asked_by=person), "pairing__key", "reason", "status", "made_at", "until"
        ),
        "files_sent": _rows(Upload.objects.filter(by=person), "club__name", "kind", "name", "status", "made_at"),
        "calendar": _rows(Feed.objects.filter(user=person), "renewed_at"),
        "club_nights": _rows(Availability.objects.filter(user=person), "night__key", "night__day", "answer", "slots"),
        "usual_days": _rows(Habit.objects.filter(user=person), "club__name", "weekday", "answer"),
        "asked_to_play": _rows(
            EntryConsent.objects.filter(user=person), "season__league__name", "state", "asked_at", "answered_at"
        ),
        "objections": _rows(Objection.objects.filter(person=person), "pairing__key", "note", "at", "decided_at"),
        "announcements": _rows(
            Announcement.objects.filter(by=person), "club__name", "season__name", "title", "text", "at"
        ),
        "login_addresses": _rows(LoginAddress.objects.filter(user=person), "fingerprint", "last_at"),
        "ratings": _rows(Rating.objects.filter(user=person), "pool__game", "rating", "games"),
        "rating_changes": _rows(
            RatingChange.objects.standing().filter(user=person).order_by("at", "pk"),
            *("pool__game", "at", "before", "after", "rank", "won"),
        ),
        "log": [
            {"at": _iso(line.at), "words": line.words}
            for line in audit.render_entries(
                AuditEntry.objects.filter(Q(actor=person) | Q(person=person)).select_related("actor", "person")
            )
        ],
    }


def _requests_to_enter(person: User) -> list[EntryRequest]:
    return list(EntryRequest.objects.filter(user=person).select_related("season__league").order_by("pk"))


def _request_to_enter(request: EntryRequest) -> Row:
    season = request.season
    return {
        "season_league_name": season.league.name,
        "season_name": season.name,
        "state": request.state,
        "asked_at": _iso(request.asked_at),
        "decided_at": _iso(request.decided_at),
        "answers": {
            each["text"]: request.answers[str(each["id"])]
            for each in season.entry_questions
            if str(each["id"]) in request.answers
        },
    }


def _rows(rows: Any, *fields: str) -> list[Row]:
    return [{name.replace("__", "_"): _iso(value) for name, value in row.items()} for row in rows.values(*fields)]


def _iso(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) or hasattr(value, "isoformat") else value
