import type { Language } from './language.ts'
import { lookupIn, type ServerWords } from './lookup.ts'
import { catalogueIn } from './words.ts'

const sources = {
  refusals: import.meta.glob('#words/*/refusals.json'),
  messages: import.meta.glob('#words/*/messages.json'),
  sentences: import.meta.glob('#words/*/sentences.json'),
  transport: import.meta.glob('#words/*/transport.json'),
}

/** What the server says, in a language other than its own. */
export async function serverWordsIn(language: Language): Promise<(sentence: string) => string> {
  const read = Object.entries(sources).map(async ([part, source]) => [
    part,
    await catalogueIn(source, language),
  ])
  return lookupIn(Object.fromEntries(await Promise.all(read)) as ServerWords)
}
