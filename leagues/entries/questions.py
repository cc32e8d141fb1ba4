"""Questions that a season puts to entrants, and their answers, as they are stored and checked.

A question is `{"id": 1, "text": "…", "kind": "text", "choices": [], "required": false}`. Answers are stored by the id
of the question: a text, one of the choices, or true or false.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.infra.errors import Refused

TEXT, CHOICE, YES_NO = "text", "choice", "yes-no"
KINDS: dict[str, Any] = {TEXT: _("A text"), CHOICE: _("One of several choices"), YES_NO: _("Yes or no")}

MOST_QUESTIONS = 5
MOST_CHOICES = 10
LONGEST_QUESTION = 200
LONGEST_CHOICE = 60
LONGEST_ANSWER = 500

Question = dict[str, Any]


def check_questions(given: Any, *, known: Sequence[Mapping[str, Any]] = ()) -> list[Question]:
    """The questions as they are stored; invalid ones are refused.

    A question that was there before comes with its id, and keeps its answers. A new one gets the next free id.
    """
    if not isinstance(given, list) or not all(isinstance(each, Mapping) for each in given):
        raise Refused(gettext("Questions are a list."))
    if len(given) > MOST_QUESTIONS:
        raise Refused(gettext("A season asks at most %(most)s questions.") % {"most": MOST_QUESTIONS})
    before = {each["id"] for each in known}
    kept = [each["id"] for each in given if each.get("id") is not None]
    if len(kept) != len(set(map(repr, kept))) or not all(type(one) is int and one in before for one in kept):
        raise Refused(gettext("There is no such question: leave the number out for a new one."))
    free = max(before, default=0)
    checked = []
    for each in given:
        question = _checked(each)
        if question["id"] is None:
            free += 1
            question["id"] = free
        checked.append(question)
    return checked


def _checked(given: Mapping[str, Any]) -> Question:
    text, kind, choices = given.get("text"), given.get("kind", TEXT), given.get("choices", [])
    required = given.get("required", False)
    if not isinstance(text, str) or not (text := " ".join(text.split())) or len(text) > LONGEST_QUESTION:
        raise Refused(gettext("A question has 1 to %(most)s letters.") % {"most": LONGEST_QUESTION})
    if not isinstance(kind, str) or kind not in KINDS or type(required) is not bool:
        raise Refused(gettext("A question asks for a text, a choice, or yes or no."))
    if not isinstance(choices, list) or not all(isinstance(one, str) for one in choices):
        raise Refused(gettext("Choices are a list of words."))
    choices = [" ".join(one.split()) for one in choices]
    if kind != CHOICE and choices:
        raise Refused(gettext("Only a question with choices has choices: “%(question)s”.") % {"question": text})
    if kind == CHOICE and not (2 <= len(choices) <= MOST_CHOICES and len(set(choices)) == len(choices)):
        raise Refused(
            gettext("“%(question)s” needs 2 to %(most)s different choices.") % {"question": text, "most": MOST_CHOICES}
        )
    if not all(1 <= len(one) <= LONGEST_CHOICE for one in choices):
        raise Refused(gettext("A choice has 1 to %(most)s letters.") % {"most": LONGEST_CHOICE})
    return {"id": given.get("id"), "text": text, "kind": kind, "choices": choices, "required": required}


def check_answers(questions: Sequence[Question], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The answers as they are stored; a missing or unfitting one is refused. Empty ones are left out."""
    answers = dict(given or {})
    if unknown := set(answers) - {str(each["id"]) for each in questions}:
        raise Refused(gettext("There is no question %(number)s.") % {"number": str(sorted(unknown)[0])[:20]})
    checked = {}
    for question in questions:
        answer = answers.get(str(question["id"]))
        if isinstance(answer, str):
            answer = answer.strip()
        if answer is None or answer == "":
            if question["required"]:
                raise Refused(gettext("Please answer: “%(question)s”") % {"question": question["text"]})
            continue
        if not fits(question, answer):
            raise Refused(gettext("This is no answer to “%(question)s”.") % {"question": question["text"]})
        checked[str(question["id"])] = answer
    return checked


def fits(question: Question, answer: Any) -> bool:
    match question["kind"]:
        case "choice":
            return bool(answer in question["choices"])
        case "yes-no":
            return type(answer) is bool
        case _:
            return isinstance(answer, str) and len(answer) <= LONGEST_ANSWER and "\0" not in answer


def still_fitting(questions: Sequence[Question], answers: Mapping[str, Any]) -> dict[str, Any]:
    """The answers without those whose question is gone or asks for something else now."""
    known = {str(each["id"]): each for each in questions}
    return {key: answer for key, answer in answers.items() if key in known and fits(known[key], answer)}


def in_words(questions: Sequence[Question], answers: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Every question that was answered, with the answer."""
    words = {True: gettext("Yes"), False: gettext("No")}
    return [
        (each["text"], words[answer] if isinstance(answer, bool) else str(answer))
        for each in questions
        if (answer := answers.get(str(each["id"]))) is not None
    ]
