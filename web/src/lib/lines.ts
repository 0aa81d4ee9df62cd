/** How the line of a seat is drawn: colour and dash tell them apart; yours is the dark one. */
const DASH = ['', '1 8', '10 7', '2 6 10 6', '16 6'];
const COLOUR = [
  'light-dark(#B4540A, #FF9E57)',
  'light-dark(#176B4D, #7FDDB6)',
  'light-dark(#2757AE, #9DBDFF)',
  'light-dark(#8C2457, #FFA6CC)',
  'light-dark(#4B2A7B, #CDB3F5)',
];

export const colourOf = (seat: number, you: number | null): string => (seat === you ? 'var(--ink)' : COLOUR[seat % COLOUR.length]!);
export const dashOf = (seat: number, you: number | null): string => (seat === you ? '' : DASH[seat % DASH.length]!);
