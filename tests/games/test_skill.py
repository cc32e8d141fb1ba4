"""Luck and skill on a person's page: from analysed matches that the reader may see, and from no others."""

from dataclasses import replace

import pytest

from engine.analysis import METHODS
from engine.analysis.judges import SMALL, STANDARD, Gate
from games.analysis import compute, request, skill
from games.models import Analysis
from tests.factories import create_club, create_user, finished_match, fresh, logged_in, started_match

SHORT = {"heroes_life": 1, "thanos_life": 1}

pytestmark = pytest.mark.django_db


def analysed_match(one, two, **more):
    match = fresh(finished_match(started_match(one, two, game="infinity-gauntlet", options=SHORT, **more)))
    request.ask(person=one, match=match)
    assert compute.analyse(match_id=match.pk)
    return match


def test_the_page_and_the_api_add_up_what_the_reports_say(client):
    anna, bela = create_user("anna"), create_user("bela")
    assert "Luck and skill" not in client.get("/people/anna/").content.decode()
    matches = [analysed_match(anna, bela), analysed_match(bela, anna)]
    for person in (anna, bela):
        [found] = skill.skills_of(person, person)
        luck = 0.0
        for match in matches:
            seat = match.seats.get(user=person).index
            luck += next(side["luck"] for side in match.analysis.report["sides"] if seat in side["seats"])
        assert found.luck == round(100 * luck)
        assert [one.key for one in found.matches] == [match.key for match in matches]
        page = client.get(f"/people/{person.handle}/").content.decode()
        assert "Luck and skill" in page
        assert "2 analysed matches" in page
        [told] = client.get(f"/api/v1/people/{person.handle}/skills/").json()["skills"]
        assert sum(match["luck"] for match in told["matches"]) == pytest.approx(luck)


def test_what_the_reader_may_not_see_and_what_an_older_judge_said_is_left_out(client):
    anna, bela = create_user("anna"), create_user("bela")
    club = create_club(anna, bela)
    secret = analysed_match(anna, bela, visibility="club", club=club)
    assert skill.skills_of(anna, create_user("stranger")) == []
    assert "Luck and skill" not in client.get("/people/anna/").content.decode()
    assert "Luck and skill" in logged_in(bela).get("/people/anna/").content.decode()
    Analysis.objects.filter(match=secret).update(version=1)
    assert skill.skills_of(anna, bela) == []


def test_kinds_of_choices_are_named_once_there_are_enough():
    turns = [{"seat": 0, "loss": 0.01, "worst": {"played": "guess 3"}}] * skill.FEWEST_TURNS
    turns += [{"seat": 0, "loss": 0.07, "worst": {"played": "fight 2"}}] * skill.FEWEST_TURNS
    turns += [{"seat": 0, "loss": 0.9, "worst": {"played": "snap"}}, {"seat": 1, "loss": 1, "worst": {"played": "end"}}]
    sides = [{"seats": [0], "luck": -0.5, "luck_error": 0.1}]
    found = skill._skill("infinity-gauntlet", [(0, "key", None, STANDARD, sides, [own(12, 0.3)], turns)] * 2)
    assert (found.strongest.verb, found.weakest.verb) == ("guess", "fight")
    assert found.weakest.points == 7
    assert found.luck == -100
    assert "took 100% of a win" in found.sentence


def own(contested, lost, stake=1.0):
    return {
        "given_away": lost, "accuracy": None, "contested": contested, "contested_loss": lost, "stake": stake,
    }  # fmt: skip


def test_an_accuracy_is_over_matches_since_one_has_too_few_choices(monkeypatch):
    sides = [{"seats": [0], "luck": 0.0, "luck_error": 0.1}]

    def skill_with(*seats, budget=STANDARD):
        return skill._skill("infinity-gauntlet", [(0, "key", None, budget, sides, [seat], []) for seat in seats])

    monkeypatch.setitem(METHODS, "infinity-gauntlet", replace(METHODS["infinity-gauntlet"], gate=Gate(2.0, 2.0, 95.0)))
    assert skill_with(own(19, 0.3)).accuracy is None
    found = skill_with(own(12, 0.3), own(12, 0.1), own(6, 0.0))
    assert (found.accuracies, found.accuracy, found.contested) == ([80, 87], 87, 30)
    # Measured with few worlds, or by a judge that does not rank players, there is none.
    assert skill_with(own(12, 0.3), own(12, 0.1), budget=SMALL).accuracy is None
    monkeypatch.setitem(METHODS, "infinity-gauntlet", replace(METHODS["infinity-gauntlet"], gate=None))
    assert skill_with(own(12, 0.3), own(12, 0.1)).accuracy is None
