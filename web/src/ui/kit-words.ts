import { createContext, useContext } from 'react'
import type en from '#words/en/kit.json'

/** The few words the kit itself says, and how it writes a number. The shell supplies both in the language of the page. */
export type KitWords = Readonly<Record<keyof typeof en, string>> & { readonly number: (n: number) => string }

const Words = createContext({} as KitWords)
export const KitWordsProvider = Words.Provider

export function useKitWords(): KitWords {
  return useContext(Words)
}
