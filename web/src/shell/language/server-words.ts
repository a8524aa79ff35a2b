import type { hindiNames } from '@podium/contract/catalogue/calls'
import { hindiNamesPath } from '@podium/contract/catalogue/paths'
import { classes } from '@podium/contract/classes'
import { hindiClassName } from '@podium/contract/students/rules-class'
import { call } from '../call.ts'
import { catalogueIn, type Language } from './language.ts'
import { lookupIn, type Names, type ServerWords } from './lookup.ts'

const sources = {
  refusals: import.meta.glob('#words/*/refusals.json'),
  messages: import.meta.glob('#words/*/messages.json'),
  sentences: import.meta.glob('#words/*/sentences.json'),
  transport: import.meta.glob('#words/*/transport.json'),
}

/** A page is blank until the names have come or this long has passed. */
const mostWait = 3_000

/** The classes and what the office has named in this language; where its names don't come the English ones are shown. */
async function namesIn(language: Language): Promise<Names> {
  if (language !== 'hi') return {}
  const own = Object.fromEntries(classes.map((one) => [one.className, hindiClassName(one.classId)]))
  const late = new AbortController()
  setTimeout(() => late.abort(), mostWait)
  return call(hindiNamesPath as typeof hindiNames, { signal: late.signal }).then(
    ({ names }) => ({ ...own, ...names }),
    () => own,
  )
}

/** What the server says, in a language other than its own. */
export async function serverWordsIn(language: Language): Promise<(sentence: string) => string> {
  const read = Object.entries(sources).map(async ([part, source]) => [
    part,
    await catalogueIn(source, language),
  ])
  const names = namesIn(language)
  return lookupIn(Object.fromEntries(await Promise.all(read)) as ServerWords, await names)
}
