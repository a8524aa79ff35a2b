import { downloads } from '#ui/arrived.ts'
import { currentLanguage, type Language, onLanguageLoad, useLanguage } from './language.ts'

type Lookup = (sentence: string) => string

const asItIs: Lookup = (sentence) => sentence
const lookups = downloads(
  async (language: Language): Promise<Lookup> =>
    language === 'en' ? asItIs : (await import('./sentences.hi.ts')).lookup,
)

let ready: Lookup = asItIs
const remember = async (language: Language) => {
  ready = await lookups.load(language)
}
onLanguageLoad(remember)
void remember(currentLanguage()).catch(() => undefined)

/**
 * The sentence of the contract (messages.ts, errors.ts) in the language of the page, found by its English words.
 * What is not found (names, figures from the server) is given back as it is.
 */
export function translateSentence(sentence: string): string {
  return ready(sentence)
}

/** The same inside a component, following a switch of language. */
export function useSentences(): Lookup {
  return lookups.take(useLanguage())
}
