/** The games' names, the same in every language, and the cloth each lies on. */
export const TITLES: Record<string, string> = {
  'out-of-sock': 'Out of Sock',
  'face-to-face': 'Face to Face',
  orma: 'Orma',
};

export const titleOf = (game: string): string => TITLES[game] ?? game;
export const clothOf = (game: string): string => ({ 'out-of-sock': 'sock', 'face-to-face': 'moon', orma: 'orma' })[game] ?? 'sock';
