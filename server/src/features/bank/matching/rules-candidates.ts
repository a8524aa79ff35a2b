import type { MatchReason, MatchState } from '@podium/contract/bank/calls'
import type { Paise } from '@podium/contract/money'
import type { Purpose } from '@podium/contract/payments/rules'
import { codesIn, NameIndex, prefixOf, referenceKeys, referencesIn, skeleton, utrsIn } from './rules-text.ts'

/** A received transfer; the amount in paise. */
export interface BankLine {
  id: number
  /** `2026-11-18` */
  day: string
  amount: Paise
  utr: string
  narration: string
  /** An earlier line with the same UTR and amount that was not ignored */
  sameAs?: number | null
  /** The day on which the bank returned the money under the same UTR */
  bouncedOn?: string | null
}

/**
 * The match of a bank line. Parts plus new credit always equal the line's amount plus used credit. For `unknown`, `duplicate`
 * and `bounced` both are empty, and the school, if any, is a hint.
 */
export interface Match {
  state: MatchState
  schoolId: number | null
  /** Keys of items with their amounts */
  parts: { key: string; amount: number }[]
  credit: number
  creditUsed: number
  reasons: MatchReason[]
}

export const unknown = (schoolId: number | null, reasons: MatchReason[]): Match => ({
  state: 'unknown',
  schoolId,
  parts: [],
  credit: 0,
  creditUsed: 0,
  reasons,
})

export const reason = (code: MatchReason['code'], more: Partial<MatchReason> = {}): MatchReason => ({
  code,
  ...more,
})

/** Something that money can be for: a payment or a due; amounts in paise. */
export interface Item {
  /** `p123` for payment 123, `d45-2026-27-books` for what school 45 owes but has not reported as paid */
  key: string
  /** Null if the school has not reported a payment */
  paymentId: number | null
  schoolId: number
  season: string
  purpose: Purpose
  reference: string
  amount: Paise
  utr: string
  /** The payment date given by the school; empty if none */
  day: string
  /** `paid`: verified by hand, money not found yet. `settled`: verified, and money found. */
  state: 'open' | 'paid' | 'settled'
  receiptNo: string
  /** Why the last payment with this reference was rejected; empty if none was, it was withdrawn or was sent again */
  rejected: string
  /** Of a closed season, and not a pending payment: matched by its reference, or if nothing in an open season fits */
  closed: boolean
  /** The pending payment of the same fee, which must be paid with it; null if there is none */
  after: { key: string; reference: string } | null
}

export interface KnownSchool {
  id: number
  code: string
  name: string
}

/** Everything bank lines are matched against, with indexes. */
export class MatchCandidates {
  readonly schools: readonly KnownSchool[]
  readonly items: readonly Item[]
  /** Schools' credits, in paise */
  readonly credits: ReadonlyMap<number, number>
  /** The index of schools, if it exists already */
  readonly pointers: SchoolPointers | undefined
  readonly #bySchool: Map<number, Item[]>
  readonly #sent: Map<number, Item[]>
  readonly #codes: Map<number, string>

  constructor(
    schools: readonly KnownSchool[],
    items: readonly Item[],
    credits: ReadonlyMap<number, number> = new Map(),
    pointers?: SchoolPointers,
  ) {
    this.pointers = pointers
    this.schools = schools
    this.items = items
    this.credits = credits
    this.#bySchool = Map.groupBy(items, (item) => item.schoolId)
    this.#sent = Map.groupBy(
      items.filter((item) => item.paymentId !== null && item.state === 'open'),
      (item) => item.amount,
    )
    this.#codes = new Map(schools.map(({ id, code }) => [id, code]))
  }

  ofSchool(schoolId: number): readonly Item[] {
    return this.#bySchool.get(schoolId) ?? []
  }

  /** Pending payments reported by schools with exactly this amount. */
  sentOf(amount: number): readonly Item[] {
    return this.#sent.get(amount) ?? []
  }

  codeOf(schoolId: number): string {
    return this.#codes.get(schoolId) ?? ''
  }
}

/** What a line refers to, regardless of its amount. */
export interface LineClues {
  references: readonly Item[]
  /** Includes a reference that is followed by more digits */
  weak: boolean
  /** Items found only through such an incomplete reference */
  weakReferences: readonly Item[]
  utrs: readonly Item[]
  /** Ids of schools, by code and by name */
  codes: readonly number[]
  names: readonly number[]
}

