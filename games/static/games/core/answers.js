// What each answer to a choice is worth, as a list with bars: after a mistake that was tried again, and after a puzzle.

/**
 * @typedef {{ words: string, chance: number, is_best: boolean }} Judged
 */

/**
 * @template {Judged} A
 * @param {HTMLElement} list
 * @param {A[]} answers the best first
 * @param {(answer: A) => (string | undefined | false)[]} marksOf what is said of one, nothing where it is not so
 */
export const listAnswers = (list, answers, marksOf) => {
  list.replaceChildren(...answers.map((answer) => {
    const row = document.createElement("li");
    row.toggleAttribute("data-best", answer.is_best);
    const name = document.createElement("span");
    name.textContent = answer.words;
    const bar = document.createElement("meter");
    Object.assign(bar, { min: 0, max: 100, value: answer.chance });
    bar.setAttribute("aria-label", answer.words);
    const number = document.createElement("b");
    number.textContent = String(answer.chance);
    const marks = document.createElement("small");
    marks.textContent = marksOf(answer).filter(Boolean).join(" · ");
    row.append(name, bar, number, marks);
    return row;
  }));
};
