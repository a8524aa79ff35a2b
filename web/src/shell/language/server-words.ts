import type { hindiNames } from '@podium/contract/catalogue/calls'
import { call } from '../call.ts'
import english from './english.ts'
import { catalogueIn, type Language } from './language.ts'
import { type Lookup, lookupIn, type Names, type ServerWords } from './lookup.ts'

const sources = {
  messages: import.meta.glob('#words/*/messages.json'),
  sentences: import.meta.glob('#words/*/sentences.json'),
  transport: import.meta.glob('#words/*/transport.json'),
}
const refusals = import.meta.glob('#words/*/refusals.json')

/** A page is blank until the names have come or this long has passed. */
const mostWait = 3_000

/** The classes and what the office has named in this language; where its names don't come the English ones are shown. */
async function namesIn(language: Language): Promise<Names> {
  if (language !== 'hi') return {}
  const late = new AbortController()
  setTimeout(() => late.abort(), mostWait)
  return call(english.hindiNames as typeof hindiNames, { signal: late.signal }).then(
    ({ names }) => ({ ...english.hindiClasses, ...names }),
    () => english.hindiClasses,
  )
}

/**
 * What the server says, in a language other than its own; why it refuses is downloaded when `withRefusals` is called, by
 * the first that is refused, and found from then on.
 */
export async function serverWordsIn(
  language: Language,
): Promise<{ lookup: Lookup; withRefusals: () => Promise<Lookup> }> {
  const read = Object.entries(sources).map(async ([part, source]) => [
    part,
    await catalogueIn(source, language),
  ])
  const [words, names] = await Promise.all([Promise.all(read), namesIn(language)])
  const own = { ...Object.fromEntries(words), refusals: {} } as ServerWords
  return {
    lookup: lookupIn({ ...english, refusals: {} }, own, names),
    withRefusals: async () => {
      const [inEnglish, inOwn] = await Promise.all([
        import('./english-refusals.ts'),
        catalogueIn(refusals, language) as Promise<ServerWords['refusals']>,
      ])
      return lookupIn({ ...english, refusals: inEnglish.default }, { ...own, refusals: inOwn }, names)
    },
  }
}