/** Finds schools named in a narration, by code or name. */
export class SchoolPointers {
  readonly #codes = new Map<string, number[]>()
  readonly #names: NameIndex

  private constructor(names: NameIndex) {
    this.#names = names
  }

  /** Built in steps: other work can run at each `yield`. */
  static *of(schools: readonly KnownSchool[]): Generator<undefined, SchoolPointers> {
    const pointers = new SchoolPointers(yield* NameIndex.of(schools))
    for (const { id, code } of schools) {
      addTo(pointers.#codes, skeleton(code), id)
      yield
    }
    return pointers
  }

  /** Schools whose codes occur; a code that two schools share without its zeros counts for neither. */
  codes(narration: string, prefixes: readonly string[]): number[] {
    return codesIn(narration, this.#codes, prefixes).flatMap((key) => this.#codes.get(key) ?? [])
  }

  names(narration: string): number[] {
    // Merged schools are indexed under both names.
    return [...new Set(this.#names.find(narration))]
  }
}

function addTo<Value>(index: Map<string, Value[]>, key: string, value: Value): void {
  const values = index.get(key)
  if (values) values.push(value)
  else index.set(key, [value])
}

/** Finds what a line refers to: references, UTRs, codes and names of schools. */
export class Pointers {
  readonly #references = new Map<string, Item[]>()
  readonly #utrs = new Map<string, Item[]>()
  readonly #schools: SchoolPointers
  #prefixes: readonly string[] = []
  #longest = 0

  private constructor(schools: SchoolPointers) {
    this.#schools = schools
  }

  /** Built in steps: other work can run at each `yield`. */
  static *of(candidates: MatchCandidates): Generator<undefined, Pointers> {
    const prefixes = new Set<string>()
    const pointers = new Pointers(candidates.pointers ?? (yield* SchoolPointers.of(candidates.schools)))
    for (const item of candidates.items) {
      prefixes.add(prefixOf(item.reference))
      for (const key of referenceKeys(item.reference)) {
        addTo(pointers.#references, key, item)
        pointers.#longest = Math.max(pointers.#longest, key.length)
      }
      const utr = skeleton(item.utr)
      if (utr.length >= 8) addTo(pointers.#utrs, utr, item)
      yield
    }
    pointers.#prefixes = [...prefixes].filter(Boolean)
    return pointers
  }

  find({ narration, utr }: BankLine): LineClues {
    const known = {
      has: (key: string) => this.#references.has(key),
      longest: this.#longest,
      prefixes: this.#prefixes,
    }
    const found = referencesIn(narration, known)
    const items = (weak: boolean) =>
      found.filter((item) => item.weak === weak).flatMap(({ key }) => this.#references.get(key) ?? [])
    const references = items(false)
    const utrs = utrsIn(utr, narration).flatMap((key) => this.#utrs.get(key) ?? [])
    // References that are equal without their zeros are not certain.
    const shared = found.some(({ key }) => schoolsOf(this.#references.get(key) ?? []) > 1)
    const codes =
      references.length > 0 || utrs.length > 0 ? [] : this.#schools.codes(narration, this.#prefixes)
    const sure = references.length > 0 || utrs.length > 0 || codes.length > 0
    return {
      references,
      weak: shared,
      weakReferences: references.length > 0 ? [] : items(true),
      utrs,
      codes,
      names: sure ? [] : this.#schools.names(narration),
    }
  }
}

const schoolsOf = (items: readonly Item[]) => new Set(items.map(({ schoolId }) => schoolId)).size

export function sumOf(items: readonly { amount: number }[]): number {
  return items.reduce((sum, { amount }) => sum + amount, 0)
}

const maxItems = 8

/** The items that can only be paid together with a pending payment that is not among them. */
export function missingFirst(items: readonly Item[]): Item[] {
  return items.filter(({ after }) => after !== null && !items.some(({ key }) => key === after.key))
}

/** All subsets of these items (at most the first eight) that add up to exactly this amount. */
export function subsetsWithSum(items: readonly Item[], amount: number): Item[][] {
  const some = items.slice(0, maxItems)
  const ways: Item[][] = []
  for (let mask = 1; mask < 1 << some.length; mask++) {
    const chosen = some.filter((_, index) => mask & (1 << index))
    if (sumOf(chosen) === amount && missingFirst(chosen).length === 0) ways.push(chosen)
  }
  return ways
}
