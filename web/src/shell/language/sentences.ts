import { type Language, onLanguageLoad, useLanguage } from './language.ts'

type Lookup = (sentence: string) => string

let lookup: Lookup = String
const load = async (language: Language) => {
  lookup = language === 'en' ? String : await (await import('./server-words.ts')).serverWordsIn(language)
}
// Every page waits for what has announced itself before it is shown first.
onLanguageLoad(load)

/**
 * The sentence of the contract (messages.ts, errors.ts) in the language of the page, found by its English words.
 * So are subjects, prizes, places and what else the office names. What is not found (people, figures) is given back as
 * it is.
 */
export function translateSentence(sentence: string): string {
  return lookup(sentence)
}

/** The same inside a component, following a switch of language. */
export function useSentences(): Lookup {
  useLanguage()
  return lookup
}
