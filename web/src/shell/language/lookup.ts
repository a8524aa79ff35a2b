import { catalogueMessages } from '@podium/contract/catalogue/messages'
import { errors } from '@podium/contract/errors'
import { messages } from '@podium/contract/messages'
import { sentences } from '@podium/contract/sentences'
import { transportDetails } from '../transport-words.ts'

/** The beginnings of transport failures (specification, section 8); what follows is a detail for support. */
const beginnings = {
  internal: 'Internal Server Error: ',
  unknown: 'Unknown Server Error: ',
  denied: 'Access Denied: ',
  notFound: 'Not Found: ',
  error: 'Error: ',
} as const

/** What the server and the shared rules say in English, by the names of the files that have it in other languages. */
export const serverWords = {
  refusals: Object.fromEntries(Object.entries(errors).map(([code, { sentence }]) => [code, sentence])),
  messages: { ...messages, ...catalogueMessages } as Readonly<Record<string, string>>,
  sentences: sentences as Readonly<Record<string, string>>,
  transport: { ...beginnings, ...transportDetails } as Readonly<Record<string, string>>,
}

/** The same in another language. */
export type ServerWords = Record<keyof typeof serverWords, Readonly<Record<string, string>>>

interface Pattern {
  english: RegExp
  own: string
  /** How many letters of it are fixed: the more of them, the surer it is the one that was meant */
  fixed: number
}

const place = /\{(\w+)\}/g
const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function patternsOf(own: Readonly<Record<string, string>>): Pattern[] {
  const patterns = Object.entries(sentences).map(([key, english]) => {
    const parts = english.split(place).map((part, at) => (at % 2 === 1 ? `(?<${part}>.+?)` : plain(part)))
    const fixed = english.replace(place, '').length
    return { english: new RegExp(`^${parts.join('')}$`, 'u'), own: own[key] ?? english, fixed }
  })
  return patterns.sort((one, other) => other.fixed - one.fixed)
}

/** Names of classes, and of subjects, prizes, places … which the office has given in both languages, by the English one. */
export type Names = Readonly<Record<string, string>>

/**
 * Finds a sentence of the server by its English words, or what the office has named; several names may be joined by
 * commas or semicolons. What is not found (people, figures) is given back as it is.
 */
export function lookupIn(own: ServerWords, names: Names = {}): (sentence: string) => string {
  const byEnglish = new Map<string, string>(Object.entries(names))
  for (const part of ['refusals', 'messages', 'transport'] as const)
    for (const [key, english] of Object.entries(serverWords[part]))
      byEnglish.set(english, own[part][key] ?? english)
  const patterns = patternsOf(own.sentences)
  const said = (sentence: string): string | undefined => {
    for (const { english, own: words } of patterns) {
      const found = english.exec(sentence)
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
  /** A class with its section: `Class 7 A`. */
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
