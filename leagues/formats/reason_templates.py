"""The English sentence for each reason code. Entrant ids become names; other parameters are shown as they are.

The sentences are marked by `_`, so that the site can collect them for translation.
"""


def _(text: str) -> str:
    return text


WORDS = {
    # Byes
    "bye.PAB": _(
        "%(entrant)s sits out, which counts as a win: an odd number is left over, and of those who had no such "
        "round yet %(entrant)s has the lowest score (%(score)s), the fewest rounds missed and the lowest seed."
    ),
    "bye.PAB-again": _("%(entrant)s sits out a second time: everybody here has already sat out once."),
    "bye.PAB-passed": _(
        "%(entrant)s sits out, which counts as a win. Next in line before: %(passed)s; without them, others would "
        "have to meet again."
    ),
    "bye.round-robin": _("%(entrant)s is free in round %(round)s: the number of entrants is odd."),
    "bye.FPB": _("%(entrant)s misses this round: a full-point bye."),
    "bye.HPB": _("%(entrant)s misses this round: a half-point bye."),
    "bye.ZPB": _("%(entrant)s misses this round: a bye without points."),
    "bye.NP": _("%(entrant)s had not entered yet."),
    "bye.WD": _("%(entrant)s has withdrawn."),
    "bye.left-over": _(
        "%(entrant)s sits out with a bye: %(count)s entrants do not fill tables of %(least)s to %(most)s."
    ),
    # Imported rounds
    "past": _("It was played before, and brought in from a file."),
    # Round robin and designs
    "berger": _("Berger table for %(size)s, round %(round)s: everybody meets everybody once, seats as even as can be."),
    "berger.second": _("Second meeting, seats exchanged (Berger table for %(size)s, round %(round)s)."),
    "design": _("A balanced plan for %(players)s players at tables of %(seats)s. Meetings of every two: %(meetings)s."),
    "design.solver": _("No ready plan fits this size. Meetings at this table that happened before: %(repeats)s."),
    "pod": _("Game %(game)s of the group: %(solo)s plays alone this time, as everybody does once."),
    # Swiss
    "swiss.level": _("Both have %(score)s points."),
    "swiss.float": _(
        "%(entrant)s (%(higher)s points) meets %(opponent)s (%(lower)s): nobody suitable was left on the same score."
    ),
    "swiss.repeat": _(
        "They have met before: every complete draw of this round repeats a meeting, this one repeats the fewest."
    ),
    "swiss.table": _("Neighbours in the standings (%(low)s to %(high)s points), nobody meets again."),
    "swiss.table-moved": _(
        "Neighbours in the standings (%(low)s to %(high)s points), players exchanged so that nobody "
        "meets again or keeps the same seat."
    ),
    "swiss.table-repeat": _(
        "Meetings at this table that happened before: %(repeats)s; no exchange avoided it (%(low)s to %(high)s points)."
    ),
    "swiss.table-seeds": _("The seeds are dealt out so that all tables are equally strong. At this table: %(seeds)s."),
    "swiss.table-apart": _(
        "From %(low)s to %(high)s points. With the exchange that would bring the scores closest, %(entrant)s and "
        "%(opponent)s would meet again."
    ),
    "swiss.table-forbidden": _(
        "From %(low)s to %(high)s points. With the exchange that would bring the scores closest, %(entrant)s and "
        "%(opponent)s would share a table, which is ruled out."
    ),
    "swiss.table-kept-apart": _(
        "From %(low)s to %(high)s points. The exchange that would bring the scores closest is against a rule of the "
        "season."
    ),
    "swiss.table-turns": _(
        "From %(low)s to %(high)s points, nobody meets again. The scores could be a little closer, but then seats and "
        "roles would come round less evenly or a smaller table would stand higher up."
    ),
    "hand.table": _("An organiser changed this table by hand."),
    "hand.bye": _("%(entrant)s sits out, which counts as a win: an organiser changed the draw by hand."),
    # One against many, teams, duplicate
    "solo": _("%(solo)s plays alone: nobody at the table has done so less often (so far: %(count)s)."),
    "team.fixed": _("The team plays as entered."),
    "team.rotating": _("A new team. Pairs of team-mates who played together before: %(repeats)s."),
    "duplicate": _("Every table of round %(round)s plays the same deal, so that only the play differs."),
    "duplicate.match": _("%(beaten)s worse, %(equal)s equal, of %(others)s others in the same seat on the same deal."),
    # Elimination
    "bracket.seeds": _("Seed %(first)s against seed %(second)s."),
    "bracket.path": _("Winner of %(first)s against winner of %(second)s."),
    "bracket.drop": _("The loser of %(first)s meets the survivor of %(second)s."),
    "bracket.losers": _("The losers of %(first)s and %(second)s."),
    "bracket.bye": _("%(entrant)s goes through without a game: the bracket has more places than entrants."),
    "bracket.empty": _("Nobody comes here: the bracket has more places than entrants."),
    "bracket.final": _("The unbeaten side against the survivor of the second chance."),
    "bracket.reset": _("Both have lost once now: one more game decides."),
    "bracket.no-reset": _("Not needed: the unbeaten side won."),
    "bracket.replay": _("Match %(match)s ended level: they play again, seats exchanged."),
    "bracket.third": _("The losers of the semi-finals play for third place."),
    "bracket.orphan": _(
        "The result of %(match)s (%(winner)s against %(loser)s) is kept but not used: these two do "
        "not meet there any more."
    ),
    "heat": _("Heat %(heat)s of round %(round)s: the best %(advance)s go on."),
    "heat.through": _("%(entrant)s came in place %(rank)s of heat %(heat)s."),
    "heat.wild": _(
        "%(entrant)s goes on as wild card no. %(card)s: %(points)s points, %(share)s of the winner’s score."
    ),
    "heat.wild-points": _("%(entrant)s goes on as wild card no. %(card)s: %(points)s points."),
    "heat.bye": _(
        "%(entrant)s goes straight to round %(round)s: the number does not fill the heats, and the best "
        "seeds go through."
    ),
    "heat.orphan": _(
        "The result of heat %(heat)s of round %(round)s is kept but not used: other people sit there now."
    ),
    "heat.final": _("The final: all who are left at one table."),
    # Groups, season, ladder, arena
    "group.slot": _("Place %(place)s of group %(group)s."),
    "group.best": _("No. %(nth)s of all who came in place %(place)s of their group."),
    "group.play-off": _("A play-off decides place %(place)s of group %(group)s: the tie-breaks leave them level."),
    "stage.place": _("Place %(place)s of the stage before."),
    "stage.lot": _("Place %(place)s of the stage before, shared: the lot decided who of them goes on."),
    "season.up": _("%(entrant)s won %(old)s and moves up."),
    "season.up-placed": _("%(entrant)s came in place %(place)s in %(old)s and moves up."),
    "season.champion": _("%(entrant)s won the first division and stays."),
    "season.down": _("%(entrant)s came in place %(place)s in %(old)s and moves down."),
    "season.stay": _("%(entrant)s came in place %(place)s in %(old)s and stays."),
    "season.up-shared": _("%(entrant)s shared place %(place)s in %(old)s and moves up: the order of the list decided."),
    "season.down-shared": _(
        "%(entrant)s shared place %(place)s in %(old)s and moves down: the order of the list decided."
    ),
    "season.stay-shared": _("%(entrant)s shared place %(place)s in %(old)s and stays."),
    "season.fill": _("%(entrant)s (place %(place)s in %(old)s) moves up into a place that became free."),
    "season.spared": _("%(entrant)s (place %(place)s in %(old)s) keeps a place that nobody from below takes."),
    "season.squeezed": _("%(entrant)s (place %(place)s in %(old)s) moves down: the division has fewer places."),
    "season.displaced": _("%(entrant)s (place %(place)s in %(old)s) moves down: others take all the places."),
    "season.full": _("%(entrant)s (place %(place)s in %(old)s) stays: the division above is full."),
    "season.back": _("%(entrant)s comes back and played in %(old)s before."),
    "season.new": _("%(entrant)s is new and starts in the last division that has room."),
    "season.gone": _("%(entrant)s has withdrawn and leaves %(old)s."),
    "ladder.challenge": _("%(challenger)s (place %(from_place)s) challenges %(target)s (place %(to_place)s)."),
    "ladder.taken": _("%(winner)s takes place %(place)s; everybody in between moves down one."),
    "ladder.held": _("%(winner)s keeps place %(place)s."),
    "ladder.unanswered": _("%(target)s did not answer within %(days)s days: a win for %(challenger)s."),
    "ladder.declined": _("%(target)s declined the challenge of %(challenger)s."),
    "ladder.joined": _("%(entrant)s joins at the bottom, place %(place)s."),
    "ladder.left": _("%(entrant)s has left the ladder."),
    "arena.pair": _("Places %(first)s and %(second)s were waiting, %(gap)s rating points apart."),
    "arena.again": _("They just met, but %(entrant)s has waited %(waited)s s and nobody else is free."),
    "arena.alone": _("%(entrant)s is the only one waiting."),
    "arena.odd": _("%(entrant)s waits for one more player."),
    "arena.rested": _("%(entrant)s has just met the only one waiting; a repeat is allowed after %(left)s s more."),
    # Standings
    "place.sole": _("Points: %(points)s."),
    "place.tie-break": _("Level on points: decided by %(part)s."),
    "place.out": _("Out of the knock-out."),
    "place.in": _("Still in the knock-out."),
    "place.third": _("Plays for third place."),
    "place.won": _("Won the knock-out."),
    "place.heat": _("Came as far as round %(round)s."),
    "place.final-share": _("Level at the final table: decided by the share of the winner’s score."),
    "place.final-shared": _("Level at the final table: the place is shared."),
    "place.fewer-games": _("Points: %(points)s. Among those who have as many, fewer games decide."),
    "place.arena-shared": _("As many points (%(points)s) from as many games: the place is shared."),
    "place.ladder": _("Place %(place)s on the ladder."),
    "place.marks": _("Points on all deals together: %(points)s."),
    "place.marks-shared": _("Points on all deals together: %(points)s, as many as others: the place is shared."),
    "place.shared": _("Level in everything the list compares: the place is shared."),
    "place.lot": _("Level in everything else: decided by lot."),
}

