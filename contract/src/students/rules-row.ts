import { type OfferedSubject, type PricedChoice, priceChoice } from '../catalogue/rules-fee.ts'
import { type BookKind, bookKinds, className, sections } from '../classes.ts'
import { latinDigits, tidy } from '../fields.ts'
import { messages } from '../messages.ts'
import { said, sentences } from '../sentences.ts'
import { classIdOf } from './rules-class.ts'
import {
  dateParts,
  suggestClass,
  suggestEmail,
  suggestMobile,
  suggestRollNo,
  suggestSection,
  suggestSubjects,
} from './rules-suggest.ts'
import {
  readPlace,
  readStudentFields,
  type StudentFields,
  type StudentFieldsInput,
  type StudentPlace,
} from './schemas.ts'

type Place = Pick<StudentFields, 'classId' | 'section' | 'rollno'>

/** `Class 7 A`, `LKG`. */
export const placeText = ({ classId, section }: Pick<Place, 'classId' | 'section'>): string =>
  `${className(classId)}${section === '-' ? '' : ` ${section}`}`

/** Names a roll no once: two rows with the same are the same place. */
export const placeKey = ({ classId, section, rollno }: Place): string => `${classId} ${section} ${rollno}`

/** Two rows of one list have the same roll no; the later one is told. */
export const standsTwice = (place: Place, row: number): string =>
  said('rollTwice', { roll: place.rollno, place: placeText(place), row })

/** Another student has the roll no; said alike by dialog, grid, import and call. */
export const rollTaken = (place: Place, name: string): string =>
  said('rollTaken', { roll: place.rollno, place: placeText(place), name })

export type RowField = keyof StudentFieldsInput
/** In the order of the grid and the template. */
export const rowFields: readonly RowField[] = [
  'classId',
  'section',
  'rollno',
  'studentName',
  'subjectName',
  'parentName',
  'parentEmailId',
  'parentMobileNo',
  ...bookKinds,
]
/** Without these a table of students says nothing. */
export const neededFields: readonly RowField[] = ['classId', 'rollno', 'studentName', 'subjectName']

/** A student as people write one: the text of each cell. A field that is absent has no column in the table. */
export type RawRow = Readonly<Partial<Record<RowField, string>>>

/** What the season offers, as the row is checked against it. */
export interface RowCatalogue {
  offerTo(classId: number): readonly OfferedSubject[]
  /** The last day of a subject that has closed, as people read it */
  closed(letter: string): string | undefined
  /** The school has signed the subject's list off */
  signedOff?(letter: string): boolean
  /** Other names of subjects, in lower case, that the person does not want taken for them */
  notTaken?: ReadonlySet<string>
}

/** One thing wrong in one cell. */
export interface RowFault {
  field: RowField
  message: string
  /** Texts for this cell that would be right, likeliest first */
  suggestions: readonly string[]
}

export type ReadStudent =
  | { faults: readonly RowFault[]; fields: undefined; priced: undefined }
  | { faults: readonly []; fields: StudentFields; priced: PricedChoice }

const lists: readonly RowField[] = ['subjectName', ...bookKinds]
const isList = (field: RowField) => lists.includes(field)
const split = (text: string) =>
  text
    .split(',')
    .map(tidy)
    .filter((name) => name !== '')

/** A cell without the mark that says «this is text», and without the tail of a number that was shown with decimals. */
function bare(field: RowField, text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\u00a0\u200b\ufeff]/g, ' ')
    .trim()
    .replace(/^'(?=[\d+])/, '')
  if (field === 'studentName' || field === 'parentName') return plain.replace(/\s+/g, ' ')
  if (field === 'classId' || field === 'rollno' || field === 'parentMobileNo')
    return latinDigits(plain).replace(/^(\d+)\.0+$/, '$1')
  if (isList(field)) return plain.replace(/[;/|\n、،]/g, ',')
  return plain
}

interface ClassAndSection {
  classId: number | undefined
  section: string | undefined
}

/** Class and section of one text: `7 A`, `VII-B`, `7thC`; the section only where it is written there. */
function placeOf(text: string): ClassAndSection {
  const whole = classIdOf(text)
  if (whole !== undefined) return { classId: whole, section: undefined }
  const parts =
    /^(.*\d(?:st|nd|rd|th)?)[\s\-–—/.(]*([a-z])\)?$/i.exec(text) ??
    /^(.*[a-z.])[\s\-–—/(]+([a-z])\)?$/i.exec(text)
  const classId = parts ? classIdOf(parts[1] ?? '') : undefined
  return { classId, section: classId === undefined ? undefined : parts?.[2]?.toUpperCase() }
}

