/** Beginnings of transport failures (specification, section 8), followed by a detail for support. */
export const beginnings = {
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

function patternsOf(sentences: Words, own: Words): Pattern[] {
  const patterns = Object.entries(sentences).map(([key, english]) => {
    const parts = english.split(place).map((part, at) => (at % 2 === 1 ? `(?<${part}>.+?)` : plain(part)))
    const fixed = english.replace(place, '').length
    return { english: new RegExp(`^${parts.join('')}$`, 'u'), own: own[key] ?? english, fixed }
  })
  return patterns.sort((one, other) => other.fixed - one.fixed)
}

/** Names of classes, and of subjects, prizes, places … given by the office in both languages, by their English. */
export type Names = Words

/** Translates a sentence of the server to the page's language. */
export type Lookup = (sentence: string) => string

/**
 * Builds a lookup by English text, for the server's sentences and the office's names; several names may be joined by
 * commas or semicolons. Anything not found (people, numbers) is returned as it is.
 */
export function lookupIn(english: ServerWords, own: ServerWords, names: Names = {}): Lookup {
  const byEnglish = new Map<string, string>(Object.entries(names))
  for (const part of ['refusals', 'messages', 'transport'] as const)
    for (const [key, sentence] of Object.entries(english[part]))
      byEnglish.set(sentence, own[part][key] ?? sentence)
  const patterns = patternsOf(english.sentences, own.sentences)
  const said = (sentence: string): string | undefined => {
    for (const { english: wanted, own: words } of patterns) {
      const found = wanted.exec(sentence)
      if (found) return words.replace(place, (_, name: string) => lookup(found.groups?.[name] ?? ''))
    }
    return undefined
  }
  const listed = (sentence: string): string | undefined => {
    const parts = sentence.split(/([,;] ?)/)
    const named = (part: string, at: number) => at % 2 === 1 || part in names
    return parts.length > 1 && parts.every(named)
      ? parts.map((part) => names[part] ?? part).join('')
      : undefined
  }
  /** Translates a class with its section: `Class 7 A`. */
  const inSection = (sentence: string): string | undefined => {
    const name = names[sentence.slice(0, -2)]
    return name && / [A-Z]$/.test(sentence) ? name + sentence.slice(-2) : undefined
  }
  function lookup(sentence: string): string {
    const whole = byEnglish.get(sentence) ?? listed(sentence) ?? inSection(sentence) ?? said(sentence)
    if (whole !== undefined) return whole
    const found = Object.values(beginnings).find((english) => sentence.startsWith(english))
    return found ? (byEnglish.get(found) ?? found) + lookup(sentence.slice(found.length)) : sentence
  }
  return lookup
}
