import { useSyncExternalStore } from 'react'

/** The languages of the portal. English is the type of every catalogue; Hindi must match it. */
export type Language = 'en' | 'hi'
export const languages: readonly { code: Language; name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'hi', name: 'हिन्दी' },
]

const key = 'language'
const listeners = new Set<() => void>()
/** Everything that must be there before another language can be shown. */
const loaders = new Set<(language: Language) => Promise<unknown>>()

function read(): Language {
  try {
    return localStorage.getItem(key) === 'hi' ? 'hi' : 'en'
  } catch {
    return 'en'
  }
}

let current: Language = read()

export function currentLanguage(): Language {
  return current
}

/** Puts the remembered language on the page; each entry calls it first. */
export function startLanguage(): void {
  document.documentElement.lang = current === 'en' ? 'en-IN' : current
}

/** A catalogue announces itself here, so that a switch waits for it and nothing on the page falls back to grey. */
export function onLanguageLoad(load: (language: Language) => Promise<unknown>): void {
  loaders.add(load)
}

/** Waits for all catalogues known by now in the language of the page. Rejects when a download fails. */
export const languageLoaded = (): Promise<unknown> => Promise.all([...loaders].map((load) => load(current)))

/** Downloads what the page needs in the other language, then shows it. Rejects when the download fails. */
export async function chooseLanguage(language: Language): Promise<void> {
  await Promise.all([...loaders].map((load) => load(language)))
  current = language
  try {
    localStorage.setItem(key, language)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  startLanguage()
  for (const tell of listeners) tell()
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage)
}
