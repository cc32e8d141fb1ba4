// Made from games/schema/*.schema.json by `python3 manage.py schema`; do not edit.

/** What a seat may know of a table of Infinity Gauntlet: public facts, and what this very seat has seen. */
declare namespace InfinityGauntlet {
  type Side = "heroes" | "thanos";
  /** A tied fight: how far apart hero and Thanos were, and which cards it may have been. */
  type Tie = {
    seat: number;
    difference: number;
    in_hand: boolean;
    cards: string[];
    thanos_cards: string[];
  };
  /** A card that Thanos holds or that is one of the lowest of his deck. */
  type HandOrBottom = {
    card: string;
    bottom: number;
  };
  /** One seat. The facts about ties and his deck are Thanos's alone; `seen_by` is about the own hand. */
  type Seat = {
    role: "thanos" | "hero";
    power: number;
    faceup: string[];
    /** How many cards */
    hand: number;
    /** Those that this seat knows */
    cards: string[];
    /** Numbers that it does not hold */
    ruled_out: number[];
    not_held: string[];
    one_at_most: string[];
    holds_one_of?: string[];
    ties?: Tie[];
    hand_or_bottom?: HandOrBottom[];
    /** Who has seen each card of the hand */
    seen_by?: number[][];
  };
  /** Cards of one shuffle that this seat has not seen, and the hands and places of the deck they are in. */
  type Shuffle = {
    rebuilt: number;
    cards: string[];
    hands: number[];
    deck: number[];
  };
  /** Places that somebody put into a new order: seen cards, and how many others come from each shuffle. */
  type Among = {
    cards: string[];
    hands: number[];
    deck: number[];
    shuffles: ShuffleCount[];
  };
  type ShuffleCount = {
    rebuilt: number;
    count: number;
  };
  /** The top card first, null where this seat does not know it. */
  type HeroDeck = {
    left: number;
    rebuilt: number;
    top: (string | null)[];
    shuffles: Shuffle[];
    among: Among[];
  };
  /** The bottom card first, null where this seat does not know it. */
  type ThanosDeck = {
    left: number;
    bottom: (string | null)[];
  };
  type Table = {
    phase: "play" | "target" | "guess" | "fight" | "arrange" | "lose" | "challenge" | "with" | "bottom" | "copy" | "end" | "over";
    turn: number;
    turns_left: number;
    card: string | null;
    target: number | null;
    number: number | null;
    count: number;
    second_fight: boolean;
    life: {
      heroes: number;
      thanos: number;
    };
    decks: {
      heroes: HeroDeck;
      thanos: ThanosDeck;
    };
    /** Thanos is the first */
    seats: Seat[];
    /** Cards whose place this seat does not know. */
    unseen: {
      heroes: string[];
      thanos: string[];
    };
  };
  type View = Page.View & {
    game: "infinity-gauntlet";
    table: Table;
  };
  /** What happened. Which fields there are depends on the kind, and on what this seat may know. */
  type Event = {
    ply: number;
    event: "drew" | "drew-card" | "played" | "passed" | "targeted" | "guessed-thanos" | "guessed-hero" | "guessed-all" | "missed" | "spared" | "defeated" | "shuffled-in" | "rebuilt" | "peeked" | "peeked-card" | "declined" | "fought" | "fought-cards" | "tied" | "took-power" | "looked" | "looked-cards" | "arranged" | "bottomed" | "bottomed-card" | "copied" | "snapped" | "ended-snap" | "ended-heroes-out" | "ended-thanos-out";
    seat?: number;
    card?: string;
    number?: number;
    target?: number;
    count?: number;
    bonus?: number;
    thanos_bonus?: number;
    life?: number;
    cards?: string[];
    hand?: string[];
    thanos_card?: string;
    card_2?: string;
    card_3?: string;
  };
  /** A card of the heroes' deck. */
  type HeroCard = {
    part: "hero_deck";
    number: number;
  };
  /** A card of Thanos's deck. */
  type ThanosCard = {
    part: "thanos_deck";
    copies: number;
    number: number;
    returns: boolean;
    stone: boolean;
  };
  type CardFacts = HeroCard | ThanosCard;
  type Words = Page.Words & {
    cards: Record<string, CardFacts>;
  };
}

