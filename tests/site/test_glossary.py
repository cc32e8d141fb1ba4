"""The catalogues and the card texts use the words of docs/glossary.md, and the check that says so can fail."""

from pathlib import Path

import pytest

from deploy import glossary, translations
from deploy.glossary import Glossary, Pair

TABLE = """
| Concept | English | Italian | Polish | Source |
| --- | --- | --- | --- | --- |
| a competition | league | campionato | liga (w lidze) | ours |
| one game of a round | table | tavolo | stół | ours |
| that changes ratings | rated | valida (valido) per l’Elo | rankingowa | ours |
| to make the tables | draw | sorteggiare | losować | ours |
| to take a card | draw | pescare | dobrać (dobierać) | ours |
| what happened | log | registro | dziennik | ours |
| to open an account | log in | accedere | zalogować się | ours |
| levels | Rookie, Master | Principiante, Maestro | Nowicjusz, Mistrz | ours |
| those who fight for Thanos | villain | malvagio, malvagi | złoczyńca, złoczyńcy | rulebook |
| one player’s part | *turn* | turno | tura | ours |
"""


@pytest.mark.parametrize(
    ("english", "language", "translation", "missing"),
    [
        ("Leagues of %(club)s", "it", "Campionati di %(club)s", []),
        ("Leagues of %(club)s", "it", "Leghe di %(club)s", ["league"]),
        ("About the league", "pl", "O lidze", []),
        ("About the league", "pl", "O rozgrywkach", ["league"]),
        ("Two tables are open.", "pl", "Otwarte są dwa stoły.", []),
        ("At the table", "pl", "Przy stole", []),
        ("The %(table)s is <b class='table'>here</b>", "it", "%(table)s è <b class='table'>qui</b>", []),
        ("Rated table", "it", "Tavolo valido per l’Elo", []),
        ("Rated table", "it", "Tavolo classificato", ["rated"]),
        ("Draw the round", "pl", "Wylosuj rundę", []),
        ("Draw a card", "pl", "Dobierz kartę", []),
        ("Draw a card", "pl", "Weź kartę", ["draw"]),
        ("Log in to read", "it", "Accedi per leggere", []),
        ("Read the log", "it", "Leggi il giornale", ["log"]),
        ("Master", "it", "Principiante", ["Master"]),
        ("Villains and a league", "it", "Nemici e una lega", ["villain", "league"]),
        ("It is your turn", "it", "Tocca a te", []),
        ("Tablets", "it", "Compresse", []),
    ],
)
def test_a_term_needs_its_word_in_any_form(english: str, language: str, translation: str, missing: list[str]) -> None:
    problems = list(Glossary(TABLE).problems(Pair(english, language, translation)))
    assert [problem.split("“")[1].split("”")[0] for problem in problems] == missing


def test_the_site_uses_the_words_of_its_glossary() -> None:
    assert glossary.check() == []


def test_every_term_has_a_word_in_every_language() -> None:
    terms = Glossary(glossary.GLOSSARY.read_text(encoding="utf-8")).terms
    assert len(terms) > 80
    assert [term.english for term in terms.values() if not all(term.accepted.values())] == []


def test_exceptions_are_messages_that_would_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glossary, "EXCEPTIONS", {"no such message": ""})
    failing = "\n".join(glossary.check())
    monkeypatch.undo()
    assert [english for english in glossary.EXCEPTIONS if f"({english!r}"[:-1] not in failing] == []


def test_a_wrong_word_in_a_catalogue_is_found(tmp_path: Path) -> None:
    for language in translations.LANGUAGES:
        path = translations.po_path(language, tmp_path)
        path.parent.mkdir(parents=True)
        text = translations.po_path(language).read_text(encoding="utf-8")
        path.write_text(text.replace('msgstr "Campionati"', 'msgstr "Leghe"'), encoding="utf-8")
    assert glossary.check(locale=tmp_path) == ["it: no word of the glossary for “league” in 'Leghe' ('Leagues')"]


def test_a_wrong_word_on_a_card_is_found() -> None:
    text = glossary.GLOSSARY.read_text(encoding="utf-8")
    assert "Gemma dell’Anima" in text
    wrong = Glossary(text.replace("Gemma dell’Anima", "Gemma dello Spirito"))
    problems = [problem for pair in glossary._card_pairs() for problem in wrong.problems(pair)]
    assert problems == ["it: no word of the glossary for “Soul Stone” in 'Gemma dell’Anima' ('Soul Stone')"]
