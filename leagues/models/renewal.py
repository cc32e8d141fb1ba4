"""Between two seasons: the sign-off of the final standings, who plays again, and free places."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from leagues.models.competition import Division, Season
from leagues.models.entrant import Entrant

User = settings.AUTH_USER_MODEL


class SignOff(models.Model):
    """An organiser's confirmation that the final standings are right. Taking it back deletes the row; the log has both.

    `seal` is the fingerprint of what was signed: it does not cover a later change of the order.
    """

    season = models.OneToOneField(Season, models.CASCADE, related_name="sign_off")
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    seal = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"season {self.season_id} signed off by {self.by_id}"


class ReturnCall(models.Model):
    """The question to the players of the last season whether they play this one."""

    season = models.OneToOneField(Season, models.CASCADE, related_name="return_call")
    before = models.ForeignKey(Season, models.CASCADE, related_name="+")
    deadline = models.DateTimeField()
    # Whether those without an answer are entered when the season starts, or left out.
    keep_silent = models.BooleanField(default=False)
    reminded_at = models.DateTimeField(null=True, blank=True)
    lapsed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(season=F("before")), name="return_call_from_another_season")]

    def __str__(self) -> str:
        return f"who plays season {self.season_id} again"

    def get_absolute_url(self) -> str:
        return f"{self.season.get_absolute_url()}entries/#returning"


class ReturnQuestion(models.Model):
    """One former entrant's answer. `origin` is the division after promotion or relegation, `division` where they play.

    The two differ for those who have taken a free place further up.
    """

    class Answer(models.TextChoices):
        NONE = "none", pgettext_lazy("returning", "No answer yet")
        YES = "yes", pgettext_lazy("returning", "Plays again")
        LATER = "later", pgettext_lazy("returning", "Will say later")
        NO = "no", pgettext_lazy("returning", "Not this time")

    call = models.ForeignKey(ReturnCall, models.CASCADE, related_name="questions")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="+")
    origin = models.ForeignKey(Division, models.CASCADE, related_name="+")
    division = models.ForeignKey(Division, models.CASCADE, related_name="returning")
    answer = models.CharField(max_length=5, choices=Answer, default=Answer.NONE)
    by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = [
            "call",
            "division__level",
            "division__number",
            "entrant__movement__old",
            "entrant__movement__place",
            "pk",
        ]
        constraints = [
            models.UniqueConstraint(fields=["call", "entrant"], name="return_question_once"),
            models.CheckConstraint(condition=Q(answer__in=["none", "yes", "later", "no"]), name="return_answer_known"),
            models.CheckConstraint(
                condition=Q(answer="none", answered_at=None) | (~Q(answer="none") & Q(answered_at__isnull=False)),
                name="return_answer_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.answer}"


class PlaceOffer(models.Model):
    """A free place further up, offered to the next in order."""

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("offer", "Open")
        TAKEN = "taken", pgettext_lazy("offer", "Taken")
        DECLINED = "declined", pgettext_lazy("offer", "Declined")
        LAPSED = "lapsed", pgettext_lazy("offer", "Lapsed")

    question = models.ForeignKey(ReturnQuestion, models.CASCADE, related_name="offers")
    division = models.ForeignKey(Division, models.CASCADE, related_name="offers")
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    made_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["question", "division"], name="place_offered_once"),
            models.UniqueConstraint(fields=["question"], condition=Q(state="open"), name="place_offer_one_open"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "taken", "declined", "lapsed"]), name="place_offer_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.division_id} to {self.question_id}: {self.state}"