/** What the server sends to the page of any match: frames on the socket, and the state in the page itself. */
declare namespace Page {
  /** How a match ended by the rules; seats in order. `grade` ranks teams that played the same deal. */
  type Outcome = {
    ranks: number[];
    winners: number[];
    scores: number[];
    reason: string;
    grade: number[];
  };
  /** Why something cannot be chosen; `words.reasons[code]` is its sentence, the other fields fill it in. */
  type Reason = {
    code: string;
    [field: string]: unknown;
  };
  /** The table as one seat may see it; `table` is the game's own. */
  type View = {
    game: string;
    players: number;
    roles: string[];
    /** null is a spectator */
    seat: number | null;
    ply: number;
    to_act: number | null;
    /** Moves that this seat may choose, in notation */
    legal: string[];
    can_undo: boolean;
    outcome: Outcome | null;
    table: object;
    /** What this seat cannot choose now and why, by notation */
    why_not: Record<string, Reason>;
  };
  /** What happened; the other fields depend on the game and the kind. */
  type Event = {
    ply: number;
    /** The kind */
    event: string;
    seat?: number;
    [field: string]: unknown;
  };
  type Status = "open" | "playing" | "finished" | "aborted";
  /** Who sits there. */
  type Seat = {
    index: number;
    name: string;
    /** Empty for a bot, a guest and an account that is gone */
    handle: string;
    is_bot: boolean;
    level: string;
    /** Why the player does not play any more */
    left: "" | "away" | "timeout" | "resigned";
    /** Looking at the page now; the frame of a move leaves it as it was */
    here?: boolean;
  };
  /** Milliseconds left, by seat; the page counts the running one down by itself. */
  type Clock = {
    kind: "live" | "days";
    left: (number | null)[];
    running: number | null;
    running_for: number | null;
    /** Until the running clock starts: the turn of a bot is being shown */
    starts_in: number;
  };
  /** The pace of the bots where people play. */
  type Tempo = "quick" | "normal" | "slow";
  /** An act of the player on turn that waits for the answers of others. */
  type Window = {
    /** What they want to do, in notation */
    act: string;
    /** Seats that have not answered */
    waiting: number[];
    /** Milliseconds; who does not answer passes this turn */
    ends_in: number;
    /** Milliseconds of the whole window */
    total: number;
    /** Whether somebody asked for more time */
    held: boolean;
  };
  /** Who may act out of turn now: bonus tokens of Thanos Rising. */
  type Help = {
    /** The seat on turn */
    active: number;
    /** Other seats that could play a token now */
    can: number[];
    /** Seats that pass: this turn, or until they say otherwise */
    passing: Record<string, "turn" | "match">;
    /** Whether the player on turn asked for help */
    asked: boolean;
    window: Window | null;
  };
  /** How the match ended on the site: by the rules, by resignation or on time. */
  type Result = {
    cause: string;
    reason: string;
    ranks: (number | null)[];
    scores: (number | null)[];
    winners: number[];
  };
  /** One line of chat. */
  type Line = {
    id: number;
    name: string;
    handle: string;
    room: Room;
    text: string;
    remark: string;
    removed: boolean;
    at: string;
  };
  type Room = "table" | "gallery";
  /** The table at ply `v` and what happened after ply `since`. */
  type MatchFrame = {
    event: "match";
    key: string;
    /** The ply of the view */
    v: number;
    /** The ply after which the events begin */
    since: number;
    view: View;
    events: Event[];
    /** Plies that were taken back */
    undone: number[];
    status: Status;
    seats: Seat[];
    clock: Clock | null;
    result: Result | null;
    tempo: Tempo;
    /** Milliseconds until a bot is due */
    next_in: number | null;
    help: Help | null;
  };
  /** What changes without a move. */
  type TableFrame = {
    event: "table";
    key: string;
    status: Status;
    seats: Seat[];
    clock: Clock | null;
    result: Result | null;
    tempo: Tempo;
    /** Milliseconds until a bot is due */
    next_in: number | null;
    help: Help | null;
  };
  /** A player comes to the page or leaves it. */
  type PresenceFrame = {
    event: "presence";
    key: string;
    seat: number;
    here: boolean;
  };
  /** What changed without a move: an act waits for answers, somebody passed or asked for help. */
  type HelpFrame = {
    event: "help";
    key: string;
    /** The ply that it is about */
    v: number;
    help: Help | null;
    clock: Clock | null;
    /** Milliseconds until a bot is due */
    next_in: number | null;
  };
  /** A new line, or one that was removed. */
  type ChatFrame = {
    event: "chat";
    key: string;
    line: Line;
  };
  /** The seats are drawn: load the page anew. */
  type StartedFrame = {
    event: "started";
    key: string;
  };
  /** Why a message was not accepted, to its sender alone. */
  type RefusedFrame = {
    event: "refused";
    key?: string;
    /** With `stale`: the ply the match is at */
    ply?: number;
    code: "stale" | "illegal" | "foreign" | "malformed" | "declined" | "old-rules";
    detail: string;
  };
  type Frame = MatchFrame | TableFrame | PresenceFrame | ChatFrame | StartedFrame | RefusedFrame | HelpFrame | HintFrame;
  /** What the page's own script says, in the reader's language. */
  type Interface = {
    you: string;
    bot: string;
    here: string;
    away: string;
    left: Record<string, string>;
    status: Record<string, string>;
    your_turn: string;
    turn_of: string;
    thinks: string;
    mute: string;
    unmute: string;
    muted: string;
    report: string;
    reported: string;
    removed: string;
    old_rules: string;
    frame: Record<string, string>;
  };
  /** Addresses that the script calls. */
  type Links = {
    mute: string;
    state: string;
    move: string;
    say: string;
    talk: string;
    report: string;
    plies: string;
    help: string;
    past: string;
    final: string;
    hint: string;
    learn: string;
  };
  /** The chat as this reader sees it. */
  type Talk = {
    lines: Line[];
    remarks: Record<string, string>;
    only_remarks: boolean;
    may_talk: boolean;
    room: Room;
    /** Handles of people that this reader has muted */
    muted: string[];
    /** The reader's own handle, or empty */
    me: string;
  };
  /** The state inside the page of a match. A match by older rules has no position. */
  type MatchState = {
    topic: string;
    game: string;
    title: string;
    language: string;
    /** Where the words are fetched from */
    words: string;
    levels: Record<string, string>;
    portraits: Record<string, string>;
    ui: Interface;
    status: Status;
    seats: Seat[];
    clock: Clock | null;
    result: Result | null;
    key: string;
    /** The ply of the view */
    v?: number;
    /** The ply after which the events begin */
    since?: number;
    view?: View;
    events?: Event[];
    /** Plies that were taken back */
    undone?: number[];
    links: Links;
    talk: Talk;
    seat: number | null;
    /** Of a tutorial of the reader's own */
    coach: Coach | null;
    may_play: boolean;
    tempo: Tempo;
    /** Milliseconds until a bot is due */
    next_in: number | null;
    help: Help | null;
  };
  /** One ply of a finished match. */
  type Ply = {
    v: number;
    view: View;
    events: Event[];
  };
  /** The state inside the page of a replay. */
  type ReplayState = {
    topic: string;
    game: string;
    title: string;
    language: string;
    /** Where the words are fetched from */
    words: string;
    levels: Record<string, string>;
    portraits: Record<string, string>;
    ui: Interface;
    status: Status;
    seats: Seat[];
    clock: Clock | null;
    result: Result | null;
    key: string;
    links: Links;
    /** The last ply */
    last: number;
    seat: number | null;
    plies: Ply[];
    tempo: Tempo;
    /** Milliseconds until a bot is due */
    next_in: number | null;
    help: Help | null;
  };
  /** A game's words in one language. */
  type Words = {
    game: string;
    language: string;
    title: string;
    names: Record<string, string>;
    texts: Record<string, string>;
    terms: Record<string, string>;
    sentences: Record<string, string>;
    /** The facts printed on a card, by id */
    cards: Record<string, object>;
    /** Why something cannot be chosen, with {placeholders} */
    reasons: Record<string, string>;
    /** Values that no source was found for, by id */
    stand_ins: Record<string, {
      fields: string[];
      text: string;
    }>;
  };
  /** A tutorial's steps in the reader's language. Which of them it is follows from the ply. */
  type Coach = {
    steps: {
      /** The ply at which the step begins */
      ply: number;
      /** To be read before it, one at a time */
      says: {
        text: string;
        /** Selectors of what is pointed at */
        at: string;
      }[];
      ask: string;
      at: string;
      moves: string[];
    }[];
    /** From this ply on the match goes on freely */
    plies: number;
    ending: string;
  };
  /** A hint is there, for one seat alone; what it says is fetched. */
  type HintFrame = {
    event: "hint";
    key: string;
    /** The ply that it is for */
    v: number;
    state: "waiting" | "done" | "failed";
  };
  /** The hint for the present decision of the reader's seat. */
  type Hint = {
    state: "" | "waiting" | "done" | "failed";
    ply: number;
    move: string;
    /** The move in the reader's language */
    words: string;
  };
  /** The state inside the page of a mistake that is tried again: what the seat knew then. */
  type LearnState = {
    topic: string;
    game: string;
    title: string;
    language: string;
    /** Where the words are fetched from */
    words: string;
    levels: Record<string, string>;
    portraits: Record<string, string>;
    ui: Interface;
    status: Status;
    seats: Seat[];
    clock: Clock | null;
    result: Result | null;
    key: string;
    links: Links;
    tempo: Tempo;
    /** Milliseconds until a bot is due */
    next_in: number | null;
    help: Help | null;
    seat: number;
    /** Which mistake of the seat, from 1 */
    number: number;
    /** The ply of the view */
    v: number;
    view: View;
    events: Event[];
    undone: number[];
    /** Whether to do nothing, out of turn, is an answer too */
    may_leave: boolean;
  };
  /** How good a new answer is, beside all others, the best first. */
  type Tried = {
    verdict: "best" | "better" | "same" | "worse";
    words: string;
    best: string;
    best_words: string;
    worlds: number;
    answers: {
      move: string;
      words: string;
      chance: number;
      loss: number;
      label: string;
      is_yours: boolean;
      was_played: boolean;
      is_best: boolean;
    }[];
  };
  /** The state inside the page of a puzzle: what the seat knew. */
  type PuzzleState = {
    /** The number of the puzzle */
    number: number;
    game: string;
    title: string;
    language: string;
    /** Where the words are fetched from */
    words: string;
    seats: Seat[];
    seat: number;
    /** The ply of the view */
    v: number;
    view: View;
    events: Event[];
    /** Where the choice is sent to */
    answer: string;
    /** The answers that were given so far, in a whole turn */
    moves: string[];
  };
  /** How good an answer to a puzzle is, beside all others, the best first. */
  type Solved = {
    solved: boolean;
    words: string;
    best: string;
    best_words: string;
    worlds: number;
    answers: {
      move: string;
      words: string;
      chance: number;
      is_yours: boolean;
      is_best: boolean;
      /** What the Regular bot would play */
      is_missed: boolean;
    }[];
    /** Judged with a small budget */
    is_small: boolean;
    puzzle_rating: number;
    rated: boolean;
    rating: number | null;
    change: number | null;
    rating_words: string;
    /** A whole turn is not over yet */
    goes_on: boolean;
    /** The table after the answer, where the turn goes on */
    position: {
      v: number;
      view: View;
      events: Event[];
    } | null;
    /** What a whole turn gave away, choice by choice */
    choices: {
      move: string;
      words: string;
      lost: number;
    }[];
  };
}

