import { createContext, useContext } from 'react'
import type en from '#words/en/kit.json'

/** Fills in the `{places}` of a sentence. */
export function fill(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** The kit's own few words, and its number format. The shell supplies both in the page's language. */
export type KitWords = Readonly<Record<keyof typeof en, string>> & { readonly number: (n: number) => string }

const Words = createContext({} as KitWords)
export const KitWordsProvider = Words.Provider

export function useKitWords(): KitWords {
  return useContext(Words)
}
