import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OfferedSubject } from '../catalogue/rules-fee.ts'
import { editDistance, isSimilarName } from '../fuzzy-match.ts'
import { messages } from '../messages.ts'
import { paise } from '../money.ts'
import { sentences } from '../sentences.ts'
import { type RawRow, type RowCatalogue, readRow, withoutClashes } from './rules-row.ts'
import { parentsName } from './schemas.ts'

const book = { price: paise(22_000), retained: paise(2_000) }
const subject = (letter: string, name: string, books: OfferedSubject['books']): OfferedSubject => ({
  letter,
  name,
  price: paise(17_500),
  retained: paise(2_500),
  books,
})
const offer = [
  subject('M', 'Mathematics', { cb: book, pyqp: book }),
  subject('S', 'Science', { cb: book }),
  subject('E', 'English', { cb: book }),
  subject('G', 'General Knowledge', { cb: book }),
  subject('K', 'Computer Science', {}),
  subject('F', 'Financial Literacy', { cb: book }),
]
const catalogue: RowCatalogue = {
  offerTo: () => offer,
  closed: (letter) => (letter === 'F' ? '20-Nov-2026' : undefined),
}
const right: RawRow = { classId: '7', section: 'A', rollno: '4', studentName: 'Om Misaal', subjectName: 'M' }
const read = (row: RawRow) => readRow({ ...right, ...row }, catalogue)

const readSilently: ReadonlyArray<readonly [string, RawRow, Record<string, unknown>]> = [
  ['Roman numerals', { classId: 'VII' }, { classId: 7 }],
  ['a word before the class', { classId: 'Std. 7' }, { classId: 7 }],
  ['an ordinal', { classId: '7th' }, { classId: 7 }],
  ['Hindi figures', { classId: '७', rollno: '१२' }, { classId: 7, rollno: 12 }],
  ['a number shown with decimals', { classId: '7.0', rollno: '12.00' }, { classId: 7, rollno: 12 }],
  ['a number stored as text', { rollno: "'12" }, { rollno: 12 }],
  ['class and section in one cell', { classId: 'VII-B', section: '' }, { classId: 7, section: 'B' }],
  ['class and section without a space', { classId: 'VIIIB', section: '' }, { classId: 8, section: 'B' }],
  ['a numeral that ends like a section', { classId: 'VIII', section: 'C' }, { classId: 8, section: 'C' }],
  ['a mobile with its country', { parentMobileNo: '+91 98765-43210' }, { parentMobileNo: '9876543210' }],
  ['a mobile with a zero before it', { parentMobileNo: '09876543210' }, { parentMobileNo: '9876543210' }],
  ['a mobile stored as a number', { parentMobileNo: '9876543210.0' }, { parentMobileNo: '9876543210' }],
  ['subjects between semicolons', { subjectName: 's; M' }, { subjectName: ['M', 'S'] }],
  ['other names of subjects', { subjectName: 'Maths, sci and GK' }, { subjectName: ['M', 'S', 'G'] }],
  ['subjects between &', { subjectName: 'Mathematics & English' }, { subjectName: ['M', 'E'] }],
  [
    'subjects between + and /',
    { subjectName: 'Maths Olympiad + S / English' },
    { subjectName: ['M', 'S', 'E'] },
  ],
  ['a book of a subject by its other name', { cb: 'Maths' }, { cb: ['M'] }],
  ['“no” in a book column', { cb: 'No' }, { cb: [] }],
  ['spaces within a name', { studentName: '  Om \u00a0 Misaal ' }, { studentName: 'Om Misaal' }],
]
for (const [name, row, expected] of readSilently) {
  test(`a row is read without a question: ${name}`, () => {
    const { fields, faults } = read(row)
    assert.deepEqual(faults, [])
    for (const [field, value] of Object.entries(expected))
      assert.deepEqual(fields?.[field as 'classId'], value, field)
  })
}

test('without a section column a student has no section', () => {
  const { section: _, ...without } = right
  assert.equal(readRow(without, catalogue).fields?.section, '-')
})

