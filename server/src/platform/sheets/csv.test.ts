import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { csvField, guessDelimiter } from './csv.ts'
import { readSheet } from './spreadsheet.ts'
import { type SheetRow, usualLimits } from './spreadsheet-rows.ts'
import { writeCsv } from './spreadsheet-write.ts'

const cells = (rows: SheetRow[]) => rows.map((row) => row.cells)
const read = async (bytes: Buffer | string) => cells(await readSheet(Buffer.from(bytes), 'students.csv'))

const text = 'Name,Class\nक्षितिज,Class 6\n'
const expected = [
  ['Name', 'Class'],
  ['क्षितिज', 'Class 6'],
]

test('CSV is read in the encodings that spreadsheet programs write', async () => {
  assert.deepEqual(await read(text), expected)
  assert.deepEqual(await read(`\ufeff${text}`), expected)
  assert.deepEqual(await read(Buffer.from(`\ufeff${text}`, 'utf16le')), expected)
  assert.deepEqual(await read(Buffer.from(`\ufeff${text}`, 'utf16le').swap16()), expected)
  assert.deepEqual(await read(Buffer.from('Name;Class\nRenée;6\n', 'utf16le')), [
    ['Name', 'Class'],
    ['Renée', '6'],
  ])
  assert.deepEqual(await read(Buffer.from('Name\nRen\xe9e \x93A\x94\n', 'latin1')), [['Name'], ['Renée “A”']])
})

test('the delimiter is found, also where another one stands in quotes', () => {
  assert.equal(guessDelimiter('a;b;c\n"x,y,z,w,v";2;3\n'), ';')
  assert.equal(guessDelimiter('a\tb\n1\t2\n'), '\t')
  assert.equal(guessDelimiter('Name\nAarav\n'), ',')
  assert.equal(guessDelimiter('Name,Fee\nAarav,"1,200"\nB,3'), ',')
})

test('quotes, line breaks in cells and empty rows keep the numbers of rows', async () => {
  const rows = await readSheet(
    Buffer.from('Name,Note\r\n\r\n"Aarav ""A""","two\nlines"\r\n,\r\nMisaal,\r\n'),
    'a.csv',
  )
  assert.deepEqual(rows, [
    { number: 1, cells: ['Name', 'Note'] },
    { number: 3, cells: ['Aarav "A"', 'two\nlines'] },
    { number: 5, cells: ['Misaal'] },
  ])
})

test('a CSV with more rows or longer cells than allowed is refused', async () => {
  const rows = Buffer.from('x\n'.repeat(usualLimits.rows + 2))
  await assert.rejects(readSheet(rows, 'a.csv'), { code: 'sheet.too_many_rows' })
  await assert.rejects(readSheet(Buffer.from('x'.repeat(501)), 'a.csv'), { code: 'sheet.text_too_long' })
  await assert.rejects(readSheet(Buffer.from(','.repeat(40).concat('x')), 'a.csv'), {
    code: 'sheet.too_many_columns',
  })
  await assert.rejects(readSheet(Buffer.from(`"${'x\n'.repeat(100_000)}`), 'a.csv'), {
    code: 'sheet.text_too_long',
  })
})

test('text that begins like a formula is guarded in an export, and numbers are not', () => {
  for (const sign of [
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '＝',
    '＋',
    '－',
    '＠',
    '−',
    '‐',
    '﹣',
    '﹢',
    '﹦',
    '﹫',
  ]) {
    assert.equal(csvField(`${sign}1`), `"'${sign}1"`)
    if (sign.trim() !== '') assert.equal(csvField(` ${sign}1`), `"' ${sign}1"`)
    // In countries whose lists are parted by these, a program may take what follows for a cell of its own.
    for (const part of [';', '\t']) assert.equal(csvField(`x${part}${sign}1`), `"x${part}'${sign}1"`)
  }
  assert.equal(csvField(-5), '-5')
  assert.equal(csvField('=HYPERLINK("x")'), `"'=HYPERLINK(""x"")"`)
  assert.equal(csvField('Aarav'), '"Aarav"')
  assert.equal(csvField('x; =1'), `"x;' =1"`)
  assert.equal(csvField('x; y'), '"x; y"')
  assert.equal(csvField(''), '')
})

test('what is exported as CSV reads back as it was', async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => [`क्षितिज, "${index}"`, index, null])
  const bytes = await buffer(
    writeCsv([{ title: 'Name' }, { title: 'Fee', kind: 'money' }, { title: 'Note' }], rows),
  )
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
  const back = cells(await readSheet(bytes, 'a.csv'))
  assert.equal(back.length, 3001)
  assert.deepEqual(back[2], ['क्षितिज, "1"', '1'])
})

test('an export is written while its rows still come', async () => {
  let made = 0
  function* rows() {
    for (; made < 200_000; made++) yield [`row ${made}`]
  }
  const stream = writeCsv([{ title: 'Name' }], rows())
  for await (const _ of stream) break
  assert.ok(made < 50_000, `${made} rows were made for the first piece`)
})
