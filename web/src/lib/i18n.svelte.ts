/** The language: chosen from the browser at first, remembered, loaded when needed. `i18n.LL.area.key({…})` is reactive. */
import { i18nObject } from 'typesafe-i18n';
import type en from '../i18n/en';
import type { Words } from '../i18n/types';
import { remember, remembered } from './storage';

export const LOCALES = ['en', 'it', 'es'] as const;
export type Locale = (typeof LOCALES)[number];
export type LL = Words<typeof en>;

const shells = import.meta.glob<{ default: object }>('../i18n/??.ts');
const games = import.meta.glob<{ default: object }>('../games/*/text/??.ts');

let current = $state.raw<{ locale: Locale; LL: LL; games: Record<string, unknown> }>({ locale: 'en', LL: {} as LL, games: {} });

export const i18n = {
  get locale(): Locale {
    return current.locale;
  },
  get LL(): LL {
    return current.LL;
  },
};

/** The words of a game's own folder, typed by its English ones. */
export const wordsOf = <T>(game: string): Words<T> => current.games[game] as Words<T>;

function isLocale(text: string | null): text is Locale {
  return LOCALES.includes(text as Locale);
}

export function firstLocale(): Locale {
  const asked = new URLSearchParams(location.search).get('lang');
  const kept = remembered('locale');
  if (isLocale(asked)) return asked;
  if (isLocale(kept)) return kept;
  for (const wish of navigator.languages ?? []) {
    const short = wish.slice(0, 2).toLowerCase();
    if (isLocale(short)) return short;
  }
  return 'en';
}

export async function setLocale(locale: Locale): Promise<void> {
  const own = Object.entries(games).filter(([path]) => path.endsWith(`/${locale}.ts`));
  const [shell, ...texts] = await Promise.all([shells[`../i18n/${locale}.ts`]!, ...own.map(([, load]) => load)].map((load) => load()));
  const spoken = (text: { default: object }): unknown => i18nObject(locale, text.default as never, {} as never);
  current = {
    locale,
    LL: spoken(shell!) as LL,
    games: Object.fromEntries(own.map(([path], i) => [path.split('/')[2], spoken(texts[i]!)])),
  };
  document.documentElement.lang = locale;
}

/** As setLocale, and remember it: someone chose it. */
export function chooseLocale(locale: Locale): Promise<void> {
  remember('locale', locale);
  return setLocale(locale);
}
