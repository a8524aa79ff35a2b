import type { MatchReason, MatchState } from '@podium/contract/bank/calls'
import { daysBetween } from '@podium/contract/season'
import {
  type BankLine,
  type Item,
  type LineClues,
  type Match,
  type MatchCandidates,
  missingFirst,
  Pointers,
  reason,
  subsetsWithSum,
  sumOf,
  unknown,
} from './rules-candidates.ts'

type TakenItems = ReadonlyMap<string, number>

/** A rejected item needs a person's decision. */
const rejected = (item: Item) => item.rejected !== ''

/** Matches one line, while some items are taken by other lines of the same run. */
class Attempt {
  readonly #line: BankLine
  readonly #candidates: MatchCandidates
  readonly #taken: TakenItems
  readonly #credits: ReadonlyMap<number, number>
  readonly #found: LineClues

  constructor(
    line: BankLine,
    candidates: MatchCandidates,
    taken: TakenItems,
    credits: ReadonlyMap<number, number>,
    found: LineClues,
  ) {
    this.#line = line
    this.#candidates = candidates
    this.#taken = taken
    this.#credits = credits
    this.#found = found
  }

  run(): Match {
    if (this.#line.bouncedOn != null)
      return this.#nobodys('bounced', reason('bounced', { day: this.#line.bouncedOn }))
    if (this.#line.sameAs != null) {
      const same = reason('same_utr', { text: this.#line.utr, lineId: this.#line.sameAs })
      // A UTR identifies one transfer: a second line with it is never new money.
      return this.#nobodys('duplicate', same)
    }
    return this.#byNames() ?? this.#byCode() ?? this.#bySchoolName() ?? this.#byAmount() ?? unknown(null, [])
  }

  /** Not new money, whatever it refers to. */
  #nobodys(state: 'duplicate' | 'bounced', reasons: MatchReason): Match {
    const { references, utrs, codes } = this.#found
    const schoolId = [...references, ...utrs][0]?.schoolId ?? codes[0] ?? null
    return { ...unknown(schoolId, [reasons]), state }
  }

  #free(items: readonly Item[]): Item[] {
    return items.filter((item) => item.state === 'open' && !this.#taken.has(item.key))
  }

  #unseen(items: readonly Item[]): Item[] {
    return items.filter((item) => item.state === 'paid' && !this.#taken.has(item.key))
  }

  #ofSchool(schoolId: number): readonly Item[] {
    return this.#candidates.ofSchool(schoolId)
  }

  /** What a school owes in the open seasons and those named; if nothing, what it owes in the closed one. */
  #owed(schoolId: number, named: readonly Item[] = []): Item[] {
    const free = this.#free(this.#ofSchool(schoolId))
    const meant = free.filter(({ closed, season }) => !closed || named.some((item) => item.season === season))
    return meant.length > 0 ? meant : free
  }

