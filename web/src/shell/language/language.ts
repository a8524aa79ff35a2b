import type { WrittenLanguage } from '@podium/contract/languages'
import { makeListeners } from '#ui/listeners.ts'

/** The name of a folder in web/words: the language's HTML code. */
export type Language = string

const names = import.meta.glob<{ name: string }>('#words/*/language.json', { eager: true, import: 'default' })

/** The portal's languages: one folder of words each, with the language's own name in `language.json`. */
export const languages: readonly { code: Language; name: string }[] = Object.entries(names).map(
  ([path, { name }]) => ({ code: path.split('/')[2] ?? '', name }),
)

const [useCurrent, notify] = makeListeners()
/** Everything to load before another language can be shown. */
const loaders = new Set<(language: Language) => Promise<unknown>>()

/** The server also reads the cookie: it names the word files in a page's HTML. */
const stored = /\blanguage=(\w+)/.exec(globalThis.document?.cookie)?.[1]

let current: Language = languages.find(({ code }) => code === stored)?.code ?? 'en'

export function currentLanguage(): Language {
  return current
}

/** The language the server writes in: English for all but readers of Hindi. */
export const writtenLanguage = (language = current): WrittenLanguage => (language === 'hi' ? 'hi' : 'en')

/** Sets the stored language on the page; each entry calls it first. */
export function startLanguage(): void {
  document.documentElement.lang = current === 'en' ? 'en-IN' : current
}

/** Registers a loader, so that a switch of language waits for it and nothing falls back to a skeleton. */
export function onLanguageLoad(load: (language: Language) => Promise<unknown>): void {
  loaders.add(load)
}

/** Waits for all catalogues registered so far, in the page's language or another. Rejects if a download fails. */
export const languageLoaded = (language = current): Promise<unknown> =>
  Promise.all([...loaders].map((load) => load(language)))

let wanted = current

/** The language that was chosen last, which may still be on its way. */
export const wantedLanguage = (): Language => wanted

/**
 * Downloads what the page needs in another language, then shows it, unless yet another one was chosen meanwhile.
 * Rejects if the download fails.
 */
export async function chooseLanguage(language: Language): Promise<void> {
  wanted = language
  await languageLoaded(language)
  if (language !== wanted) return
  current = language
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not there without https
  document.cookie = `language=${language};path=/;max-age=31536000`
  startLanguage()
  notify()
}

export function useLanguage(): Language {
  return useCurrent(currentLanguage)
}

export const useWrittenLanguage = () => writtenLanguage(useLanguage())

/** The plural forms a language has (`one`, `other`; in some also `few`, `many`, …). */
type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

export type Catalogue = Record<string, string | Plural>

/** Loaders of a catalogue's files by path: `…/en/students.json`. */
export type Sources = Record<string, () => Promise<unknown>>

/** Loads a catalogue in one language. */
export async function loadCatalogue(sources: Sources, language: Language): Promise<Catalogue> {
  const path = Object.keys(sources).find((file) => file.includes(`/${language}/`)) ?? ''
  const module = await sources[path]?.()
  return (module as { default: Catalogue }).default
}