/** What a seat may know of a table of Splendor: Marvel. */
declare namespace SplendorMarvel {
  /** The colours of cards and of the tokens that pay for them */
  type Colour = "yellow" | "blue" | "purple" | "red" | "orange";
  /** All tokens: the colours, the Time Stone (green) and the wild ones (grey) */
  type Token = "yellow" | "blue" | "purple" | "red" | "orange" | "green" | "grey";
  /** A number for each colour. */
  type Colours = {
    yellow: number;
    blue: number;
    purple: number;
    red: number;
    orange: number;
  };
  /** A number for each kind of token. */
  type Tokens = {
    yellow: number;
    blue: number;
    purple: number;
    red: number;
    orange: number;
    green: number;
    grey: number;
  };
  /** What is paid for a card. */
  type Price = {
    yellow: number;
    blue: number;
    purple: number;
    red: number;
    orange: number;
    grey: number;
  };
  /** What is asked of the seat to act, and what it has answered so far. */
  type Question = {
    ask: "choose" | "take" | "pay" | "return" | "location";
    taken?: Colours;
    card?: string;
    price?: Price;
  };
  /** A card that a team has reserved; null where this seat does not know it. */
  type Reserved = {
    level: number;
    card: string | null;
    /** Only its owner knows it */
    hidden: boolean;
  };
  /** A team's board. */
  type Team = {
    tokens: Tokens;
    bonuses: Colours;
    points: number;
    /** Avengers tags */
    tags: number;
    cards: string[];
    locations: string[];
    reserved: Reserved[];
    assembled: boolean;
  };
  type Table = {
    /** Points that the Gauntlet needs */
    goal: number;
    round: number;
    rounds_without_recruit: number;
    stall_rounds: number;
    question: Question | null;
    supply: Tokens;
    /** Cards left, by level */
    decks: number[];
    /** By level and place; null is an empty place */
    market: ((string | null)[])[];
    locations: string[];
    /** The seat that has the Avengers tile */
    avengers: number | null;
    teams: Team[];
  };
  type View = Page.View & {
    game: "splendor-marvel";
    table: Table;
  };
  /** What happened. Which fields there are depends on the kind, and on what this seat may know. */
  type Event = {
    ply: number;
    event: "took" | "reserved" | "reserved-unseen" | "drew" | "got-grey" | "paid" | "recruited" | "revealed" | "time-stone" | "got-tile" | "won-tile" | "returned" | "location" | "assembled" | "lapsed" | "passed" | "ended" | "stalled" | "no-recruits";
    seat?: number;
    level?: number;
    card?: string;
    place?: number;
    token?: Token;
    price?: Colours;
    grey?: number;
    location?: string;
    loser?: number;
    rounds?: number;
  };
  /** Only colours that are needed */
  type Costs = Partial<Record<Colour, number>>;
  /** A character card. */
  type Card = {
    part: "cards";
    avengers: number;
    bonus: Colour;
    cost: Costs;
    points: number;
  };
  /** A location tile. */
  type Location = {
    part: "locations";
    points: number;
    requires: Costs;
  };
  type CardFacts = Card | Location;
  type Words = Page.Words & {
    cards: Record<string, CardFacts>;
  };
}

