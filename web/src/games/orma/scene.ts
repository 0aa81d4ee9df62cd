// The picture of a table, kept while it grows: the layout and the frame around it, both folded over the moves.

import { begin, fit, follow, lay, picture } from './layout';
import type { Frame, Growth, Layout } from './layout';

export interface Scene {
  growth: Growth;
  layout: Layout;
  frame: Frame;
  shape: number;
  aspect: number;
}

// Shapes a tree is grown for; a window between two takes the nearer, so that a pixel more or less changes nothing.
const SHAPES = [0.5, 0.62, 0.77, 0.95, 1.2, 1.5, 1.85, 2.3, 2.9];
const FREE_AREA = 130;
const START = 0.75;

export function shapeOf(aspect: number): number {
  return SHAPES.reduce((best, shape) => (Math.abs(Math.log(shape / aspect)) < Math.abs(Math.log(best / aspect)) ? shape : best));
}

function firstFrame(layout: Layout, aspect: number): Frame {
  return fit(layout, aspect, START * Math.sqrt(FREE_AREA / aspect));
}

function step(scene: Scene, word: string): void {
  lay(scene.growth, word);
  if (!word.includes('@')) return;
  scene.layout = picture(scene.growth);
  scene.frame = follow(scene.frame, scene.layout, scene.aspect);
}

/** Whether a window has become another: a phone that was turned, not a panel that opened. */
function turned(shape: number, aspect: number): boolean {
  return Math.abs(SHAPES.indexOf(shape) - SHAPES.indexOf(shapeOf(aspect))) > 2;
}

/** The scene for these moves in a window of this aspect, going on from an earlier one if it can. */
export function sceneFor(words: readonly string[], aspect: number, before: Scene | null): Scene {
  const shape = before && !turned(before.shape, aspect) ? before.shape : shapeOf(aspect);
  const known = before?.growth.words ?? [];
  const goesOn = before && before.shape === shape && known.length <= words.length && known.every((w, i) => w === words[i]);
  let scene: Scene;
  if (goesOn) {
    scene = { ...before, aspect };
    if (before.aspect !== aspect) scene.frame = follow(firstFrame(scene.layout, aspect), scene.layout, aspect);
  } else {
    const growth = begin(shape);
    const layout = picture(growth);
    scene = { growth, layout, frame: firstFrame(layout, aspect), shape, aspect };
  }
  for (let i = scene.growth.words.length; i < words.length; i++) step(scene, words[i]!);
  return scene;
}
