import { makeListeners } from '#ui/listeners.ts'
import { onRefused } from '../call.ts'
import { type Language, onLanguageLoad, useLanguage, wantedLanguage } from './language.ts'
import type { Lookup } from './lookup.ts'

let lookup: Lookup = String
/** What components get: a new function whenever the words change, each of which uses the latest words when called. */
let current: Lookup = String
function setLookup(language: Language, words: Lookup): void {
  if (language !== wantedLanguage()) return
  lookup = words
  current = (sentence) => lookup(sentence)
}
/** Downloads the error messages, unless they are loaded. */
let refusals = async () => undefined as unknown
/** Whether they have been downloaded once; then each later page waits for them in its language. */
let complete = false
const [useCurrent, notify] = makeListeners()

const load = async (language: Language) => {
  if (language === 'en') {
    setLookup(language, String)
    refusals = async () => undefined
    return
  }
  const words = await (await import('./server-words.ts')).loadWords(language)
  if (complete) {
    setLookup(language, await words.withRefusals())
    return
  }
  setLookup(language, words.lookup)
  let started: Promise<unknown> | undefined
  const download = async () => {
    const all = await words.withRefusals()
    if (lookup !== words.lookup) return
    complete = true
    setLookup(language, all)
    notify()
  }
  refusals = () => {
    started ??= download().catch(() => {
      started = undefined
    })
    return started
  }
  // Disabled buttons show reasons, too, which can wait until the page is shown.
  setTimeout(() => void refusals(), 1_500)
}
// Every page waits for registered loaders before it is first shown.
onLanguageLoad(load)
onRefused(() => refusals())

/**
 * Translates a sentence of the contract (messages.ts, errors.ts), found by its English text, and the office's names of
 * subjects, prizes, places and so on. Anything not found (people, numbers) is returned as it is.
 */
export function translateSentence(sentence: string): string {
  return lookup(sentence)
}

/** Like `translateSentence`, for components; follows a switch of language. */
export function useSentences(): Lookup {
  useLanguage()
  return useCurrent(() => current)
}
