import { amountFields, type PricedChoice, type StudentFee } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKinds, className } from '@podium/contract/classes'
import type { ErrorCode } from '@podium/contract/errors'
import { familyMobile } from '@podium/contract/fields'
import { isSimilarKey, nameKey } from '@podium/contract/fuzzy-match'
import { type Paise, paise } from '@podium/contract/money'
import type { StudentEntry } from '@podium/contract/students/schemas'

/** The facts that decide whether a student can still change. */
export interface EntryStatus {
  active: boolean
  paid: boolean
  locked: boolean
  /** Letters of the student's subjects, comma-separated */
  letters: string
}

/** The season's part of that decision: open or not, closed letters, and letters signed off by the school. */
export interface SeasonDoors {
  open: boolean
  closed: ReadonlySet<string>
  signedOff: ReadonlySet<string>
}

type Reason = Extract<ErrorCode, `enrolment.${string}`>

/** Why an entry can't change now (paid, under verification, closed, signed off), or undefined. The caller checks whether it is deleted. */
export function reasonAgainst(student: EntryStatus, season: SeasonDoors): Reason | undefined {
  if (student.paid) return 'enrolment.paid'
  if (student.locked) return 'enrolment.locked'
  if (!season.open) return 'enrolment.season_closed'
  const letters = student.letters.split(',')
  if (letters.some((letter) => season.closed.has(letter))) return 'enrolment.closed'
  if (letters.some((letter) => season.signedOff.has(letter))) return 'enrolment.signed_off'
  return undefined
}

/** What a school may do with an entry: true, or the error code of the reason why not. An entry cancelled by the office is final. The writing statements check the same. */
export function allowances(student: EntryStatus & { cancelled: boolean }, season: SeasonDoors) {
  const reason: true | Reason = reasonAgainst(student, season) ?? true
  if (student.active) return { edit: reason, delete: reason, restore: 'enrolment.not_deleted' as const }
  const gone = { edit: 'enrolment.deleted', delete: 'enrolment.deleted' } as const
  return { ...gone, restore: student.cancelled ? ('enrolment.cancelled' as const) : reason }
}

/** Whether a client's amounts differ from those computed here; omitted amounts are not compared. */
export function amountsDiffer(
  sent: Pick<StudentEntry, 'regAmount' | 'bookAmount' | 'school_Expenses' | 'book_school_Expenses'>,
  fee: StudentFee,
): boolean {
  const names = ['regAmount', 'bookAmount', 'school_Expenses', 'book_school_Expenses'] as const
  const computed = amountFields(fee)
  return names.some((name) => {
    const amount = sent[name]
    return amount !== undefined && Math.abs(amount - computed[name]) > 0.001
  })
}

/** Columns that repeat enrolments and books on the student's row, for lists that read only `students`. */
export function wideColumns(priced: PricedChoice) {
  const names = (kind: BookKind) =>
    priced.books
      .filter((book) => book.kind === kind)
      .map((book) => book.name)
      .join(',')
  const [cb, pyqp, genex, tb, wb] = bookKinds.map(names)
  return {
    subjectNames: priced.registration.map((line) => line.name).join(','),
    letters: priced.registration.map((line) => line.letter).join(','),
    cb: cb ?? '',
    pyqp: pyqp ?? '',
    genex: genex ?? '',
    tb: tb ?? '',
    wb: wb ?? '',
    bookCount: priced.books.length,
  }
}

interface Price {
  price: Paise
  retained: Paise
}

interface SavedFee extends Price {
  /** The late fee included in the price */
  late: Paise
  /** Entered under an earlier share rule of the season */
  earlierRule?: boolean
}

/** A student's prices: fee and share by event, price and share of each book. */
export interface EarlierPrices {
  classId: number
  fees: ReadonlyMap<number, SavedFee>
  books: ReadonlyMap<number, Partial<Record<BookKind, Price>>>
}

/** The same as stored with a change, for undoing it. */
export interface StoredPrices {
  classId: number
  fees: Array<{ eventId: number; price: number; retained: number; late: number }>
  books: Array<{ eventId: number; kind: BookKind; price: number; retained: number }>
}

export function storedPrices({ classId, fees, books }: EarlierPrices): StoredPrices {
  return {
    classId,
    fees: [...fees].map(([eventId, { price, retained, late }]) => ({ eventId, price, retained, late })),
    books: [...books].flatMap(([eventId, ofEvent]) =>
      Object.entries(ofEvent).map(([kind, priced]) => ({ eventId, kind: kind as BookKind, ...priced })),
    ),
  }
}

export function readPrices({ classId, fees, books }: StoredPrices): EarlierPrices {
  const booksByEvent = new Map<number, Partial<Record<BookKind, Price>>>()
  for (const { eventId, kind, price, retained } of books)
    booksByEvent.set(eventId, {
      ...booksByEvent.get(eventId),
      [kind]: { price: paise(price), retained: paise(retained) },
    })
  return {
    classId,
    fees: new Map(
      fees.map(({ eventId, price, retained, late }) => [
        eventId,
        { price: paise(price), retained: paise(retained), late: paise(late) },
      ]),
    ),
    books: booksByEvent,
  }
}

