/** What the table has seen: the others' latest cards, and what lies under the tops. */
import { WAYS, type CardLaid, type FaceView, type Way } from './types';
import { isGift, type Place } from './words';

/** Whose card is on top of a pile: its owner's, or a gift. */
export function giverAt(view: FaceView, of: number, way: Way): number {
  return isGift(view.moves, way, view.piles[of]![way]) ? 1 - of : of;
}

export class Past {
  /** The cards laid one after the other by the same seat, up to now. */
  #recent = $state.raw<CardLaid[]>([]);
  /** By `of:way`. */
  unders = $state.raw<Record<string, { card: number; giver: number }>>({});
  #seen: { piles: FaceView['piles']; moves: number; givers: Record<string, number> } | null = null;

  /** What was on a pile before another seat's latest turn; null if that turn left it alone. */
  topBefore(place: Place, you: number | null): number | null {
    const first = this.#recent.find(({ of, pile }) => of === place.of && pile === place.pile);
    return first && first.seat !== you ? first.top_before : null;
  }

  /** Whether another seat's latest card went here. */
  isLast(place: Place, you: number | null): boolean {
    const last = this.#recent.at(-1);
    return last !== undefined && last.seat !== you && last.of === place.of && last.pile === place.pile;
  }

  /** Take the next view and the cards laid since; a view with fewer moves is one taken back. */
  remember(view: FaceView, laid: CardLaid[]): void {
    const moves = view.moves?.length ?? 0;
    const back = this.#seen !== null && moves < this.#seen.moves;
    const givers: Record<string, number> = {};
    for (const of of [0, 1]) {
      for (const way of WAYS) {
        const key = `${of}:${way}`;
        const before = this.#seen?.piles[of]?.[way];
        givers[key] = giverAt(view, of, way);
        if (before === undefined || before === view.piles[of]![way]) continue;
        const { [key]: _, ...rest } = this.unders;
        this.unders = back ? rest : { ...rest, [key]: { card: before, giver: this.#seen!.givers[key]! } };
      }
    }
    this.#seen = { piles: view.piles, moves, givers };
    for (const card of laid) this.#recent = this.#recent[0]?.seat === card.seat ? [...this.#recent, card] : [card];
    if (back) this.#recent = [];
  }
}
