/** The chips of a column: a card each, or, from the fifth card on, a kind each with how often it is there. */
export interface Row {
  card: string;
  n: number;
}

export function rowsOf(cards: string[]): Row[] {
  if (cards.length <= 4) return cards.map((card) => ({ card, n: 1 }));
  const kinds = [...new Set(cards)];
  return kinds.map((card) => ({ card, n: cards.filter((one) => one === card).length }));
}
