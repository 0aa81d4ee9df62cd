/** The three boards, loaded when a table needs them. Adding a game adds one line here. */
import type { Component } from 'svelte';
import type { BoardProps } from './board';

// A board types its own view; what arrives is checked by the server's schema, not here.
export type Board = Component<BoardProps<any>>;

const LOADERS: Record<string, () => Promise<{ default: Board }>> = {
  'out-of-sock': () => import('../boards/out-of-sock/OutOfSock.svelte'),
  'face-to-face': () => import('../boards/face-to-face/FaceToFace.svelte'),
  orma: () => import('../boards/orma/Orma.svelte'),
};

export const GAMES = Object.keys(LOADERS);

export async function loadBoard(game: string): Promise<Board> {
  const loader = LOADERS[game];
  if (!loader) throw new Error(`no board for ${game}`);
  return (await loader()).default;
}
