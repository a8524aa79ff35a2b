import { type OfferedSubject, type PricedChoice, priceChoice } from '../catalogue/rules-fee.ts'
import { type BookKind, bookKinds, className, sections } from '../classes.ts'
import { latinDigits, tidy } from '../fields.ts'
import { messages } from '../messages.ts'
import { formatSentence, sentences } from '../sentences.ts'
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

/** Formats class and section: `Class 7 A`, `LKG`. */
export const placeText = ({ classId, section }: Pick<Place, 'classId' | 'section'>): string =>
  `${className(classId)}${section === '-' ? '' : ` ${section}`}`

/** Key of a roll no; two rows with the same key clash. */
export const placeKey = ({ classId, section, rollno }: Place): string => `${classId} ${section} ${rollno}`

/** Error for the later of two rows in a list with the same roll no. */
export const rollTwiceMessage = (place: Place, row: number): string =>
  formatSentence('rollTwice', { roll: place.rollno, place: placeText(place), row })

/** Error for a roll no another student has; the same in dialog, grid, import and call. */
export const rollTakenMessage = (place: Place, name: string): string =>
  formatSentence('rollTaken', { roll: place.rollno, place: placeText(place), name })

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
/** Fields without which a table of students is useless. */
export const neededFields: readonly RowField[] = ['classId', 'rollno', 'studentName', 'subjectName']

/** A student as people write it: the text of each cell. A missing field has no column in the table. */
export type RawRow = Readonly<Partial<Record<RowField, string>>>

/** What a row is checked against: the season's offer. */
export interface RowCatalogue {
  offerTo(classId: number): readonly OfferedSubject[]
  /** Formatted last day of a subject that has closed */
  closed(letter: string): string | undefined
  /** Whether the school has signed off the subject's list */
  signedOff?(letter: string): boolean
  /** Alternative names of subjects the user has rejected, in lower case */
  notTaken?: ReadonlySet<string>
}

/** An error in one cell. */
export interface RowFault {
  field: RowField
  message: string
  /** Texts that would be right in this cell, likeliest first */
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

/** Tidies a cell: drops the apostrophe that marks text and decimals of whole numbers; normalises digits and lists. */
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

/** Splits class and section: `7 A`, `VII-B`, `7thC`, `VIIA`; the section only if there is one. */
export function placeOf(text: string): { classId: number | undefined; section: string | undefined } {
  const whole = classIdOf(text)
  if (whole !== undefined) return { classId: whole, section: undefined }
  const parts =
    /^(.*\d(?:st|nd|rd|th)?)[\s\-–—/.(]*([a-z])\)?$/i.exec(text) ??
    /^(.*[a-z.])[\s\-–—/(]+([a-z])\)?$/i.exec(text) ??
    // Not I, V, X: those are part of the numeral.
    /^(.*[ivx])([a-hj-uwyz])$/i.exec(text)
  const classId = parts ? classIdOf(parts[1] ?? '') : undefined
  return { classId, section: classId === undefined ? undefined : parts?.[2]?.toUpperCase() }
}

/** «yes» in a column of books means all subjects, «no» none; undefined for anything else. */
function yesOrNo(text: string): boolean | undefined {
  if (/^(?:yes|y|true|✓|✔|x|हाँ|हां)$/i.test(text)) return true
  if (/^(?:no|n|nil|none|na|n\/a|-+|–|0|false|नहीं)$/i.test(text)) return false
  return undefined
}

/** Converts cells to the schema's input; class names become ids. */
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
 * Checks whether these subjects and books are on offer; returns the errors by field. The part of the check shared by
 * calls, which get ids and lists, and rows of tables. Books left out are none.
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
    const requested = field === 'subjectName' ? subjects : choice[field as BookKind]
    const allOf = field !== 'subjectName' && requested.length === 1 && yesOrNo(requested[0] ?? '') === true
    const better = allOf ? [booksFor(offer, priced, field as BookKind)] : suggestSubjects(requested, offer)
    // Only books available with the chosen subjects; otherwise the suggestion would not fix the error.
    const availableSubjects =
      field === 'subjectName' ? undefined : booksFor(offer, priced, field as BookKind).split(', ')
    const cures = (text: string) =>
      text !== '' &&
      (!availableSubjects || text.split(', ').every((name) => availableSubjects.includes(name)))
    const unlike = better.filter((text) => cures(text) && text !== requested.join(', '))
    return { field, message, suggestions: field !== 'subjectName' && names === '' ? [] : unlike }
  })
  for (const { letter, name } of priced.registration) {
    const day = catalogue.closed(letter)
    if (day)
      faults.push({
        field: 'subjectName',
        message: formatSentence('closedOn', { subjects: name, day }),
        suggestions: [],
      })
    else if (catalogue.signedOff?.(letter))
      faults.push({
        field: 'subjectName',
        message: formatSentence('listSignedOff', { subject: name }),
        suggestions: [],
      })
  }
  return { priced, faults }
}

/** Returns the chosen subjects that have a book of this kind. */
function booksFor(offer: readonly OfferedSubject[], priced: PricedChoice, kind: BookKind): string {
  const chosenLetters = new Set(priced.registration.map((line) => line.letter))
  return offer
    .filter((subject) => chosenLetters.has(subject.letter) && subject.books[kind])
    .map((subject) => subject.name)
    .join(', ')
}

/**
 * Reads a student whose fields are ids and lists, as in the dialog and the call: checks schema, prices and last days
 * and returns all errors at once. Lists become letters.
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
  const reported = new Set(faults.map(({ field, message }) => `${field} ${message}`))
  faults.push(...against.filter(({ field, message }) => !reported.has(`${field} ${message}`)))
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

/** Turns an error of the schema into one about the cell's text, with suggestions. */
function aboutText(fault: RowFault, text: string): RowFault {
  const { field } = fault
  if (text !== '' && fault.message === messages.studentNameRequired)
    return { ...fault, message: sentences.nameLetters }
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
 * Returns the place of a row even if other fields are wrong, so that a valid row below with the same roll no gets its
 * error at once. The invalid row itself reserves no roll no (docs/algorithms/import.md).
 */
export function placeOfRow(raw: RawRow, read: ReadStudent): StudentPlace | undefined {
  if (read.fields) return read.fields
  const { input, twoSections } = inputOf(raw)
  return twoSections ? undefined : readPlace(input)
}

/**
 * Drops suggestions that would give the row another row's class, section and roll no (`taken`, by `placeKey`): «12» for
 * «12A» if there is a 12. Reserves the first one left for this row, so that no other row is offered it.
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

/** Whether a name is allowed but looks odd, because it has digits. */
export const isOddName = (name: string) => /\p{N}/u.test(name)

/**
 * Reads one row of texts from a spreadsheet or grid: returns a student, or all errors by field with suggestions. The
 * one check behind import, grid, dialog and call; the last two, which have ids instead of words, use `readStudent` and
 * `checkChoice`. Unambiguous texts are read without asking (`VII`, `Std 7`, `7-A`, `+91 98765 43210`, `१२`).
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
