import type { ReactNode } from 'react'
import { downloads } from '#ui/arrived.ts'
import { type KitWords, KitWordsProvider, kitWords } from '#ui/kit-words.ts'
import { type Language, onLanguageLoad, useLanguage } from './language.ts'

const kit = downloads(
  async (language: Language): Promise<KitWords> =>
    language === 'en' ? kitWords : (await import('./kit.hi.ts')).hi,
)
onLanguageLoad(kit.load)

/** Gives the kit its words in the language of the page; stands in each entry around everything. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  return <KitWordsProvider value={kit.take(useLanguage())}>{children}</KitWordsProvider>
}
