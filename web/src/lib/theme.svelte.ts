/** Light, dark, or as the browser says. */
import { remember, remembered } from './storage';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const kept = remembered('theme') as Theme | null;
let current = $state<Theme>(kept !== null && THEMES.includes(kept) ? kept : 'auto');

export const theme = {
  get now(): Theme {
    return current;
  },
};

export function setTheme(wish: Theme): void {
  current = wish;
  remember('theme', wish);
  showTheme();
}

export function showTheme(): void {
  if (current === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = current;
}