  #match(
    state: MatchState,
    items: readonly Item[],
    schoolId: number,
    reasons: MatchReason[],
    used = 0,
  ): Match {
    const parts = items.map(({ key, amount }) => ({ key, amount }))
    const credit = this.#line.amount + used - sumOf(items)
    return {
      state,
      schoolId,
      parts,
      credit,
      creditUsed: used,
      reasons: [...reasons, ...(items.some(rejected) ? [reason('rejected')] : []), ...this.#dayReason(items)],
    }
  }

  /** The bank's date is usually the school's, or up to three days later. */
  #dayReason(items: readonly Item[]): MatchReason[] {
    const [item] = items
    if (!item?.day) return []
    const apart = daysBetween(item.day, this.#line.day)
    return apart < -1 || apart > 4 ? [reason('day', { days: apart })] : []
  }

  /** Matches by reference or UTR; only these can be exact. */
  #byNames(): Match | undefined {
    const { references, utrs, weak } = this.#found
    const named = [...new Map([...references, ...utrs].map((item) => [item.key, item])).values()]
    const first = named[0]
    if (!first) return undefined
    const reasons = [
      ...(references.length > 0 ? [reason('reference', { text: references[0]?.reference ?? '' })] : []),
      ...(utrs.length > 0 ? [reason('utr', { text: utrs[0]?.utr ?? '' })] : []),
      ...(weak ? [reason('ambiguous', { count: references.length })] : []),
    ]
    const free = this.#free(named)
    const amount = this.#line.amount
    const early = missingFirst(free)[0]?.after
    if (early && sumOf(free) === amount)
      return unknown(first.schoolId, [
        ...reasons,
        reason('amount'),
        reason('pending_first', { text: early.reference }),
      ])
    if (free.length > 0 && sumOf(free) === amount) {
      const clear = !weak && !this.#contradicts() && free.length === named.length && !free.some(rejected)
      return this.#match(clear ? 'exact' : 'likely', free, first.schoolId, [
        ...reasons,
        reason('amount'),
        ...(free.length > 1 ? [reason('several', { count: free.length })] : []),
        ...(this.#contradicts() ? [reason('contradiction')] : []),
      ])
    }
    const unseen = this.#unseen(named)
    if (unseen.length > 0 && sumOf(unseen) === amount)
      return this.#match('already', unseen, first.schoolId, [...reasons, reason('amount')])
    if (new Set(named.map(({ schoolId }) => schoolId)).size > 1) return this.#amongMany(named, reasons)
    if (unseen.length > 0) return unknown(first.schoolId, [...reasons, reason('other_amount')])
    return this.#double(named, reasons) ?? this.#ofOne(first.schoolId, free, reasons, free.length === 0)
  }

  /** Whether reference and UTR refer to unrelated items. */
  #contradicts(): boolean {
    const { references, utrs } = this.#found
    if (references.length === 0 || utrs.length === 0) return false
    return !references.some((item) => utrs.some(({ schoolId }) => schoolId === item.schoolId))
  }

  /** Several schools are named and the amount does not cover all: match the one that fits, if it is unique. */
  #amongMany(named: readonly Item[], reasons: MatchReason[]): Match {
    const fits = this.#free(named).filter((item) => item.amount === this.#line.amount)
    const [only] = fits
    if (only && fits.length === 1)
      return this.#match('likely', [only], only.schoolId, [
        ...reasons,
        reason('amount'),
        reason('contradiction'),
      ])
    return unknown(null, [...reasons, reason('contradiction')])
  }

  /** The items named were paid by another transfer: this one is a repetition. */
  #double(named: readonly Item[], reasons: MatchReason[]): Match | undefined {
    const gone = named.find(
      (item) => item.amount === this.#line.amount && (item.state === 'settled' || this.#taken.has(item.key)),
    )
    if (!gone) return undefined
    const by = this.#taken.get(gone.key)
    return this.#match('likely', [], gone.schoolId, [
      ...reasons,
      reason('double', { text: gone.receiptNo, ...(by === undefined ? {} : { lineId: by }) }),
    ])
  }

  /** One school is meant, but the amount differs from the items named. */
  #ofOne(schoolId: number, named: readonly Item[], reasons: MatchReason[], gone = false): Match {
    const open = this.#owed(schoolId, named)
    const coversAll = sumOf(open) <= this.#line.amount && missingFirst(open).length === 0
    const wanted = named.length > 0 && !coversAll ? named : open
    const exact = this.#allOf(schoolId, reasons, named) ?? this.#withCredit(schoolId, wanted, reasons)
    if (exact) return exact
    // The items named already have their money; the line was not meant for other dues.
    if (gone && open.length > 0)
      return unknown(schoolId, [...reasons, reason('other_line'), reason('other_amount')])
    return this.#unequal(schoolId, wanted, open, reasons)
  }

  /** One transfer for several items of a school, including those named; of the closed season only if no others fit. */
  #allOf(schoolId: number, reasons: MatchReason[], named: readonly Item[] = []): Match | undefined {
    const setsOf = (items: readonly Item[]) =>
      subsetsWithSum(items, this.#line.amount).filter((set) => named.every((item) => set.includes(item)))
    const all = this.#free(this.#ofSchool(schoolId))
    const owed = this.#owed(schoolId, named)
    const fits = setsOf(owed)
    const [only, ...others] = fits.length === 0 && all.length > owed.length ? setsOf(all) : fits
    if (!only || others.length > 0) return undefined
    return this.#match('likely', only, schoolId, [
      ...reasons,
      reason('amount'),
      ...(only.length > 1 ? [reason('several', { count: only.length })] : []),
    ])
  }

  /** The school's credit covers the rest. */
  #withCredit(schoolId: number, wanted: readonly Item[], reasons: MatchReason[]): Match | undefined {
    const missing = sumOf(wanted) - this.#line.amount
    const credit = this.#credits.get(schoolId) ?? 0
    if (wanted.length === 0 || missing <= 0 || missing > credit || missingFirst(wanted).length > 0)
      return undefined
    return this.#match(
      'likely',
      wanted,
      schoolId,
      [...reasons, reason('with_credit', { amount: missing })],
      missing,
    )
  }

  /** Too much: the items, and the rest becomes credit. Too little: everything becomes credit until the rest arrives. */
  #unequal(schoolId: number, wanted: readonly Item[], open: readonly Item[], reasons: MatchReason[]): Match {
    const amount = this.#line.amount
    if (wanted.length === 0) {
      const nothing = open.length === 0
      return nothing
        ? this.#match('likely', [], schoolId, [...reasons, reason('nothing_due')])
        : unknown(schoolId, reasons)
    }
    const early = missingFirst(wanted)[0]?.after
    if (early) return unknown(schoolId, [...reasons, reason('pending_first', { text: early.reference })])
    const due = sumOf(wanted)
    const zero = due === amount * 10 || due * 10 === amount ? [reason('zero_lost', { amount: due })] : []
    if (amount > due)
      return this.#match('likely', wanted, schoolId, [
        ...reasons,
        reason('over', { amount: amount - due }),
        ...zero,
      ])
    return this.#match('likely', [], schoolId, [
      ...reasons,
      reason('part', { amount: due - amount }),
      ...zero,
    ])
  }

  /** Matches by school code, or by a truncated reference. */
  #byCode(): Match | undefined {
    const { codes, weakReferences } = this.#found
    const schools = [...new Set([...weakReferences.map(({ schoolId }) => schoolId), ...codes])]
    const [schoolId] = schools
    if (schoolId === undefined) return undefined
    const reasons = [
      weakReferences.length > 0
        ? reason('runs_on')
        : reason('code', { text: this.#candidates.codeOf(schoolId) }),
    ]
    if (schools.length > 1) {
      const fits = schools.flatMap((id) => this.#allOf(id, reasons) ?? [])
      return fits[0] && fits.length === 1 ? fits[0] : unknown(null, [...reasons, reason('contradiction')])
    }
    const match = this.#allOf(schoolId, reasons)
    if (match) return match
    const unseen = this.#unseen(this.#ofSchool(schoolId)).filter(
      (item) => item.amount === this.#line.amount && (!item.closed || this.#near(item)),
    )
    if (unseen[0] && unseen.length === 1)
      return this.#match('already', unseen, schoolId, [...reasons, reason('amount')])
    return this.#ofOne(schoolId, [], reasons)
  }

  /** Matches by school name, only if the amount fits too. */
  #bySchoolName(): Match | undefined {
    const { names } = this.#found
    const [hint] = names
    if (hint === undefined) return undefined
    const reasons = [reason('name')]
    const fits = names.flatMap((id) => this.#allOf(id, reasons) ?? [])
    if (fits[0] && fits.length === 1) return fits[0]
    if (fits.length > 1) return unknown(null, [...reasons, reason('ambiguous', { count: fits.length })])
    const unseen = names.flatMap((id) => this.#unseen(this.#ofSchool(id))).filter((item) => this.#near(item))
    if (unseen[0] && unseen.length === 1)
      return this.#match('already', unseen, unseen[0].schoolId, [...reasons, reason('amount')])
    return unknown(hint, [...reasons, reason('other_amount')])
  }

  /** Whether a payment was sent around this day. */
  #near(item: Item): boolean {
    if (item.amount !== this.#line.amount || !item.day) return false
    return Math.abs(daysBetween(item.day, this.#line.day)) <= 10
  }

  #byAmount(): Match | undefined {
    const near = this.#free(this.#candidates.sentOf(this.#line.amount)).filter((item) => this.#near(item))
    const [only] = near
    if (!only) return undefined
    if (near.length > 1) return unknown(null, [reason('ambiguous', { count: near.length })])
    return this.#match('likely', [only], only.schoolId, [reason('only_amount')])
  }
}

/**
 * Finds what each bank line of money is for. Pure: the same lines and candidates give the same matches, in any order. No item
 * is matched twice. Runs in steps, because a large statement takes longer than other requests can wait: they run at each
 * `yield`. docs/algorithms/bank-lines.md
 */
export function* matching(
  lines: readonly BankLine[],
  candidates: MatchCandidates,
): Generator<undefined, Map<number, Match>> {
  const pointers = yield* Pointers.of(candidates)
  const inOrder = [...lines].sort((a, b) => (a.day === b.day ? a.id - b.id : a.day < b.day ? -1 : 1))
  const found: { line: BankLine; clues: LineClues }[] = []
  for (const line of inOrder) {
    found.push({ line, clues: pointers.find(line) })
    yield
  }
  const matches = new Map<number, Match>()
  const taken = new Map<string, number>()
  const credits = new Map(candidates.credits)
  // Certain matches first: a line that only seems to fit never takes an item from one that names it.
  for (const wanted of ['exact', 'already', 'likely', 'duplicate', 'bounced', 'unknown'] as const) {
    for (const { line, clues } of found) {
      if (matches.has(line.id)) continue
      const match = new Attempt(line, candidates, taken, credits, clues).run()
      yield
      if (match.state !== wanted && wanted !== 'unknown') continue
      // A suggestion that only became possible now is still the best one.
      matches.set(line.id, match)
      for (const { key } of match.parts) taken.set(key, line.id)
      const { schoolId, creditUsed } = match
      if (schoolId !== null && creditUsed > 0)
        credits.set(schoolId, (credits.get(schoolId) ?? 0) - creditUsed)
    }
  }
  return matches
}

/** The same without a pause. */
export function matchLines(lines: readonly BankLine[], candidates: MatchCandidates): Map<number, Match> {
  const steps = matching(lines, candidates)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
