import { currentLanguage, type Language, onLanguageLoad, useLanguage } from './language.ts'

type Lookup = (sentence: string) => string

let lookup: Lookup = (sentence) => sentence
const load = async (language: Language) => {
  lookup = language === 'hi' ? (await import('./sentences.hi.ts')).lookup : (sentence) => sentence
}
onLanguageLoad(load)
void load(currentLanguage()).catch(() => undefined)

/**
 * The sentence of the contract (messages.ts, errors.ts) in the language of the page, found by its English words.
 * What is not found (names, figures from the server) is given back as it is.
 */
export function translateSentence(sentence: string): string {
  return lookup(sentence)
}

/** The same inside a component, following a switch of language. */
export function useSentences(): Lookup {
  useLanguage()
  return lookup
}