/** What the table of Thanos Rising shows: the same to every seat. */
declare namespace ThanosRising {
  type Symbol = "battle" | "technology" | "mystic" | "cosmic";
  /** The colours of the power dice */
  type Colour = "red" | "blue" | "green" | "purple";
  /** Only symbols that are there */
  type Symbols = Partial<Record<Symbol, number>>;
  /** How many of each kind of token; only kinds that are there */
  type Counts = Record<string, number>;
  /** A number for each colour. */
  type Dice = {
    red: number;
    blue: number;
    green: number;
    purple: number;
  };
  /** A hero or villain in a sector. */
  type Asset = {
    id: string;
    /** null for a villain */
    type: Symbol | null;
    damage: number;
    spaces: number;
    symbols: Symbols;
    assigned: Symbols;
  };
  /** A recruited hero. */
  type Hero = {
    id: string;
    type: Symbol;
    damage: number;
    spaces: number;
    symbols: Symbols;
    assigned: Symbols;
    used: boolean;
    new: boolean;
  };
  type Team = {
    base: string | null;
    heroes: Hero[];
    tokens: Counts;
    new_tokens: Counts;
  };
  type Stone = {
    id: string;
    counters: number;
    collected: boolean;
  };
  /** Rolled dice that show the same. */
  type Die = {
    colour: Colour;
    face: string;
    count: number;
  };
  type Table = {
    question: "choose-base" | "deploy" | "ready" | "assign" | "resolve" | "damage-hero" | "heal-hero" | "damage-villain" | "remove-counter" | "extra-die" | "lose-die" | "re-roll" | "turn-die" | "turn-to" | "keep-token" | "over";
    /** The card, base, stone or token whose effect is asked about */
    asking: string | null;
    turn: number;
    active: number;
    first: number;
    goal: number;
    heroes_lost_limit: number;
    stones_to_lose: number;
    defeated: string[];
    lost: string[];
    /** The sector he faces */
    thanos: number;
    /** The sector of the active seat */
    deployed: number | null;
    sectors: ((Asset | null)[])[];
    teams: Team[];
    stones: Stone[];
    stone_limit: number;
    healing_forbidden: boolean;
    villain_damage: number;
    dice: {
      hand: Dice;
      box: Dice;
      rolls: number;
      unassigned: Die[];
      this_roll_on: string | null;
      to_lose: number;
    };
    deck: number | null;
    tokens: {
      face_down: number;
      discarded: Counts;
      looked_at: Counts;
    };
  };
  type View = Page.View & {
    game: "thanos-rising";
    table: Table;
  };
  /** What happened. Which fields there are depends on the kind, and on what this seat may know. */
  type Event = {
    ply: number;
    event: "first-player" | "base" | "revealed" | "deployed" | "stone-rolled" | "counter-added" | "counter-removed" | "stone-power" | "thanos-rolled" | "thanos-turned" | "thanos-attacked" | "villain-acted" | "damaged" | "healed" | "healing-forbidden" | "die-gained" | "die-lost" | "rolled" | "team-ability" | "assigned" | "forfeited" | "ability-used" | "re-rolled" | "turned" | "token-played" | "symbol-played" | "token-drawn" | "token-discarded" | "tokens-shuffled" | "recruited" | "villain-defeated" | "hero-lost" | "stone-collected" | "won" | "lost";
    seat?: number;
    base?: string;
    card?: string;
    slot?: number;
    sector?: number;
    stone?: string;
    amount?: number;
    count?: number;
    face?: "rotate-ccw" | "rotate-cw" | "activate-other-villains" | "roll-stone-die-again";
    die?: string;
    token?: string;
    now?: string;
    owner?: number | null;
    reason?: "villains-defeated" | "stones-collected" | "heroes-lost" | "team-lost";
    colour?: Colour;
    symbol?: Symbol;
    /** How many symbols the die shows */
    symbols?: number;
    now_symbol?: Symbol;
    now_symbols?: number;
  };
  type BaseFacts = {
    part: "bases";
    leader: string;
    dice: Partial<Record<Colour, number>>;
  };
  type TokenFacts = {
    part: "bonus_tokens";
    count: number;
    effects: object[];
  };
  type AssetFacts = {
    part: "assets";
    kind: "hero" | "villain";
    damage: number;
    symbols: Symbols;
    type?: Symbol;
  };
  type StoneFacts = {
    part: "stones";
  };
  type CardFacts = BaseFacts | TokenFacts | AssetFacts | StoneFacts;
  type Words = Page.Words & {
    cards: Record<string, CardFacts>;
  };
}
