import * as z from 'zod/mini'
import { type BookKind, bookKinds, bookNames } from '../classes.ts'
import type { Issue } from '../endpoint.ts'
import { messages } from '../messages.ts'
import { fromRupees, type Paise, paise, roundPaise, rupees, sumPaise } from '../money.ts'
import { formatSentence } from '../sentences.ts'
import type { BookOption, Subject } from './calls.ts'

/** Most slabs a rule may have; with more it would be unreadable. */
export const maxSlabs = 10

/** From this number of students on, the school keeps this amount of each entry, in rupees. */
const slab = z.strictObject({
  from: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  share: z.number().check(z.minimum(0), z.maximum(100_000)),
})

type ShareSlab = z.output<typeof slab>

/**
 * How much of a price the school keeps: the amount stored with the price, a percentage of it, or an amount that depends
 * on the school's number of students. Slabs apply to registration fees only; of books it keeps the stored amount.
 */
export const shareRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('perHead') }),
  z.strictObject({ kind: z.literal('percent'), percent: z.number().check(z.minimum(0), z.maximum(100)) }),
  z.strictObject({
    kind: z.literal('slabs'),
    slabs: z.array(slab).check(z.minLength(1), z.maxLength(maxSlabs)),
  }),
])

export type ShareRule = z.output<typeof shareRule>

/** The school's share of one price, never more than the price. The only rounding in the fee logic. */
export function retainedOf(rule: ShareRule, price: Paise, perHead: Paise): Paise {
  const share = rule.kind === 'percent' ? roundPaise((price * rule.percent) / 100) : perHead
  return paise(Math.min(price, share))
}

/** Returns the slab for a number of students and the next slab; the first slab if there are no students yet. */
export function slabOf(slabs: readonly ShareSlab[], heads: number) {
  const reached = slabs.filter(({ from }, index) => index === 0 || from <= heads)
  return { slab: reached.at(-1), next: slabs[reached.length] }
}

/** The school's share of one registration fee, its late fee not counted, for a school with `heads` students. */
export function feeShareOf(rule: ShareRule, price: Paise, perHead: Paise, heads: number): Paise {
  if (rule.kind !== 'slabs') return retainedOf(rule, price, perHead)
  return retainedOf(rule, price, fromRupees(slabOf(rule.slabs, heads).slab?.share ?? 0))
}

/** A price with the school's share of it. */
interface PricedItem {
  price: Paise
  retained: Paise
}

/** A subject as offered to a class in a season: its fee and its books. */
export interface OfferedSubject extends PricedItem {
  letter: string
  name: string
  /** The late fee included in the price */
  late?: Paise
  books: Partial<Record<BookKind, PricedItem>>
}

/** What is chosen for a student: subjects by name or letter, and for each kind of book its subjects. */
export interface Choice {
  subjects: readonly string[]
  books: Readonly<Record<BookKind, readonly string[]>>
}

interface BookLine extends PricedItem {
  letter: string
  name: string
  kind: BookKind
}
interface RegistrationLine extends PricedItem {
  letter: string
  name: string
  /** The late fee included in the price; the school keeps nothing of it */
  late: Paise
}

/** The four amounts of a student (specification, section 4, fee logic), in paise. */
export interface StudentFee {
  regAmount: Paise
  schoolExpenses: Paise
  bookAmount: Paise
  bookSchoolExpenses: Paise
}

export interface PricedChoice {
  registration: RegistrationLine[]
  books: BookLine[]
  fee: StudentFee
  /** Choices that are not on offer, by field: `subjectName`, `cb` … */
  issues: Issue[]
  /** Alternative names that were read as a subject, as written: «Maths» for Mathematics */
  readAs: SubjectReading[]
}

interface SubjectReading {
  written: string
  name: string
}

function totals(registration: readonly PricedItem[], books: readonly PricedItem[]): StudentFee {
  return {
    regAmount: sumPaise(registration.map((line) => line.price)),
    schoolExpenses: sumPaise(registration.map((line) => line.retained)),
    bookAmount: sumPaise(books.map((line) => line.price)),
    bookSchoolExpenses: sumPaise(books.map((line) => line.retained)),
  }
}

const none = paise(0)

/** The late fee included in a student's registration fee. */
export function lateFeeOf({ registration }: Pick<PricedChoice, 'registration'>): Paise {
  return sumPaise(registration.map((line) => line.late))
}

const fold = (text: string) => text.normalize('NFKC').trim().toLowerCase()

/** Alternative names of subjects, accepted without asking. Misspellings do not belong here. */
const alternativeNames: ReadonlyArray<readonly [subject: RegExp, names: readonly string[]]> = [
  [/^math/, ['math', 'maths', 'ganit', 'गणित']],
  [/^science$/, ['sci', 'vigyan', 'विज्ञान']],
  [/^english$/, ['eng', 'अंग्रेजी', 'अंग्रेज़ी']],
  [/^general knowledge$/, ['gk', 'gen knowledge', 'सामान्य ज्ञान']],
  [/^social/, ['sst', 'social', 'social science', 'social studies', 'so sc', 'सामाजिक', 'सामाजिक विज्ञान']],
  [/^hindi$/, ['हिंदी', 'हिन्दी']],
  [/^reasoning$/, ['logic', 'logical reasoning', 'mental ability', 'तर्क']],
  [/^environment/, ['evs', 'environment', 'environmental studies', 'पर्यावरण']],
  [/^financial/, ['finance', 'financial literacy']],
  [/^computer/, ['computer', 'computers', 'computer science', 'cs', 'कंप्यूटर', 'कम्प्यूटर']],
]
const bareName = (name: string) => fold(name).replace(/^little star: /, '')

