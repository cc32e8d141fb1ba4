"""The result form of one table. The fields depend on the game; `places` is input of `leagues.results`.

A series of games is asked for in the same way in every game: the games won by each side.
"""

from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from engine import Scoring
from games.catalogue.spec import spec
from leagues.core.text import join_names
from leagues.formats.game_series import games_needed
from leagues.models import Pairing, PairingSeat, Result
from leagues.results import game_series, presentation


def _between(least: int, most: int) -> dict[str, Any]:
    """The limits of a number field, and one error message for all invalid values."""
    words = gettext("Give a whole number from %(least)s to %(most)s.") % {"least": least, "most": most}
    errors = dict.fromkeys(("invalid", "min_value", "max_value"), words)
    return {"min_value": least, "max_value": most, "error_messages": errors}


class ResultForm(forms.Form):
    """Ranks and scores by seat; or the side that won; or whether the team won, and how far it came; or the games won.

    `asks` says which of them: the game's scoring, or `series`.
    """

    def __init__(self, *args: Any, pairing: Pairing, known: Result | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pairing = pairing
        self.scoring = presentation.scoring(pairing)
        self.spec = spec(presentation.game_of(pairing))
        self.seats = presentation.seats_of(pairing)
        # As the form lists them; the seats themselves stay what was drawn.
        self.listed = self.seats
        self.best_of = game_series.length(pairing)
        self.asks = "series" if self.best_of > 1 else self.scoring.value
        match self.scoring:
            case _ if self.best_of > 1:
                self._ask_games(known)
            case Scoring.ORDER:
                self._ask_order(known)
            case Scoring.SIDES:
                self._ask_side(known)
            case Scoring.TEAM:
                self._ask_team(known)

    def _ask_games(self, known: Result | None) -> None:
        for at, seat in enumerate(self.seats):
            if seat.absent:
                continue
            place = known.places[at] if known and at < len(known.places) else {}
            self.fields[f"score-{seat.index}"] = forms.IntegerField(
                label=gettext("Games won by %(name)s") % {"name": seat.entrant.name},
                **_between(0, games_needed(self.best_of)),
                initial=place.get("score"),
                required=False,
                widget=forms.NumberInput(
                    attrs={
                        "inputmode": "numeric",
                        "class": "input score-input",
                        "data-games": "",
                        "placeholder": gettext("Games"),
                    }
                ),
            )

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
                        "placeholder": pgettext("result, in little room", "Place"),
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
            sides.setdefault(presentation.role(self.pairing, seat), []).append(seat)
        won = None
        if known and known.places:
            ranks = {seat.index: place.get("rank") for seat, place in zip(self.seats, known.places)}
            won = next((side for side, seats in sides.items() if ranks.get(seats[0].index) == 1), None)
        choices = []
        for side, seats in sides.items():
            names = join_names(seat.entrant.name for seat in seats)
            choices.append((side, f"{presentation.side_words(self.pairing, seats)}: {names}"))
        self.sides = sides
        self.fields["side"] = forms.ChoiceField(
            label=_("Who won?"), choices=choices, widget=forms.RadioSelect, initial=won, required=False
        )

    def _ask_team(self, known: Result | None) -> None:
        reported = self.spec.reported(list(known.grade)) if known else {}
        self.fields["won"] = forms.ChoiceField(
            label=_("How did it end?"),
            choices=[("1", _("The team won")), ("0", _("The team lost"))],
            widget=forms.RadioSelect,
            initial=str(reported["won"]) if reported else None,
            required=False,
        )
        for each in self.spec.grade:
            self.fields[each.name] = forms.IntegerField(
                label=each.label,
                **_between(0, each.maximum),
                initial=reported.get(each.name),
                required=False,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "input score-input"}),
            )

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The seats with their fields."""
        return [
            {
                "seat": seat,
                "role": presentation.role_words(self.pairing, seat),
                "rank": self[f"rank-{seat.index}"] if f"rank-{seat.index}" in self.fields else None,
                "score": self[f"score-{seat.index}"] if f"score-{seat.index}" in self.fields else None,
            }
            for seat in self.listed
        ]

    @property
    def numbers(self) -> list[forms.BoundField]:
        """The fields that say how far a team came."""
        return [self[each.name] for each in self.spec.grade if each.name in self.fields]

    @property
    def has_all_places(self) -> bool:
        """Whether every place is filled in initially, as in a correction."""
        ranks = [row["rank"] for row in self.rows if row["rank"]]
        return all(rank.value() not in (None, "") for rank in ranks)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was filled in: on a page with many tables, this one is still being played."""
        return not any(self.data.get(self.add_prefix(name), "").strip() for name in self.fields)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        match self.scoring:
            case _ if self.best_of > 1:
                self._clean_games(cleaned)
            case Scoring.ORDER:
                self._clean_order(cleaned)
            case Scoring.SIDES if not cleaned.get("side"):
                raise forms.ValidationError(gettext("Say which side won."))
            case Scoring.TEAM if not cleaned.get("won"):
                raise forms.ValidationError(gettext("Say whether the team won."))
        return cleaned

    def _clean_games(self, cleaned: dict[str, Any]) -> None:
        """Whether they make a result is said by `leagues.results`, as to everybody who sends one."""
        if any(cleaned.get(f"score-{seat.index}") is None for seat in self.seats if not seat.absent):
            raise forms.ValidationError(gettext("Give the games that each side won."))

    def _clean_order(self, cleaned: dict[str, Any]) -> None:
        """Take ranks, or compute them from scores; the two must not contradict each other."""
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
            case _ if self.best_of > 1:
                won = [data.get(f"score-{seat.index}") or 0 for seat in self.seats]
                ranks = game_series.ranks_by_games(won)
                return [
                    {"rank": rank, "score": games, "kind": "PLAYED"}
                    if not seat.absent
                    else {"rank": len(self.seats), "score": None, "kind": "FL"}
                    for seat, rank, games in zip(self.seats, ranks, won)
                ]
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
                return [{"rank": 1, "score": self.spec.score_of(data), "kind": "PLAYED"} for _seat in self.seats]

    def grade(self) -> list[int]:
        """The grade of a team, to compare teams on one deal; empty in competitive games."""
        if self.scoring is not Scoring.TEAM:
            return []
        return self.spec.grade_of(self.cleaned_data["won"] == "1", self.cleaned_data)


class WhyForm(forms.Form):
    # The preview needs no reason yet, so the browser must not require one.
    use_required_attribute = False

    why = forms.CharField(
        label=_("Why"),
        max_length=300,
        help_text=_("It is shown in the season’s log."),
        error_messages={"required": _("Say why: it is shown in the season’s log.")},
    )
