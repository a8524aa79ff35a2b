import { useSyncExternalStore } from 'react'

/** The name of a folder in web/words, as HTML calls the language. */
export type Language = string

const names = import.meta.glob<{ name: string }>('#words/*/language.json', {
  eager: true,
  import: 'default',
})

/** The languages of the portal: a folder of words each, with the language's own name in `language.json`. */
export const languages: readonly { code: Language; name: string }[] = Object.entries(names).map(
  ([path, { name }]) => ({ code: path.split('/')[2] ?? '', name }),
)

const listeners = new Set<() => void>()
/** Everything that must be there before another language can be shown. */
const loaders = new Set<(language: Language) => Promise<unknown>>()

/** The cookie is read by the server, too: it names the words in a page's HTML. */
const kept = /\blanguage=(\w+)/.exec(globalThis.document?.cookie)?.[1]

let current: Language = languages.find(({ code }) => code === kept)?.code ?? 'en'

export function currentLanguage(): Language {
  return current
}

/** What the server can write in: English for a reader of any language but Hindi. */
export const writtenLanguage = (language = current): 'en' | 'hi' => (language === 'hi' ? 'hi' : 'en')

/** Puts the remembered language on the page; each entry calls it first. */
export function startLanguage(): void {
  document.documentElement.lang = current === 'en' ? 'en-IN' : current
}

/** A catalogue announces itself here, so that a switch waits for it and nothing on the page falls back to grey. */
export function onLanguageLoad(load: (language: Language) => Promise<unknown>): void {
  loaders.add(load)
}

/** Waits for all catalogues known by now, in the language of the page or another. Rejects when a download fails. */
export const languageLoaded = (language = current): Promise<unknown> =>
  Promise.all([...loaders].map((load) => load(language)))

/** Downloads what the page needs in the other language, then shows it. Rejects when the download fails. */
export async function chooseLanguage(language: Language): Promise<void> {
  await languageLoaded(language)
  current = language
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not there without https
  document.cookie = `language=${language};path=/;max-age=31536000`
  startLanguage()
  for (const tell of listeners) tell()
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage, currentLanguage)
}

export const useWrittenLanguage = () => writtenLanguage(useLanguage())

/** The forms that a language distinguishes (`one`, `other`; elsewhere `few`, `many`, …). */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

export type Catalogue = Record<string, string | Plural>

/** The files of a catalogue by their paths: `…/en/students.json`. */
export type Sources = Record<string, () => Promise<unknown>>

/** A catalogue in one language. */
export async function catalogueIn(sources: Sources, language: Language): Promise<Catalogue> {
  const path = Object.keys(sources).find((one) => one.includes(`/${language}/`)) ?? ''
  const found = await sources[path]?.()
  return (found as { default: Catalogue }).default
}
