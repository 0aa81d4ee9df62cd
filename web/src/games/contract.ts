/**
 * What a game's folder gives the page. `games/GAME/index.ts` exports one `GamePage`; a game without a folder has the one
 * of `games/any`, made of what the server says. Nothing outside a game's folder knows its name.
 */
import type { Component } from 'svelte';
import type { GameInfo } from '../lib/api';
import type { BoardProps, GameEvent, Offer } from '../lib/board';
import type { View } from '../lib/connection';
import type { Teller, Told } from '../lib/telling';

// A board types its own view; what arrives is checked by the server's schema, not here.
export type Board = Component<BoardProps<any>>;

/** A choice of the house, as the sheet for a new table asks it: the first value is what the game does without it. */
export interface OptionField {
  /** As the server calls it. */
  name: string;
  label: string;
  choices: { label: string; value: unknown }[];
}

/** A game that is over, for whoever tells it. */
export interface EndFacts {
  game: string;
  /** The server's word for how it ended. */
  ending: string;
  view: View;
  names: string[];
  winners: number[];
  /** The seat that is "you"; null for spectators. */
  you: number | null;
}

export interface SumsProps {
  view: View;
  seat: number;
  score: number;
  /** All that happened; empty until the replay is there. */
  events: GameEvent[];
}

export interface GameEnd {
  /** Why it ended, as a sentence; empty if there is nothing to say. */
  reason: (facts: EndFacts) => string;
  /** How a seat's result comes about. */
  Sums: Component<SumsProps>;
  /** What stands above the sums, of a name or of you (null); without it "Points of …". */
  heading?: (name: string | null) => string;
  /** What the chart of the scores shows; without it points. */
  chart?: () => string;
  /** A drawing beside the headline. */
  Decor?: Component;
}

/** Where a seat stands, as a big screen shows it beside the name. */
export interface Standing {
  /** The figure that counts, and how it is read out; null if none does. */
  figure: { value: number; label: string } | null;
  /** How many pieces it holds that others do not see; null if there are none of that kind. */
  held: number | null;
}

/** A step of a lesson, as tools/lessons.py writes it. */
export interface LessonStep {
  /** Which of its scenes: each is a position of its own. */
  scene: number;
  /** The key of its text. */
  text: string;
  /** The move that is asked for; empty where there is only something to read. */
  want: string;
  frames: { view: Record<string, unknown>; events: GameEvent[] }[];
  legal: Offer[];
  /** What the other legal moves would do, as far as one can know; `winners` if the game would be over. */
  would: Record<string, { events: GameEvent[]; winners: number[] | null }>;
  /** Why the rest that one may try is not allowed: the code of its sentence, and the clauses. */
  refused: Record<string, { why: string; clauses: string; values: Record<string, unknown> }>;
}

export interface GameLesson {
  steps: () => Promise<{ default: unknown }>;
  /** The text of a step. */
  text: (key: string) => string;
  /** What another move than the wanted would bring, in brackets; empty if nothing is to be said. */
  aside?: (events: GameEvent[]) => string;
}

export interface GamePage {
  /** The name, the same in every language; without it the server's title. */
  title?: string;
  /** The name drawn in one line: how wide, and its strokes, each from its place on. */
  lettering?: { width: number; strokes: [x: number, d: string][] };
  /** Drawings that the board and the pictures use, as symbols of an SVG. */
  sprite?: string;
  /** How many minutes a game takes. */
  minutes?: number;
  /** Whether such scores are points that people count: then the page tells them with who won. */
  points: (scores: number[]) => boolean;
  /** Whether its board has a place of its own for the list of moves (`BoardProps.log`). */
  placesLog?: boolean;
  /** Whether nobody holds anything hidden: people who share a device need no curtain. */
  open?: boolean;
  /** Whether its moves are told with the player's own name also where that is you: its words have no second person. */
  named?: boolean;
  /** What it is about, in one sentence, or in a short one. */
  say: (game: string, short: boolean) => string;
  /** The game in a small square; it is told its key as `game`, as the picture is. */
  Dot: Component<any>;
  /** The game on the home page: `.high` and `.flat`, for either frame; it is told its `title`, too. */
  Picture: Component<any>;
  /** Its table, loaded when somebody sits there. */
  board: () => Promise<{ default: Board }>;
  /**
   * What a player holds, and what to do with it, for a phone beside a big screen that shows the table; without it the one for any
   * game. It gets what a board gets, `part` being `hand`; its `data-turn` says what is to be done.
   */
  hand?: () => Promise<{ default: Board }>;
  /** What a big screen says of a seat: its figure, and how many pieces are held hidden; without it what the view tells. */
  standing?: (view: any, seat: number) => Standing;
  /** What somebody did, without the name: "lays 17 on the pile going up". */
  deed: (told: Told, teller: Teller) => string;
  /** How long the events of a move take to be seen, in milliseconds at a natural pace; without it the same for all. */
  lasts?: (events: GameEvent[]) => number;
  /** Whether what happened pleases a seat or vexes it: what its bot then shows. */
  mood?: (events: GameEvent[], seat: number) => 'glad' | 'vexed' | null;
  /** Let one event be heard. */
  hear: (event: GameEvent) => void;
  /** What can be agreed on before a game. */
  options: (info: GameInfo) => OptionField[];
  /** How its end is told, loaded when it is. */
  end: () => Promise<{ default: GameEnd }>;
  /** A first game by doing; without it the page offers none. */
  lesson?: GameLesson;
}
