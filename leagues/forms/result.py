"""The score sheet of one table: the fields depend on the game, the outcome is what `leagues.scoresheet` takes."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from leagues import scorecard
from leagues.models import Pairing, PairingSeat, Result
from leagues.scorecard import Scoring

STONES = 6


def _between(least: int, most: int) -> dict[str, Any]:
    """The limits of a number, and one sentence for all that is not such a number."""
    words = gettext("Give a whole number from %(least)s to %(most)s.") % {"least": least, "most": most}
    errors = dict.fromkeys(("invalid", "min_value", "max_value"), words)
    return {"min_value": least, "max_value": most, "error_messages": errors}


class ResultForm(forms.Form):
    """Ranks and scores by seat; or the side that won; or whether the team made it, and how far it came."""

    def __init__(self, *args: Any, pairing: Pairing, known: Result | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pairing = pairing
        self.scoring = scorecard.scoring(pairing)
        self.seats = scorecard.seats_of(pairing)
        match self.scoring:
            case Scoring.ORDER:
                self._ask_order(known)
            case Scoring.SIDES:
                self._ask_side(known)
            case Scoring.TOGETHER:
                self._ask_team(known)

    def _ask_order(self, known: Result | None) -> None:
        here = [seat for seat in self.seats if not seat.absent]
        for at, seat in enumerate(self.seats):
            if seat.absent:
                continue
            place = known.places[at] if known and at < len(known.places) else {}
            self.fields[f"rank-{seat.index}"] = forms.IntegerField(
                label=gettext("Place of %(name)s") % {"name": seat.entrant.name},
                **_between(1, len(here)),
                initial=place.get("rank"),
                required=False,
                widget=forms.NumberInput(
                    attrs={
                        "inputmode": "numeric",
                        "class": "input rank-input",
                        "data-rank": "",
                        "placeholder": gettext("Place"),
                    }
                ),
            )
            self.fields[f"score-{seat.index}"] = forms.IntegerField(
                label=gettext("Points of %(name)s") % {"name": seat.entrant.name},
                **_between(-999, 9999),
                initial=place.get("score"),
                required=False,
                widget=forms.NumberInput(
                    attrs={"inputmode": "numeric", "class": "input score-input", "placeholder": gettext("Points")}
                ),
            )

    def _ask_side(self, known: Result | None) -> None:
        sides: dict[str, list[PairingSeat]] = {}
        for seat in self.seats:
            sides.setdefault(scorecard.role(self.pairing, seat), []).append(seat)
        won = None
        if known and known.places:
            ranks = {seat.index: place.get("rank") for seat, place in zip(self.seats, known.places)}
            won = next((side for side, seats in sides.items() if ranks.get(seats[0].index) == 1), None)
        choices = []
        for side, seats in sides.items():
            names = scorecard.listed(seat.entrant.name for seat in seats)
            choices.append((side, f"{scorecard.side_words(self.pairing, seats)}: {names}"))
        self.sides = sides
        self.fields["side"] = forms.ChoiceField(
            label=_("Who won?"), choices=choices, widget=forms.RadioSelect, initial=won, required=False
        )

    def _ask_team(self, known: Result | None) -> None:
        grade = list(known.grade) if known and len(known.grade) == 5 else [None] * 5
        self.fields["won"] = forms.ChoiceField(
            label=_("How did it end?"),
            choices=[("1", _("The team won")), ("0", _("The team lost"))],
            widget=forms.RadioSelect,
            initial=None if grade[0] is None else str(grade[0]),
            required=False,
        )
        numbers = [
            ("defeated", _("Villains defeated"), 20, grade[1]),
            ("stones", _("Stones Thanos did not get"), STONES, grade[2]),
            ("lost", _("Heroes lost"), 40, None if grade[3] is None else -grade[3]),
            ("turns", _("Turns played"), 200, None if grade[4] is None else abs(grade[4])),
        ]
        for name, label, most, initial in numbers:
            self.fields[name] = forms.IntegerField(
                label=label,
                **_between(0, most),
                initial=initial,
                required=False,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "input score-input"}),
            )

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The seats with their fields, for a table of inputs."""
        return [
            {
                "seat": seat,
                "role": scorecard.role_words(self.pairing, seat),
                "rank": self[f"rank-{seat.index}"] if f"rank-{seat.index}" in self.fields else None,
                "score": self[f"score-{seat.index}"] if f"score-{seat.index}" in self.fields else None,
            }
            for seat in self.seats
        ]

    @property
    def has_all_places(self) -> bool:
        """Whether the form begins with a place for everybody, as the one that corrects a result does."""
        ranks = [row["rank"] for row in self.rows if row["rank"]]
        return all(rank.value() not in (None, "") for rank in ranks)

    @property
    def is_empty(self) -> bool:
        """Nothing was filled in: on a page with many tables, this one is still being played."""
        return not any(self.data.get(self.add_prefix(name), "").strip() for name in self.fields)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        match self.scoring:
            case Scoring.ORDER:
                self._clean_order(cleaned)
            case Scoring.SIDES if not cleaned.get("side"):
                raise forms.ValidationError(gettext("Say which side won."))
            case Scoring.TOGETHER if not cleaned.get("won"):
                raise forms.ValidationError(gettext("Say whether the team won."))
        return cleaned

    def _clean_order(self, cleaned: dict[str, Any]) -> None:
        """Ranks, or scores that make them; the two must not contradict each other."""
        here = [seat.index for seat in self.seats if not seat.absent]
        scores = [cleaned.get(f"score-{index}") for index in here]
        ranks = [cleaned.get(f"rank-{index}") for index in here]
        if all(rank is None for rank in ranks) and all(score is not None for score in scores):
            ranks = [1 + sum(other > score for other in scores) for score in scores]  # type: ignore[operator]
            cleaned |= {f"rank-{index}": rank for index, rank in zip(here, ranks)}
        if any(rank is None for rank in ranks):
            raise forms.ValidationError(gettext("Give every player a place, or every player a score."))
        given = [rank for rank in ranks if rank is not None]
        if sorted(given) != sorted(1 + sum(other < rank for other in given) for rank in given):
            raise forms.ValidationError(gettext("The places do not fit together: after two firsts comes a third."))

    def places(self) -> list[dict[str, Any]]:
        data = self.cleaned_data
        match self.scoring:
            case Scoring.ORDER:
                return [
                    {"rank": data.get(f"rank-{seat.index}"), "score": data.get(f"score-{seat.index}"), "kind": "PLAYED"}
                    if not seat.absent
                    else {"rank": len(self.seats), "score": None, "kind": "FL"}
                    for seat in self.seats
                ]
            case Scoring.SIDES:
                winners = {seat.index for seat in self.sides[data["side"]]}
                return [
                    {"rank": 1 if seat.index in winners else 1 + len(winners), "score": None, "kind": "PLAYED"}
                    for seat in self.seats
                ]
            case _:
                return [{"rank": 1, "score": data.get("defeated"), "kind": "PLAYED"} for _seat in self.seats]

    def grade(self) -> list[int]:
        """How a team's play compares on one deal: as `engine.thanos_rising` grades it, more is better."""
        if self.scoring is not Scoring.TOGETHER:
            return []
        data = self.cleaned_data
        won = int(data["won"])
        turns, stones = data.get("turns") or 0, data.get("stones")
        return [
            won,
            data.get("defeated") or 0,
            STONES if stones is None else stones,
            -(data.get("lost") or 0),
            -turns if won else turns,
        ]


class WhyForm(forms.Form):
    # The first look at a preview asks for no reason yet, so the browser must not either.
    use_required_attribute = False

    why = forms.CharField(
        label=_("Why"),
        max_length=300,
        help_text=_("It stands in the season’s log."),
        error_messages={"required": _("Say why: it stands in the season's log.")},
    )
