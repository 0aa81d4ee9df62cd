// The eye above the ground: where it looks, how it is moved by hand.

import type { Frame } from './layout';

/** Units of the ground are drawn this many pixels wide, then scaled. */
export const UNIT = 100;
const SMALLEST = 14;
const LARGEST = 150;

export interface Size {
  width: number;
  height: number;
}

/** The centre of the window on the ground, and pixels to a unit. */
export interface Camera {
  x: number;
  y: number;
  scale: number;
}

export function cameraOf(frame: Frame, window: Size): Camera {
  return { x: frame.x, y: frame.y, scale: window.height / frame.height };
}

export function transformOf({ x, y, scale }: Camera, { width, height }: Size): string {
  return `translate(${width / 2 - x * scale}px, ${height / 2 - y * scale}px) scale(${scale / UNIT})`;
}

/** Where something on the ground is drawn, within what `transformOf` moves. */
export function onGround({ x, y }: { x: number; y: number }): string {
  return `translate(${(x * UNIT).toFixed(1)}px, ${(y * UNIT).toFixed(1)}px)`;
}

export function toScreen(at: { x: number; y: number }, camera: Camera, { width, height }: Size): { x: number; y: number } {
  return { x: width / 2 + (at.x - camera.x) * camera.scale, y: height / 2 + (at.y - camera.y) * camera.scale };
}

export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale };
}

/** Come closer by a factor, with the point under (px, py) of the window staying where it is. */
export function zoom(camera: Camera, factor: number, px: number, py: number, window: Size): Camera {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, camera.scale * factor));
  const dx = px - window.width / 2;
  const dy = py - window.height / 2;
  return {
    x: camera.x + dx / camera.scale - dx / scale,
    y: camera.y + dy / camera.scale - dy / scale,
    scale,
  };
}