interface OfferedSubjectPrice extends Omit<SavedFee, 'earlierRule'> {
  eventId: number
  books: Partial<Record<BookKind, Price>>
}

/**
 * The offer to a class for one student: existing enrolments keep their saved price and share, whatever the price list says now
 * (docs/algorithms/fees.md). In another class the fee comes from that class; the late fee (or its absence) is kept, and so is
 * the share of an entry older than the season's share rule, up to the fee.
 */
export function withEarlierPrices<Event extends OfferedSubjectPrice>(
  offer: readonly Event[],
  classId: number,
  saved: EarlierPrices | undefined,
): readonly Event[] {
  if (!saved) return offer
  return offer.map((event) => {
    const fee = saved.fees.get(event.eventId)
    if (!fee) return event
    const { earlierRule, ...prices } = fee
    if (saved.classId !== classId) {
      const { late } = fee
      const base = event.price - event.late
      const retained = earlierRule ? paise(Math.min(fee.retained, base)) : event.retained
      return { ...event, late, price: paise(base + late), retained }
    }
    return { ...event, ...prices, books: { ...event.books, ...saved.books.get(event.eventId) } }
  })
}

/** The fields of a student compared for duplicates. */
export interface Child {
  classId: number
  section: string
  rollNo: number
  studentName: string
  parentName: string
  parentEmailId: string
  parentMobileNo: string
}

interface Fact {
  field: string
  here: string
  there: string
  same: boolean
}

/** A phonetic key of a name: ignores word order, accents, double letters and common spelling variants. */
function soundKey(name: string): string {
  return nameKey(name)
    .split(' ')
    .map((word) =>
      word
        .replace(/ph/g, 'f')
        .replace(/ee|y/g, 'i')
        .replace(/oo/g, 'u')
        .replace(/w/g, 'v')
        .replace(/z/g, 'j')
        .replace(/(.)\1+/g, '$1')
        .replace(/(?<=[bcdgjkpst])h/g, '')
        .replace(/(?<=..)a$/, ''),
    )
    .sort()
    .join(' ')
}

const figures = (text: string) => text.replace(/\D+/g, ' ').trim()

/** Whether two names may be the same: equal except for a typing error, with the same digits. */
export function namesMayMatch(a: string, b: string): boolean {
  if (figures(a) !== figures(b)) return false
  return soundKey(a) === soundKey(b) || isSimilarKey(nameKey(a), nameKey(b))
}

/** Compares fields that both have. */
export function factsOf(here: Child, there: Child): Fact[] {
  const facts: Fact[] = [
    fact(
      'studentName',
      here.studentName,
      there.studentName,
      nameKey(here.studentName) === nameKey(there.studentName),
    ),
    fact('classId', className(here.classId), className(there.classId)),
    fact('section', here.section, there.section),
    fact('rollno', String(here.rollNo), String(there.rollNo)),
    fact(
      'parentName',
      here.parentName,
      there.parentName,
      nameKey(here.parentName) === nameKey(there.parentName),
    ),
    fact('parentMobileNo', here.parentMobileNo, there.parentMobileNo),
    fact('parentEmailId', here.parentEmailId, there.parentEmailId),
  ]
  return facts.filter((fact) => fact.here !== '' && fact.there !== '')
}

function fact(field: string, here: string, there: string, same = here === there): Fact {
  return { field, here, there, same }
}

/** Whether a row may be this student: similar name, and the same class, section and roll no, or the same mobile or e-mail. */
function mayBeSame(here: Child, there: Child): boolean {
  if (!namesMayMatch(here.studentName, there.studentName)) return false
  const same = (field: 'classId' | 'section' | 'rollNo') => here[field] === there[field]
  if (same('classId') && same('section') && same('rollNo')) return true
  return contactsOf(here).some((contact) => contactsOf(there).includes(contact))
}

/** Whether two rows of a file are certainly different students: section, roll no and mobile all differ. */
export const isClearlyDifferent = (here: Child, there: Child): boolean =>
  here.section !== there.section &&
  here.rollNo !== there.rollNo &&
  here.parentMobileNo !== there.parentMobileNo

/** An index that finds possible duplicates without comparing all pairs. */
export class ChildIndex<Entry extends Child> {
  #byContact = new Map<string, Entry[]>()

  add(entry: Entry): void {
    for (const contact of contactsOf(entry)) push(this.#byContact, contact, entry)
  }

  /** Most likely first: those with most fields in common. */
  find(child: Child): Entry[] {
    const near = new Set<Entry>()
    for (const contact of contactsOf(child))
      for (const entry of this.#byContact.get(contact) ?? []) near.add(entry)
    const count = (entry: Entry) => factsOf(child, entry).filter(({ same }) => same).length
    return [...near].filter((entry) => mayBeSame(child, entry)).sort((a, b) => count(b) - count(a))
  }
}

/** A contact shared by more students than this is ignored, because it would compare all pairs. */
const maxInBlock = 60

function push<Entry>(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const block = map.get(key)
  if (!block) map.set(key, [entry])
  else if (block.length < maxInBlock) block.push(entry)
}

function contactsOf({ parentMobileNo, parentEmailId }: Child): string[] {
  const mobile = familyMobile(parentMobileNo)
  return [mobile, parentEmailId].filter((contact) => contact !== '')
}
