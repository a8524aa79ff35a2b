import { grouped } from '@podium/contract/figures'
import type { ReactNode } from 'react'
import { type KitWords, KitWordsProvider } from '#ui/kit-words.ts'
import { downloads } from '#ui/part.ts'
import { catalogueIn, type Language, onLanguageLoad, useLanguage } from './language.ts'

const sources = import.meta.glob('#words/*/kit.json')
const kit = downloads(
  async (language: Language) => ({ ...(await catalogueIn(sources, language)), number: grouped }) as KitWords,
)
onLanguageLoad(kit.load)

/** Gives the kit its words in the language of the page; stands in each entry around everything. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  return <KitWordsProvider value={kit.take(useLanguage())}>{children}</KitWordsProvider>
}