ERRORS = {
    "error.steps.enter": _("%(entrant)s cannot enter in round %(round)s."),
    "error.steps.leave": _("%(entrant)s cannot leave in round %(round)s."),
    "error.steps.return": _("%(entrant)s cannot come back in round %(round)s."),
    "error.request": _("%(entrant)s asks for a bye that is not one of full, half or zero points."),
    "error.twice-at-table": _("Somebody sits twice at table %(table)s."),
    "error.seat-twice": _("A seat of table %(table)s is given twice."),
    "error.places": _("Table %(table)s has %(seats)s seats but %(places)s results."),
    "error.place": _("Table %(table)s: rank %(rank)s is not a result."),
    "error.place-kind": _("Table %(table)s: somebody is marked as absent who has a place in the result."),
    "error.confirmed-empty": _("Table %(table)s is confirmed but has no result."),
    "error.bye": _("%(entrant)s cannot have a bye and a game."),
    "error.twice-in-round": _("%(entrant)s appears twice in round %(round)s."),
    "error.table-twice": _("Two tables of round %(round)s have the same number."),
    "error.entrant-twice": _("The same entrant is on the list twice."),
    "error.seed-twice": _("Two entrants have the same seed."),
    "error.round-order": _("Rounds must be numbered 1, 2, 3 and so on."),
    "error.stranger": _("%(entrant)s plays in round %(round)s but is not on the list."),
    "error.too-few": _("%(count)s entrants are too few: this format needs at least %(least)s."),
    "error.impossible": _("No complete draw exists: those who may not meet leave nobody for %(entrant)s."),
    "error.not-drawn": _("%(entrant)s is not in this draw."),
    "error.no-tables": _("%(count)s entrants cannot sit at tables of %(least)s to %(most)s."),
    "error.scheme": _("The points list %(name)s has no entry for a table of %(seats)s."),
    "error.own-points-length": _("An own list of points has 1 to %(places)s places."),
    "error.own-points-range": _("The points of a place are a whole number from 0 to %(most)s."),
    "error.own-points-order": _("No place can be worth more than the one before it."),
    "error.own-points-win": _("The first place must be worth more than the second."),
    "error.size": _("A bracket takes 2 to %(most)s entrants, not %(count)s."),
    "error.slot": _("Group %(group)s has no place %(place)s."),
    "error.group-count": _("%(count)s entrants do not make %(groups)s groups of at least two."),
    "error.least": _("A table cannot have at least %(least)s seats and at most %(seats)s."),
    "error.advance": _("%(advance)s cannot go on from a heat of %(seats)s."),
    "error.tie-break": _("The tie-break %(name)s is unknown, or listed twice."),
    "error.rounds": _("The number of rounds must be declared for this tie-break: %(part)s."),
    "error.no-more-rounds": _("All %(count)s rounds of this plan have been drawn."),
    "error.play-off": _(
        "Place %(place)s is shared at the cut (group %(group)s, 0 for none): a play-off or one more tie-break decides."
    ),
    "error.rooms": _("The divisions have %(rooms)s places for %(count)s entrants."),
    "error.no-rounds": _("This format has no rounds: players start games themselves."),
    "error.bracket-waits": _("Results are missing: no match can be drawn before they are in."),
    "error.bracket-over": _("Everything is decided: nothing is left to draw."),
    "error.challenge-self": _("Nobody can challenge themselves."),
    "error.challenge-off": _("%(entrant)s is not on the ladder."),
    "error.challenge-down": _("%(target)s stands below %(challenger)s already."),
    "error.challenge-far": _("%(target)s is more than %(reach)s places above %(challenger)s."),
    "error.challenge-open": _("%(challenger)s and %(target)s have an open game."),
    "error.challenge-none": _("%(challenger)s and %(target)s have no open game."),
}
