// What a game's table element is to the page: the contract of docs/tables.md as types.

declare namespace Page {
  /** The properties that the page sets. */
  interface TableProperties<TheView = View, TheEvent = Event, TheWords = Words> {
    view: TheView;
    events: TheEvent[];
    names: Seat[];
    words: TheWords;
    /** null is a spectator */
    seat: number | null;
    busy: boolean;
    interactive: boolean;
    hurry: boolean;
    /** The end of the animation of the latest view, where the element has one. */
    settled?: Promise<unknown>;
    /** The move that was chosen and could not be sent yet. */
    unsent?: string | null;
    /** Seats, clocks and the result as the server sent them last. */
    surroundings?: object;
  }
  /** Events that are shown as one; `time` is how long at normal speed, `touches` whether it concerns the reader. */
  interface Beat {
    events: Event[];
    kind: string;
    seat: number | undefined;
    touches: boolean;
    time: number;
  }
  /** A beat as the table is asked to show it; `time` at the present speed. */
  interface StagedBeat extends Beat {
    /** 1.5 slow, 1 normal, 0.6 fast */
    speed: number;
    /** Aborted by Skip: finish at once. */
    signal: AbortSignal;
    /** The table as it stands, and as it will be after all beats of this frame. */
    view: View;
    next: View;
    isLast: boolean;
    /** The reader wants less motion: outlines, no travel. */
    still: boolean;
  }
  interface TurnSummary {
    icons: unknown;
    words: string;
    tone: string;
  }
  /** What an element may offer beyond its properties; docs/tables.md says what each is for. */
  interface TableMembers {
    stageBeat?(beat: StagedBeat): unknown;
    touches?(event: Event, view: View): boolean;
    beatTime?(event: Event): number | undefined;
    icon?(field: string, value: unknown, event: Event): unknown;
    summary?(events: Event[]): TurnSummary | null;
    preview?(id: string): unknown;
  }
  interface TableElement extends HTMLElement, TableProperties, TableMembers {
    updateComplete?: Promise<unknown>;
  }
  /** Lit's class for an element with these properties; Lit makes them from `static properties`. */
  type TableClass<TheView = View, TheEvent = Event, TheWords = Words> = new () => import("lit").LitElement &
    TableProperties<TheView, TheEvent, TheWords>;
  type ElementRef = import("lit/directives/ref.js").Ref<HTMLElement>;
}
