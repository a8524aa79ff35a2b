import { currentLanguage, type Language, onLanguageLoad, useLanguage } from './language.ts'

type Lookup = (sentence: string) => string

const asItIs: Lookup = (sentence) => sentence
let lookup = asItIs
const load = async (language: Language) => {
  lookup = language === 'en' ? asItIs : await (await import('./server-words.ts')).serverWordsIn(language)
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