const suggested: ReadonlyArray<readonly [field: keyof RawRow, value: string, suggestions: string[]]> = [
  ['classId', 'Seventh', ['Class 7']],
  ['classId', 'Clss 7', ['Class 7']],
  ['classId', 'V1I', ['Class 7']],
  ['classId', 'Class Sevn', []],
  ['classId', 'सातवी', ['Class 7']],
  ['classId', '2026-01-05', ['Class 5', 'Class 1']],
  ['classId', '5-Jan', ['Class 5', 'Class 1']],
  ['classId', 'KG', ['LKG', 'UKG']],
  ['classId', 'Nursary', ['Nursery']],
  ['classId', '13', []],
  ['section', 'Sec A', ['A']],
  ['section', '2', ['B']],
  ['section', 'अ', ['A']],
  ['section', 'Rose', []],
  ['section', 'nil', ['-']],
  ['rollno', 'R-12', ['12']],
  ['rollno', '1O', ['10']],
  ['rollno', '12 / 13', []],
  ['parentMobileNo', '9876543210 / 9123456789', ['9876543210', '9123456789']],
  ['parentMobileNo', '0091 98765 43210', ['9876543210']],
  ['parentMobileNo', '98765', []],
  ['parentEmailId', 'asha @gmial,com', ['asha@gmail.com']],
  ['parentEmailId', 'asha at gmail', ['asha@gmail.com']],
  ['parentEmailId', 'asha,misaal@udaharan.example', ['asha.misaal@udaharan.example']],
  ['subjectName', 'Mathmatics, Sceince', ['Mathematics, Science']],
  ['subjectName', 'Mathmatics & English', ['Mathematics, English']],
  ['subjectName', 'MSE', ['Mathematics, Science, English']],
  ['subjectName', '&', []],
  ['subjectName', 'Cooking', []],
  ['subjectName', 'M, Cooking', []],
  ['cb', 'yes', ['Mathematics']],
  ['cb', 'Englsh', []],
  ['cb', 'E', []],
]
for (const [field, value, suggestions] of suggested) {
  test(`“${value}” in ${field} suggests ${suggestions.join(' or ') || 'nothing'}`, () => {
    const { faults } = read({ [field]: value })
    assert.ok(faults.length > 0)
    for (const fault of faults) assert.deepEqual([fault.field, fault.suggestions], [field, suggestions])
    for (const suggestion of suggestions)
      assert.deepEqual(read({ [field]: suggestion }).faults, [], 'the suggestion has no errors')
  })
}

test('the row says which other name was read as a subject, and asks again if the user does not want that', () => {
  const { priced } = read({ subjectName: 'Maths, science' })
  assert.deepEqual(priced?.readAs, [{ written: 'Maths', name: 'Mathematics' }])
  const refused = readRow({ ...right, subjectName: 'Maths' }, { ...catalogue, notTaken: new Set(['maths']) })
  assert.deepEqual(
    refused.faults.map(({ field, suggestions }) => [field, suggestions]),
    [['subjectName', ['Mathematics']]],
  )
})

test('no suggestion gives a row the roll no of another row', () => {
  const raw = { ...right, rollno: '12A' }
  const fault = read(raw).faults[0]
  assert.deepEqual(fault?.suggestions, ['12'])
  const taken = new Set(['7 B 12'])
  assert.deepEqual(fault && withoutClashes(raw, fault, taken).suggestions, ['12'], 'of another section')
  assert.deepEqual(
    fault && withoutClashes(raw, fault, taken).suggestions,
    [],
    'already offered to another row',
  )
})

test('all errors of a row are reported at once, each at its field', () => {
  const { faults, fields } = read({
    classId: '7-B',
    rollno: '5-Jan',
    studentName: '',
    parentMobileNo: '9.87654E+09',
    parentEmailId: 'none',
    subjectName: 'F, Cooking',
    pyqp: 'S',
  })
  assert.equal(fields, undefined)
  assert.deepEqual(
    faults.map(({ field, message }) => [field, message]),
    [
      ['rollno', sentences.dateMade],
      ['studentName', messages.studentNameRequired],
      ['parentEmailId', 'Enter valid E-mail.'],
      ['parentMobileNo', sentences.numberShortened],
      ['subjectName', 'This class has no subject called Cooking.'],
      ['pyqp', 'Previous Test Paper: please choose the subject Science first.'],
      ['subjectName', 'Enrolment for Financial Literacy closed on 20-Nov-2026.'],
      ['section', sentences.sectionsDiffer],
    ],
  )
})

test('a name without letters is not reported as missing', () => {
  const { faults } = read({ classId: '7', rollno: '1', studentName: '123', subjectName: 'S' })
  assert.deepEqual(
    faults.filter(({ field }) => field === 'studentName').map(({ message }) => message),
    [sentences.nameLetters],
  )
})

test('a name may contain a dash and be only a dash, but a formula never begins with one', () => {
  const accepts = (name: string) => parentsName.safeParse(name).success
  for (const name of ['-', ' -- ', '–', 'Anita - Hemant', 'Misaal-Udaharan']) assert.ok(accepts(name), name)
  for (const name of ['-1', '- A', ' --x', '−1', '－1', '﹦1', '=', '+A']) assert.ok(!accepts(name), name)
})

test('names match despite accents, word order and a typing slip', () => {
  assert.ok(isSimilarName('Sharma Aarav', 'Aarav  Śharma'))
  assert.ok(isSimilarName('Ishita Namunawala', 'Ishitaa Namunawala'))
  assert.ok(!isSimilarName('Asha', 'Usha'))
  assert.ok(!isSimilarName('Aarav Sharma', 'Aditi Sharma'))
  assert.ok(!isSimilarName('', ''))
  assert.deepEqual(
    [editDistance('abcd', 'abdc'), editDistance('kitten', 'sitting'), editDistance('a', 'abcdef')],
    [1, 3, 4],
  )
})
