"""A club's own card files for programs, and the cards of a match."""

import json
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language
from rest_framework.request import Request

from accounts import access
from accounts.access import Permission
from accounts.api.base import Api, PersonRequest
from accounts.api.clubs import club_or_404
from accounts.infra.rest import Data, operation
from accounts.models import Scope
from games import card_files
from games.api import serializers
from games.api.catalogue import WordsSerializer
from games.api.common import match_or_404
from games.catalogue import texts
from games.models import CardFile, Match


class CardFiles(Api):
    tag = "card-files"

    @operation("list_card_files", gives=serializers.CardFileSerializer, pages="-pk")
    def get(self, request: Request, slug: str) -> QuerySet[CardFile]:
        """The versions of a club’s own cards, the latest first."""
        club = club_or_404(slug)
        access.require(request.user, Permission.SEE_CLUB, club)
        return CardFile.objects.filter(club=club).defer("source").select_related("uploaded_by")

    @operation(
        "upload_card_file",
        takes=serializers.CardFileInput,
        gives=serializers.CardFileSerializer,
        scope=Scope.ORGANISE,
        status=201,
    )
    def post(self, request: PersonRequest, slug: str, data: Data) -> CardFile:
        """Upload a version of a club’s own cards; for its organisers. A refusal names the line."""
        content = {"content": data.pop("text").encode(errors="surrogatepass")}
        return card_files.upload(actor=request.user, club=club_or_404(slug), **data, **content)


class OneCardFile(Api):
    tag = "card-files"

    @operation("read_card_file", gives=serializers.CardFileTextSerializer)
    def get(self, request: Request, slug: str, pk: int) -> CardFile:
        """A version of a club’s own cards, with its text."""
        return _card_file(request, slug, pk)

    @operation("delete_card_file", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, slug: str, pk: int) -> None:
        """Delete a version that nothing was played with."""
        card_files.delete(actor=request.user, card_file=_card_file(request, slug, pk))


class Offer(Api):
    tag = "card-files"

    @operation(
        "offer_card_file", takes=serializers.OfferInput, gives=serializers.CardFileSerializer, scope=Scope.ORGANISE
    )
    def post(self, request: PersonRequest, slug: str, pk: int, data: Data) -> CardFile:
        """Withdraw a version, or offer it again. Tables and seasons that have it keep it."""
        return card_files.set_offered(actor=request.user, card_file=_card_file(request, slug, pk), on=data["on"])


class MatchCards(Api):
    tag = "matches"

    @operation("read_match_cards", gives=serializers.MatchCardsSerializer)
    def get(self, request: Request, key: str) -> Data:
        """The cards that a match is played with: every fact, what it rests on, and where it is a stand-in of ours."""
        match = match_or_404(request.user, key)
        own = match.card_file
        return {
            "game": match.game,
            "card_file": own,
            "document": dict(texts.built_in(match.game)) if own is None else own.document,
        }


class MatchWords(Api):
    tag = "matches"

    @operation("read_match_words", gives=WordsSerializer)
    def get(self, request: Request, key: str) -> Any:
        """The words of a match in the language asked for: with a club’s own cards they differ from the game’s."""
        return json.loads(_words(match_or_404(request.user, key))[0])


def _words(match: Match) -> tuple[str, str]:
    language = get_language() or "en"
    if match.card_file is None:
        return texts.encoded(match.game, language)
    return texts.encoded_own(match.game, language, match.card_file.source)


def _card_file(request: Request, slug: str, pk: int) -> CardFile:
    club = club_or_404(slug)
    access.require(request.user, Permission.SEE_CLUB, club)
    return get_object_or_404(CardFile.objects.select_related("club", "uploaded_by"), club=club, pk=pk)