/** Returns the only subject on offer with this alternative name, with or without «Olympiad» after it. */
function findByAlternativeName(
  offer: readonly OfferedSubject[],
  written: string,
): OfferedSubject | undefined {
  const word = fold(written)
    .replace(/\./g, '')
    .replace(/\s*\b(?:olympiad|exam)s?$/, '')
  const entry = alternativeNames.find(([, names]) => names.includes(word))
  const matches = offer.filter(({ name }) => bareName(name) === word || entry?.[0].test(bareName(name)))
  return matches.length === 1 ? matches[0] : undefined
}

/** Splits a text into names: `Maths & Science`, `Maths and Science`, `Maths + Science`, `Maths / Science`. */
export const splitNames = (text: string): string[] =>
  text
    .split(/\s+(?:and|और|व)\s+|[&+/,;|]/i)
    .map((name) => name.trim())
    .filter((name) => name !== '')

/**
 * Prices a student's choice from what the class is offered; the form, import and server all use this function
 * (docs/algorithms/fees.md). Lines are in the order of the offer, each subject and book once.
 */
export function priceChoice(
  offer: readonly OfferedSubject[],
  choice: Choice,
  /** Alternative names, in lower case, that must not be read as a subject */
  notTaken?: ReadonlySet<string>,
): PricedChoice {
  const byName = new Map<string, OfferedSubject>()
  for (const subject of offer) {
    byName.set(fold(subject.letter), subject)
    byName.set(fold(subject.name), subject)
  }
  const issues: Issue[] = []
  const readAs: SubjectReading[] = []
  const find = (field: string, names: readonly string[]) => {
    const subjects = new Set<OfferedSubject>()
    for (const name of names.flatMap((text) => (byName.has(fold(text)) ? text : splitNames(text)))) {
      const match = byName.get(fold(name))
      const subject = match ?? (notTaken?.has(fold(name)) ? undefined : findByAlternativeName(offer, name))
      if (subject) subjects.add(subject)
      if (subject && !match && !readAs.some(({ written }) => written === name))
        readAs.push({ written: name, name: subject.name })
      if (!subject) issues.push({ path: field, message: formatSentence('notForClass', { subject: name }) })
    }
    return subjects
  }
  const chosenSubjects = find('subjectName', choice.subjects)
  if (chosenSubjects.size === 0 && issues.length === 0)
    issues.push({ path: 'subjectName', message: messages.subjectRequired })
  const registration = offer
    .filter((subject) => chosenSubjects.has(subject))
    .map(({ letter, name, price, retained, late = none }) => ({ letter, name, price, retained, late }))
  const books: BookLine[] = []
  for (const kind of bookKinds) {
    const subjects = find(kind, choice.books[kind])
    for (const subject of offer) {
      if (!subjects.has(subject)) continue
      const { letter, name } = subject
      const book = subject.books[kind]
      if (!chosenSubjects.has(subject)) {
        issues.push({
          path: kind,
          message: formatSentence('subjectFirst', { book: bookNames[kind], subject: name }),
        })
      } else if (!book) {
        issues.push({
          path: kind,
          message: formatSentence('bookNotOffered', { book: bookNames[kind], subject: name }),
        })
      } else books.push({ letter, name, kind, price: book.price, retained: book.retained })
    }
  }
  return { registration, books, fee: totals(registration, books), issues, readAs }
}

/** Converts the answers of GetSubject and GetBook for the fee function. */
export function offerOf(subjects: readonly Subject[], options: readonly BookOption[]): OfferedSubject[] {
  const optionOf = new Map(options.map((option) => [option.eventLetter, option]))
  return subjects.map(({ eventLetter, subjectName, eventFee, lateFee, retainFee }) => {
    const option = optionOf.get(eventLetter)
    const books: OfferedSubject['books'] = {}
    for (const kind of bookKinds) {
      const price = option?.[kind]
      if (price === null || price === undefined) continue
      books[kind] = { price: fromRupees(price), retained: fromRupees(option?.retainFees[kind] ?? 0) }
    }
    return {
      letter: eventLetter,
      name: subjectName,
      price: fromRupees(eventFee),
      late: fromRupees(lateFee),
      retained: fromRupees(retainFee),
      books,
    }
  })
}

/** The amounts in rupees, under the specification's names. */
export function amountFields(fee: StudentFee) {
  return {
    regAmount: rupees(fee.regAmount),
    school_Expenses: rupees(fee.schoolExpenses),
    bookAmount: rupees(fee.bookAmount),
    book_school_Expenses: rupees(fee.bookSchoolExpenses),
  }
}