/** «yes» below a kind of book: for all subjects; «no»: for none. Undefined for anything else. */
function yesOrNo(text: string): boolean | undefined {
  if (/^(?:yes|y|true|✓|✔|x|हाँ|हां)$/i.test(text)) return true
  if (/^(?:no|n|nil|none|na|n\/a|-+|–|0|false|नहीं)$/i.test(text)) return false
  return undefined
}

/** What the schema takes, of what the cells hold; words have become ids. */
function inputOf(raw: RawRow): { input: StudentFieldsInput; twoSections: boolean } {
  const text = (field: RowField) => bare(field, raw[field] ?? '')
  const place = placeOf(text('classId'))
  const written = text('section')
  // A school without sections leaves the column out.
  const section =
    raw.section === undefined || (written === '' && place.section) ? (place.section ?? '-') : written
  const twoSections = place.section !== undefined && section.toUpperCase() !== place.section
  const book = (kind: BookKind) => (yesOrNo(text(kind)) === false ? '' : text(kind))
  const input: StudentFieldsInput = {
    classId: place.classId ?? '',
    section,
    rollno: text('rollno'),
    studentName: text('studentName'),
    parentName: text('parentName'),
    parentEmailId: text('parentEmailId'),
    parentMobileNo: text('parentMobileNo'),
    subjectName: text('subjectName'),
    cb: book('cb'),
    pyqp: book('pyqp'),
    geneX: book('geneX'),
    tb: book('tb'),
    wb: book('wb'),
  }
  return { input, twoSections }
}

/**
 * Whether these subjects and books can be had, each thing against it by field: the part of the check that the call, which
 * gets ids and lists, shares with the row of a table. Books not named are none.
 */
export function checkChoice(
  classId: number,
  choice: Pick<StudentFields, 'subjectName' | BookKind>,
  catalogue: RowCatalogue,
): { priced: PricedChoice; faults: RowFault[] } {
  const offer = catalogue.offerTo(classId)
  const { subjectName: subjects, cb, pyqp, geneX, tb, wb } = choice
  const priced = priceChoice(offer, { subjects, books: { cb, pyqp, geneX, tb, wb } }, catalogue.notTaken)
  const names = priced.registration.map((line) => line.name).join(', ')
  const faults = priced.issues.map(({ path, message }): RowFault => {
    const field = path as RowField
    const wanted = field === 'subjectName' ? subjects : choice[field as BookKind]
    const allOf = field !== 'subjectName' && wanted.length === 1 && yesOrNo(wanted[0] ?? '') === true
    const better = allOf ? [booksFor(offer, priced, field as BookKind)] : suggestSubjects(wanted, offer)
    // Of a book only what can be had with the chosen subjects: another name alone would leave the fault as it is.
    const had = field === 'subjectName' ? undefined : booksFor(offer, priced, field as BookKind).split(', ')
    const cures = (text: string) =>
      text !== '' && (!had || text.split(', ').every((name) => had.includes(name)))
    const unlike = better.filter((text) => cures(text) && text !== wanted.join(', '))
    return { field, message, suggestions: field !== 'subjectName' && names === '' ? [] : unlike }
  })
  for (const { letter, name } of priced.registration) {
    const day = catalogue.closed(letter)
    if (day)
      faults.push({
        field: 'subjectName',
        message: said('closedOn', { subjects: name, day }),
        suggestions: [],
      })
    else if (catalogue.signedOff?.(letter))
      faults.push({
        field: 'subjectName',
        message: said('listSignedOff', { subject: name }),
        suggestions: [],
      })
  }
  return { priced, faults }
}

/** The chosen subjects that have a book of this kind. */
function booksFor(offer: readonly OfferedSubject[], priced: PricedChoice, kind: BookKind): string {
  const chosen = new Set(priced.registration.map((line) => line.letter))
  return offer
    .filter((subject) => chosen.has(subject.letter) && subject.books[kind])
    .map((subject) => subject.name)
    .join(', ')
}

/**
 * A student of fields that hold ids and joined lists, as the dialog and the call have them: by the schema, the price list
 * and the last days, every fault at once. Lists come out as letters.
 */
