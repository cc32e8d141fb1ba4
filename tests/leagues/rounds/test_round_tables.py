"""The page of all rounds: every pairing with its result, and drafts for organisers only."""

from django.urls import reverse

from leagues.models import Pairing
from leagues.rounds import closing, draw
from tests.factories import confirm_result, markup_of, next_round, running_stage


def test_the_page_of_rounds_shows_pairings_and_results(league, alice, as_alice, client):
    stage = running_stage(league, alice, "table-swiss", 8, planned=4)
    first = next_round(alice, stage)
    for pairing in Pairing.objects.filter(round=first):
        confirm_result(pairing, [4, 3, 2, 1], [11, 12, 13, 14])
    closing.close_round(actor=alice, round=first)
    second = next_round(alice, stage)
    one = Pairing.objects.filter(round=second).order_by("number").first()
    confirm_result(one, [1, 2, 3, 4])
    path = reverse("leagues:rounds", args=[league.slug, stage.division.season.number])
    page = client.get(path).content.decode()
    assert page.index("Round 2</summary>") < page.index("Round 1</summary>")
    for pairing in Pairing.objects.filter(round__stage=stage):
        assert page.count(pairing.get_absolute_url()) == 1
    for seat in first.seats.select_related("entrant"):
        assert page.count(seat.entrant.name) == 2
    assert page.count("<strong>Guest") == 3, "the winners of three tables"
    assert page.count("(14)") == 2
    assert page.count("To be played") == 1
    # A draft has neither names nor links for anybody but organisers.
    confirm_result(Pairing.objects.filter(round=second).order_by("number").last())
    closing.close_round(actor=alice, round=second)
    draft = draw.draw_next_round(actor=alice, stage=stage)
    links = [pairing.get_absolute_url() for pairing in Pairing.objects.filter(round=draft)]
    assert not any(link in client.get(path).content.decode() for link in links)
    assert all(link in markup_of(as_alice.get(path)) for link in links)
