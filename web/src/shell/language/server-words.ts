import type { hindiNames } from '@podium/contract/catalogue/calls'
import { call } from '../call.ts'
import english from './english.ts'
import { type Language, loadCatalogue } from './language.ts'
import { buildLookup, type Lookup, type Names, type ServerWords } from './lookup.ts'

const sources = {
  messages: import.meta.glob('#words/*/messages.json'),
  sentences: import.meta.glob('#words/*/sentences.json'),
  transport: import.meta.glob('#words/*/transport.json'),
}
const refusals = import.meta.glob('#words/*/refusals.json')

/** How long a page stays blank waiting for the names, in ms. */
const maxWait = 3_000

/** Loads the class names and the office's names in this language; without them the English ones are shown. */
async function namesIn(language: Language): Promise<Names> {
  if (language !== 'hi') return {}
  const late = new AbortController()
  setTimeout(() => late.abort(), maxWait)
  return call(english.hindiNames as typeof hindiNames, { signal: late.signal }).then(
    ({ names }) => ({ ...english.hindiClasses, ...names }),
    () => english.hindiClasses,
  )
}

/**
 * Loads the server's sentences in another language. The error messages are only downloaded by `withRefusals`, which the
 * first refused call uses.
 */
export async function loadWords(
  language: Language,
): Promise<{ lookup: Lookup; withRefusals: () => Promise<Lookup> }> {
  const read = Object.entries(sources).map(async ([part, source]) => [
    part,
    await loadCatalogue(source, language),
  ])
  const [words, names] = await Promise.all([Promise.all(read), namesIn(language)])
  const translated = { ...Object.fromEntries(words), refusals: {} } as ServerWords
  return {
    lookup: buildLookup({ ...english, refusals: {} }, translated, names),
    withRefusals: async () => {
      const [inEnglish, inLanguage] = await Promise.all([
        import('./english-refusals.ts'),
        loadCatalogue(refusals, language) as Promise<ServerWords['refusals']>,
      ])
      return buildLookup(
        { ...english, refusals: inEnglish.default },
        { ...translated, refusals: inLanguage },
        names,
      )
    },
  }
}