export function readStudent(input: StudentFieldsInput, catalogue: RowCatalogue): ReadStudent {
  const { fields, issues } = readStudentFields(input)
  const faults = issues.map(
    ({ path, message }): RowFault => ({ field: path as RowField, message, suggestions: [] }),
  )
  const classId = fields?.classId ?? Number(input.classId || Number.NaN)
  const choice = fields ?? {
    subjectName: split(input.subjectName),
    cb: split(input.cb ?? ''),
    pyqp: split(input.pyqp ?? ''),
    geneX: split(input.geneX ?? ''),
    tb: split(input.tb ?? ''),
    wb: split(input.wb ?? ''),
  }
  const classWrong = faults.some(({ field }) => field === 'classId')
  const { priced, faults: against } = classWrong
    ? { priced: undefined, faults: [] }
    : checkChoice(classId, choice, catalogue)
  const told = new Set(faults.map(({ field, message }) => `${field} ${message}`))
  faults.push(...against.filter(({ field, message }) => !told.has(`${field} ${message}`)))
  if (!fields || !priced || faults.length > 0) return { faults, fields: undefined, priced: undefined }
  const letters = (kind: BookKind) =>
    priced.books.filter((book) => book.kind === kind).map((book) => book.letter)
  const tidied: StudentFields = {
    ...fields,
    subjectName: priced.registration.map((line) => line.letter),
    cb: letters('cb'),
    pyqp: letters('pyqp'),
    geneX: letters('geneX'),
    tb: letters('tb'),
    wb: letters('wb'),
  }
  return { faults: [], fields: tidied, priced }
}

const suggesters: Partial<Record<RowField, (text: string) => string[]>> = {
  classId: suggestClass,
  section: suggestSection,
  rollno: suggestRollNo,
  parentEmailId: suggestEmail,
  parentMobileNo: suggestMobile,
}

/** A fault of the schema, said about the text that stands in the cell and with what may have been meant. */
function aboutText(fault: RowFault, text: string): RowFault {
  const { field } = fault
  const suggest = suggesters[field]
  if (text === '' || !suggest) return fault
  const suggestions = suggest(text)
  const isDate = field !== 'parentEmailId' && dateParts(text) !== undefined
  if (isDate) return { field, message: sentences.dateMade, suggestions }
  if (/^\d(?:[.,]\d+)?e[+]?\d+$/i.test(text))
    return { field, message: sentences.numberShortened, suggestions: [] }
  if (field === 'classId') return { field, message: sentences.classUnknown, suggestions }
  if (field === 'rollno' && fault.message === messages.rollNoRequired)
    return { field, message: sentences.rollWhole, suggestions }
  return { ...fault, suggestions }
}

/**
 * Where a row stands, also where something else of it is wrong: below a right row of that roll no it is told at once. The
 * faulty row itself takes no roll no (docs/algorithms/import.md).
 */
export function placeOfRow(raw: RawRow, read: ReadStudent): StudentPlace | undefined {
  if (read.fields) return read.fields
  const { input, twoSections } = inputOf(raw)
  return twoSections ? undefined : readPlace(input)
}

/**
 * A fault without the suggestions that would give the row the class, section and roll no of another one (`taken`, by
 * `placeKey`): «12» for «12A» where there is a 12. The first that is left is this row's, so that no other row is offered it.
 */
export function withoutClashes(raw: RawRow, fault: RowFault, taken: Set<string>): RowFault {
  if (fault.field !== 'classId' && fault.field !== 'section' && fault.field !== 'rollno') return fault
  const keyOf = (text: string) => {
    const place = placeOfRow({ ...raw, [fault.field]: text }, unread)
    return place && placeKey(place)
  }
  const suggestions = fault.suggestions.filter((text) => !taken.has(keyOf(text) ?? ''))
  const first = suggestions[0] === undefined ? undefined : keyOf(suggestions[0])
  if (first) taken.add(first)
  return suggestions.length === fault.suggestions.length ? fault : { ...fault, suggestions }
}
const unread: ReadStudent = {
  faults: [{ field: 'rollno', message: '', suggestions: [] }],
  fields: undefined,
  priced: undefined,
}

/** A name that can be entered and yet looks odd: with figures in it. */
export const isOddName = (name: string) => /\p{N}/u.test(name)

/**
 * One row of texts, as it stands in a spreadsheet or a grid: a student, or every fault of it by field with what may have
 * been meant. The one check of the import, the grid, the dialog and the call: the last two, which have ids instead of
 * words, enter it at `readStudent` and `checkChoice`. What can be read in one way only is read without asking
 * (`VII`, `Std 7`, `7-A`, `+91 98765 43210`, `१२`).
 */
export function readRow(raw: RawRow, catalogue: RowCatalogue): ReadStudent {
  const { input, twoSections } = inputOf(raw)
  const read = readStudent(input, catalogue)
  if (read.faults.length === 0 && !twoSections) return read
  const faults = read.faults.map((fault) =>
    isList(fault.field) ? fault : aboutText(fault, bare(fault.field, raw[fault.field] ?? '')),
  )
  if (twoSections) {
    const { section = '' } = placeOf(bare('classId', raw.classId ?? ''))
    faults.push({
      field: 'section',
      message: sentences.sectionsDiffer,
      suggestions: sections.includes(section) ? [section] : [],
    })
  }
  return { faults, fields: undefined, priced: undefined }
}
