import { useSyncExternalStore } from 'react'
import { onRefused } from '../call.ts'
import { type Language, onLanguageLoad, useLanguage } from './language.ts'
import type { Lookup } from './lookup.ts'

let lookup: Lookup = String
/** What components get: another whenever the words change, and each says what is known by the time that it is asked. */
let current: Lookup = String
function use(words: Lookup): void {
  lookup = words
  current = (sentence) => lookup(sentence)
}
/** Downloads why calls are refused, where that is not known yet. */
let refusals = async () => undefined as unknown
/** Whether that has been downloaded once: each page that comes later waits for its words, and must not lose it. */
let complete = false
const listeners = new Set<() => void>()

const load = async (language: Language) => {
  if (language === 'en') {
    use(String)
    refusals = async () => undefined
    return
  }
  const words = await (await import('./server-words.ts')).serverWordsIn(language)
  if (complete) {
    use(await words.withRefusals())
    return
  }
  use(words.lookup)
  let asked: Promise<unknown> | undefined
  const download = async () => {
    const all = await words.withRefusals()
    if (lookup !== words.lookup) return
    complete = true
    use(all)
    for (const tell of listeners) tell()
  }
  refusals = () => {
    asked ??= download().catch(() => {
      asked = undefined
    })
    return asked
  }
  // What is disabled says why, too; that waits until the page has come.
  setTimeout(() => void refusals(), 1_500)
}
// Every page waits for what has announced itself before it is shown first.
onLanguageLoad(load)
onRefused(() => refusals())

/**
 * The sentence of the contract (messages.ts, errors.ts) in the language of the page, found by its English words.
 * So are subjects, prizes, places and what else the office names. What is not found (people, figures) is given back as
 * it is.
 */
export function translateSentence(sentence: string): string {
  return lookup(sentence)
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** The same inside a component, following a switch of language. */
export function useSentences(): Lookup {
  useLanguage()
  const now = () => current
  return useSyncExternalStore(subscribe, now, now)
}
