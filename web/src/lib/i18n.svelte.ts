/** The language: chosen from the browser at first, remembered, loaded when needed. `i18n.LL.area.key({…})` is reactive. */
import { i18nObject } from 'typesafe-i18n';
import type en from '../i18n/en';
import type { Words } from '../i18n/types';
import { remember, remembered } from './storage';

export const LOCALES = ['en', 'it', 'es'] as const;
export type Locale = (typeof LOCALES)[number];
export type LL = Words<typeof en>;

const loaders = {
  en: () => import('../i18n/en'),
  it: () => import('../i18n/it'),
  es: () => import('../i18n/es'),
};

let current = $state.raw<{ locale: Locale; LL: LL }>({ locale: 'en', LL: {} as LL });

export const i18n = {
  get locale(): Locale {
    return current.locale;
  },
  get LL(): LL {
    return current.LL;
  },
};

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
  const texts = (await loaders[locale]()).default;
  current = { locale, LL: i18nObject(locale, texts as never, {} as never) as unknown as LL };
  document.documentElement.lang = locale;
}

/** As setLocale, and remember it: someone chose it. */
export function chooseLocale(locale: Locale): Promise<void> {
  remember('locale', locale);
  return setLocale(locale);
}
