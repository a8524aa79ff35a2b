import type { ReactNode } from 'react'
import { use } from 'react'
import { type KitWords, KitWordsProvider, kitWords } from '#ui/kit-words.ts'
import { type Language, onLanguageLoad, useLanguage } from './language.ts'

const loaded = new Map<Language, Promise<KitWords>>([['en', Promise.resolve(kitWords)]])

function load(language: Language): Promise<KitWords> {
  const found = loaded.get(language)
  if (found !== undefined) return found
  const ready = import('./kit.hi.ts').then((m) => m.hi)
  loaded.set(language, ready)
  ready.catch(() => loaded.delete(language))
  return ready
}
onLanguageLoad(load)

/** Gives the kit its words in the language of the page; stands in each entry around everything. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  return <KitWordsProvider value={use(load(useLanguage()))}>{children}</KitWordsProvider>
}
