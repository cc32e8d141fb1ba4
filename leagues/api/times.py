"""Saying when one can play: nights, usual days, suggested times, more time; and playing again next season."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts.models import Scope, User
from accounts.rest import Api, Data, PersonRequest, operation
from accounts.rest.fields import Flag, PersonShape, Terms, Text, Whole
from leagues import access, close, returning
from leagues.access import Permission
from leagues.api.calendar import NightShape, club_or_404, night_or_404
from leagues.api.common import found
from leagues.api.round_shapes import WholePairingShape
from leagues.api.shapes import EntrantRef, Id, SeasonShape
from leagues.models import Extension, Pairing, ProposedTime, Season, TimeProposal
from leagues.models.calendar import Answer, Habit
from leagues.models.closing import PlaceOffer, ReturnQuestion
from leagues.models.window import MOST_TIMES
from leagues.scheduling import availability, extensions, proposals


class ComeTerms(Terms):
    answer = serializers.ChoiceField(Answer.choices)
    slots = serializers.ListField(
        child=Whole(min_value=1, max_value=12), default=list, max_length=12, help_text="None: all of the night."
    )
    person = Text(max_length=30, required=False, help_text="For somebody else; for organisers.")


class HabitShape(serializers.Serializer):
    weekday = serializers.IntegerField(help_text="Monday is 0.")
    answer = serializers.ChoiceField(Answer.choices)


class HabitsShape(serializers.Serializer):
    habits = HabitShape(many=True)


class HabitTerms(Terms):
    weekday = Whole(min_value=0, max_value=6)
    answer = serializers.ChoiceField(Answer.choices)


class HabitsTerms(Terms):
    habits = HabitTerms(many=True, max_length=7)  # type: ignore[call-arg]


class ProposedShape(serializers.Serializer):
    id = serializers.IntegerField()
    starts_at = serializers.DateTimeField()


class ProposalShape(serializers.Serializer):
    id = serializers.IntegerField()
    by = PersonShape()
    status = serializers.ChoiceField(TimeProposal.Status.choices)
    times = ProposedShape(many=True, source="times.all")
    answer_by = serializers.DateTimeField(allow_null=True)
    agreed = serializers.DateTimeField(allow_null=True)


class ProposalsShape(serializers.Serializer):
    proposals = ProposalShape(many=True)


class TimesTerms(Terms):
    times = serializers.ListField(child=serializers.DateTimeField(), min_length=1, max_length=MOST_TIMES)


class SayTimeTerms(Terms):
    """`yes` names the time; `no` may suggest others; `back` takes one’s own suggestion back."""

    say = serializers.ChoiceField(["yes", "no", "back"])
    time = Id(required=False)
    times = serializers.ListField(child=serializers.DateTimeField(), default=list, max_length=MOST_TIMES)

    class Meta:
        ref_name = "TimeAnswer"


class MoreTimeTerms(Terms):
    reason = Text(max_length=300)


class UntilTerms(Terms):
    until = serializers.DateTimeField()


class ExtensionShape(serializers.Serializer):
    """More time for a table: asked for, given or refused."""

    id = serializers.IntegerField()
    pairing = serializers.CharField(source="pairing.key")
    status = serializers.ChoiceField(Extension.Status.choices)
    cause = serializers.ChoiceField(Extension.Cause.choices)
    asked_by = PersonShape(allow_null=True, help_text="Null: the house asks.")
    reason = serializers.CharField()
    until = serializers.DateTimeField(allow_null=True)
    made_at = serializers.DateTimeField()


class ExtensionsShape(serializers.Serializer):
    requests = ExtensionShape(many=True)


class ReturnTerms(Terms):
    answer = serializers.ChoiceField([choice for choice in ReturnQuestion.Answer.values if choice != "none"])


class QuestionShape(serializers.Serializer):
    """Whether an entrant of the last season plays again, and where."""

    id = serializers.IntegerField()
    entrant = EntrantRef()
    division = serializers.IntegerField(source="division_id")
    answer = serializers.ChoiceField(ReturnQuestion.Answer.choices)


class OfferShape(serializers.Serializer):
    """A place further up that became free."""

    id = serializers.IntegerField()
    entrant = EntrantRef(source="question.entrant")
    division = serializers.IntegerField(source="division_id")
    made_at = serializers.DateTimeField()


class AskedAgainShape(serializers.Serializer):
    """What I am asked before a season; organisers see what everybody is."""

    deadline = serializers.DateTimeField()
    keep_silent = serializers.BooleanField(help_text="Whether who says nothing is kept in.")
    questions = QuestionShape(many=True)
    offers = OfferShape(many=True, help_text="Still open.")


class TakeTerms(Terms):
    takes = Flag()


class WhyTerms(Terms):
    why = Text(max_length=300)


class Come(Api):
    tag = "calendar"

    @operation("answer_night", takes=ComeTerms, gives=NightShape, scope=Scope.PLAY)
    def put(self, request: PersonRequest, key: str, data: Data) -> Any:
        """Say whether one comes to a night, or to which of its slots."""
        night = night_or_404(request, key)
        person = get_object_or_404(User, handle__iexact=data["person"]) if "person" in data else None
        availability.answer(actor=request.user, night=night, answer=data["answer"], slots=data["slots"], person=person)
        return night_or_404(request, key)

    @operation("take_night_answer_back", gives=NightShape, scope=Scope.PLAY)
    def delete(self, request: PersonRequest, key: str) -> Any:
        """Leave it to one’s usual days."""
        availability.take_back(actor=request.user, night=night_or_404(request, key))
        return night_or_404(request, key)


class Habits(Api):
    tag = "calendar"

    @operation("read_habits", gives=HabitsShape, private=True)
    def get(self, request: PersonRequest, slug: str) -> Data:
        """One’s usual days at a club."""
        return {"habits": Habit.objects.filter(club=club_or_404(request, slug), user=request.user)}

    @operation("set_habits", takes=HabitsTerms, gives=HabitsShape, scope=Scope.PLAY)
    def put(self, request: PersonRequest, slug: str, data: Data) -> Data:
        """Say on which weekdays one usually can or cannot come."""
        club = club_or_404(request, slug)
        habits = {row["weekday"]: row["answer"] for row in data["habits"]}
        return {"habits": availability.set_habits(actor=request.user, club=club, habits=habits)}


class Times(Api):
    tag = "pairings"

    @operation("list_suggested_times", gives=ProposalsShape, private=True)
    def get(self, request: PersonRequest, key: str) -> Data:
        """Times that were suggested for a table, the first first."""
        pairing = found(request.user, Pairing, key=key)
        if not access.allowed(request.user, pairing) & {Permission.SIT, Permission.ORGANISE}:
            raise access.NotAllowed(Permission.SIT)  # type: ignore[arg-type]
        rows = TimeProposal.objects.filter(pairing=pairing).select_related("by").prefetch_related("times")
        return {"proposals": rows}

    @operation("suggest_times", takes=TimesTerms, gives=ProposalShape, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, key: str, data: Data) -> TimeProposal:
        """Suggest up to three times to the others at the table."""
        pairing = found(request.user, Pairing, key=key)
        return proposals.propose(person=request.user, pairing=pairing, times=data["times"])


class AnswerTimes(Api):
    tag = "pairings"

    @operation("answer_times", takes=SayTimeTerms, gives=WholePairingShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, pk: int, data: Data) -> Pairing:
        """Answer suggested times."""
        pairing = found(request.user, Pairing, key=key)
        proposal = get_object_or_404(TimeProposal, pairing=pairing, pk=pk)
        match data["say"]:
            case "yes":
                time = ProposedTime.objects.filter(proposal=proposal, pk=data.get("time", 0)).first()
                if time is None:
                    raise Http404
                proposals.accept(person=request.user, time=time)
            case "no":
                proposals.decline(person=request.user, proposal=proposal, times=data["times"])
            case _:
                proposals.withdraw(person=request.user, proposal=proposal)
        return found(request.user, Pairing, key=key)


class MoreTime(Api):
    tag = "pairings"

    @operation("ask_for_more_time", takes=MoreTimeTerms, gives=ExtensionShape, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, key: str, data: Data) -> Extension:
        """Ask the organisers for more time to play a table."""
        pairing = found(request.user, Pairing, key=key)
        return extensions.ask(person=request.user, pairing=pairing, reason=data["reason"])

    @operation("give_more_time", takes=UntilTerms, gives=ExtensionShape, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, key: str, data: Data) -> Extension:
        """Give a table time until then."""
        pairing = found(request.user, Pairing, key=key)
        return extensions.grant(actor=request.user, pairing=pairing, until=data["until"])


class RefuseTime(Api):
    tag = "pairings"

    @operation("refuse_more_time", gives=ExtensionShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, key: str, pk: int) -> Extension:
        """Give a table no more time."""
        pairing = found(request.user, Pairing, key=key)
        extension = get_object_or_404(Extension, pairing=pairing, pk=pk)
        return extensions.refuse(actor=request.user, extension=extension)


class WaitingForTime(Api):
    tag = "pairings"

    @operation("list_more_time", gives=ExtensionsShape, private=True)
    def get(self, request: PersonRequest, pk: int) -> Data:
        """Tables of a season for which more time is asked, and not answered yet; for organisers."""
        season = found(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        return {"requests": extensions.waiting(season)}


class SignOff(Api):
    tag = "seasons"

    @operation("sign_off", scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> None:
        """Say that the results of a season are right, before it is closed."""
        close.sign_off(actor=request.user, season=found(request.user, Season, pk=pk))

    @operation("take_sign_off_back", takes=WhyTerms, gives=SeasonShape, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, pk: int, data: Data) -> Season:
        """Take the sign-off back, so that results can be corrected again."""
        season = found(request.user, Season, pk=pk)
        close.take_sign_off_back(actor=request.user, season=season, why=data["why"])
        return found(request.user, Season, pk=pk)


class Returning(Api):
    tag = "entrants"

    @operation("list_returning", gives=AskedAgainShape, private=True)
    def get(self, request: PersonRequest, pk: int) -> Data:
        """Who was asked to play again, and the places that are on offer: mine, or for organisers everybody’s."""
        season = found(request.user, Season, pk=pk)
        runs = access.may(request.user, Permission.ORGANISE, season)
        asked = returning.asked(season, request.user, runs=runs)
        if asked is None:
            raise Http404
        return {
            "deadline": asked.call.deadline,
            "keep_silent": asked.call.keep_silent,
            "questions": asked.everybody if runs else asked.mine,
            "offers": asked.open_offers if runs else asked.offers,
        }


class PlayAgain(Api):
    tag = "entrants"

    @operation("answer_returning", takes=ReturnTerms, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int, question: int, data: Data) -> None:
        """Say whether one plays again next season."""
        season = found(request.user, Season, pk=pk)
        rows = ReturnQuestion.objects.select_related("call__season")
        asked = get_object_or_404(rows, call__season=season, pk=question)
        returning.answer(actor=request.user, question=asked, answer=data["answer"])


class TakePlace(Api):
    tag = "entrants"

    @operation("answer_place_offer", takes=TakeTerms, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int, offer: int, data: Data) -> None:
        """Take a free place further up, or leave it to the next."""
        season = found(request.user, Season, pk=pk)
        rows = PlaceOffer.objects.select_related("question__call__season")
        offered = get_object_or_404(rows, question__call__season=season, pk=offer)
        returning.answer_offer(actor=request.user, offer=offered, takes=data["takes"])
