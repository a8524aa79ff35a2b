/** Beginnings of transport failures (specification, section 8), followed by a detail for support. */
export const failurePrefixes = {
  internal: 'Internal Server Error: ',
  unknown: 'Unknown Server Error: ',
  denied: 'Access Denied: ',
  notFound: 'Not Found: ',
  error: 'Error: ',
} as const

type Words = Readonly<Record<string, string>>

/** The server's sentences in one language, by file; `sentences` have placeholders. */
export type ServerWords = Record<'messages' | 'sentences' | 'transport' | 'refusals', Words>

interface Pattern {
  english: RegExp
  own: string
  /** Number of its fixed letters; the pattern with most of them matches best */
  fixed: number
}

const place = /\{(\w+)\}/g
const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function patternsOf(sentences: Words, translated: Words): Pattern[] {
  const patterns = Object.entries(sentences).map(([key, english]) => {
    const parts = english
      .split(place)
      .map((part, index) => (index % 2 === 1 ? `(?<${part}>.+?)` : plain(part)))
    const fixed = english.replace(place, '').length
    return { english: new RegExp(`^${parts.join('')}$`, 'u'), own: translated[key] ?? english, fixed }
  })
  return patterns.sort((a, b) => b.fixed - a.fixed)
}

/** Names of classes, and of subjects, prizes, places … given by the office in both languages, by their English. */
export type Names = Words

/** Translates a sentence of the server to the page's language. */
export type Lookup = (sentence: string) => string

/**
 * Builds a lookup by English text, for the server's sentences and the office's names; several names may be joined by
 * commas or semicolons. Anything not found (people, numbers) is returned as it is.
 */
export function buildLookup(english: ServerWords, translated: ServerWords, names: Names = {}): Lookup {
  const byEnglish = new Map<string, string>(Object.entries(names))
  for (const part of ['refusals', 'messages', 'transport'] as const)
    for (const [key, sentence] of Object.entries(english[part]))
      byEnglish.set(sentence, translated[part][key] ?? sentence)
  const patterns = patternsOf(english.sentences, translated.sentences)
  const translatePattern = (sentence: string): string | undefined => {
    for (const { english: pattern, own: words } of patterns) {
      const match = pattern.exec(sentence)
      if (match) return words.replace(place, (_, name: string) => lookup(match.groups?.[name] ?? ''))
    }
    return undefined
  }
  const listed = (sentence: string): string | undefined => {
    const parts = sentence.split(/([,;] ?)/)
    const isName = (part: string, index: number) => index % 2 === 1 || part in names
    return parts.length > 1 && parts.every(isName)
      ? parts.map((part) => names[part] ?? part).join('')
      : undefined
  }
  /** Translates a class with its section: `Class 7 A`. */
  const inSection = (sentence: string): string | undefined => {
    const name = names[sentence.slice(0, -2)]
    return name && / [A-Z]$/.test(sentence) ? name + sentence.slice(-2) : undefined
  }
  function lookup(sentence: string): string {
    const translation =
      byEnglish.get(sentence) ?? listed(sentence) ?? inSection(sentence) ?? translatePattern(sentence)
    if (translation !== undefined) return translation
    const beginning = Object.values(failurePrefixes).find((english) => sentence.startsWith(english))
    return beginning
      ? (byEnglish.get(beginning) ?? beginning) + lookup(sentence.slice(beginning.length))
      : sentence
  }
  return lookup
}
