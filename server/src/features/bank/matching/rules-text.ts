import { foldName } from '@podium/contract/names'

/**
 * Normalises letters and digits for comparison: O becomes 0, and leading zeros of digit runs are dropped, because people and
 * spreadsheets lose them. `VNK-0417`, `vnk 417` and `VNKO417` become equal.
 */
export function skeleton(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '')
    .replace(/O/g, '0')
    .replace(/(?<![0-9])0+/g, '')
}

/** The words of a narration, as split by the bank. */
export function wordsOf(narration: string): string[] {
  return narration
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)
}

/** The two forms in which a reference may appear: with separate parts, and joined. */
export function referenceKeys(reference: string): string[] {
  const parts = reference.split('-').map(skeleton).join('')
  return [...new Set([parts, skeleton(reference)])]
}

/** The season prefix of a reference, `PD27`. */
export function prefixOf(reference: string): string {
  return skeleton(reference.split('-')[0] ?? '')
}

interface Run {
  text: string
  /** Positions where words end */
  ends: ReadonlySet<number>
}

/** The texts that start at each word, or at the foundation's prefix within a word, with the words that follow. */
function beginnings(words: readonly string[], prefixes: readonly string[]): Run[] {
  const maxWords = 6
  const from = (first: string, index: number): Run => {
    let text = ''
    const ends = new Set<number>()
    for (const word of [first, ...words.slice(index + 1, index + maxWords)]) {
      text += skeleton(word)
      ends.add(text.length)
    }
    return { text, ends }
  }
  return words.flatMap((word, index) => {
    const inside = prefixes.flatMap((prefix) => {
      const start = word.replace(/O/g, '0').indexOf(prefix, 1)
      return start > 0 ? [from(word.slice(start), index)] : []
    })
    return [from(word, index), ...inside]
  })
}

/** A reference found in a narration; `weak` if more digits follow, so that it may be a different one. */
interface FoundReference {
  key: string
  weak: boolean
}

const shortestReference = 6

/** What `referencesIn` needs to know about existing references. */
interface KnownReferences {
  has(key: string): boolean
  longest: number
  prefixes: readonly string[]
}

/** References in a narration, however split; the longest at each position. */
export function referencesIn(narration: string, known: KnownReferences): FoundReference[] {
  const found = new Map<string, boolean>()
  for (const { text, ends } of beginnings(wordsOf(narration), known.prefixes)) {
    for (let length = Math.min(known.longest, text.length); length >= shortestReference; length--) {
      const key = text.slice(0, length)
      if (!known.has(key)) continue
      const runsOn = /[0-9]/.test(text[length] ?? '') && !ends.has(length)
      found.set(key, (found.get(key) ?? true) && runsOn)
      break
    }
  }
  return [...found].map(([key, weak]) => ({ key, weak }))
}

/** School codes in a narration, as one word or split into two or three. */
export function codesIn(
  narration: string,
  known: { has(key: string): boolean },
  prefixes: readonly string[],
): string[] {
  const words = wordsOf(narration)
  const found = new Set<string>()
  words.forEach((word, index) => {
    let text = ''
    for (const next of words.slice(index, index + 3)) {
      text += skeleton(next)
      if (text.length >= 4 && /[0-9]/.test(text) && known.has(text)) found.add(text)
    }
    const bare = word.replace(/O/g, '0')
    for (const prefix of prefixes) {
      const start = bare.indexOf(prefix)
      if (start < 0) continue
      const rest = skeleton(bare.slice(start + prefix.length))
      for (let length = Math.min(rest.length, 12); length >= 4; length--) {
        if (!known.has(rest.slice(0, length))) continue
        found.add(rest.slice(0, length))
        break
      }
    }
  })
  return [...found]
}

const shortestUtr = 8

