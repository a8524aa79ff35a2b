import { use } from 'react'
import { currentLanguage, type Language, onLanguageLoad, useLanguage } from './language.ts'

type Lookup = (sentence: string) => string

const asItIs: Lookup = (sentence) => sentence
const english = Promise.resolve(asItIs)
let hindi: Promise<Lookup> | undefined

function load(language: Language): Promise<Lookup> {
  if (language === 'en') return english
  hindi ??= import('./sentences.hi.ts').then((m) => m.lookup)
  hindi.catch(() => {
    hindi = undefined
  })
  return hindi
}

let ready: Lookup = asItIs
const remember = async (language: Language) => {
  ready = await load(language)
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
  return use(load(useLanguage()))
}