/** Possible UTRs: the bank's column, long words of the narration, and grouped digits. */
export function utrsIn(utr: string, narration: string): string[] {
  const words = wordsOf(narration)
  const grouped = words.flatMap((word, index) => {
    if (!/^[0-9]+$/.test(word)) return []
    let text = word
    const joined: string[] = []
    for (const next of words.slice(index + 1, index + 4)) {
      if (!/^[0-9]+$/.test(next)) break
      text += next
      joined.push(text)
    }
    return joined
  })
  const keys = [utr, ...words, ...grouped].map(skeleton)
  return [...new Set(keys.filter((key) => key.length >= shortestUtr && /[0-9]/.test(key)))]
}

/** Words too common in school names. */
const common = new Set(
  `school schools public senior secondary sec sr high higher hs primary middle vidyalaya vidyalay college inter the of
  and for shri sri shree smt st saint english medium model international academy central kendriya government govt
  trust society education educational ltd from transfer neft imps rtgs upi account bank fees fee olympiad sch`
    .split(/\s+/)
    .filter(Boolean),
)

/** Finds schools by name in narrations. Rare words count more; words truncated by the bank still count. */
export class NameIndex {
  readonly #words = new Map<string, number[]>()
  readonly #weights: number[] = []
  readonly #ids: number[] = []
  #sorted: readonly string[] = []

  private constructor() {}

  /** Builds the index in steps: other work can run at each `yield`. */
  static *of(schools: readonly { id: number; name: string }[]): Generator<undefined, NameIndex> {
    const index = new NameIndex()
    const words: string[][] = []
    for (const { id, name } of schools) {
      const nameWords = distinctive(name)
      for (const word of nameWords) {
        const places = index.#words.get(word)
        if (places) places.push(words.length)
        else index.#words.set(word, [words.length])
      }
      words.push(nameWords)
      index.#ids.push(id)
      yield
    }
    for (const nameWords of words) {
      index.#weights.push(nameWords.reduce((sum, word) => sum + index.#weight(word), 0))
      yield
    }
    index.#sorted = [...index.#words.keys()].sort()
    return index
  }

  #weight(word: string): number {
    return Math.log(1 + this.#ids.length / (this.#words.get(word)?.length ?? 1))
  }

  /** Indexed words that equal this one or start with it. */
  #known(word: string): string[] {
    if (this.#words.has(word)) return [word]
    if (word.length < 4) return []
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle] ?? '') < word) low = middle + 1
      else high = middle
    }
    const begun: string[] = []
    for (let index = low; index < this.#sorted.length && begun.length < 5; index++) {
      const known = this.#sorted[index] ?? ''
      if (!known.startsWith(word)) break
      begun.push(known)
    }
    return begun
  }

  /** Schools whose names mostly occur, best first, at most five. */
  find(narration: string): number[] {
    const scores = new Map<number, number>()
    const maxPlaces = Math.max(50, this.#ids.length / 20)
    const counted = new Set<string>()
    for (const word of new Set(foldName(narration).split(' '))) {
      if (word.length < 3 || common.has(word)) continue
      for (const known of this.#known(word)) {
        const places = this.#words.get(known) ?? []
        if (places.length > maxPlaces || counted.has(known)) continue
        counted.add(known)
        for (const place of places) scores.set(place, (scores.get(place) ?? 0) + this.#weight(known))
      }
    }
    const fits = [...scores]
      .map(([place, score]) => ({ place, fit: score / (this.#weights[place] || 1) }))
      .filter(({ fit }) => fit >= 0.35)
      .sort((a, b) => b.fit - a.fit || a.place - b.place)
    if ((fits[0]?.fit ?? 0) < 0.6) return []
    return fits.slice(0, 5).flatMap(({ place }) => this.#ids[place] ?? [])
  }
}

function distinctive(name: string): string[] {
  const words = [
    ...new Set(
      foldName(name)
        .split(' ')
        .filter((word) => word.length >= 3),
    ),
  ]
  const rare = words.filter((word) => !common.has(word))
  return rare.length > 0 ? rare : words
}
