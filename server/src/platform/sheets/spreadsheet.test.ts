import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { cutText } from '@podium/contract/fields'
import { XlsxStreamWriter } from 'hucre/xlsx'
import type { Options, ZipFile } from 'yauzl'
import { type Part, sheetOf, workbook, zip } from '#test/archives'
import { isShutIn } from '#test/program'
import { csvField, guessDelimiter } from './csv.ts'
import { checkArchive, readRows, readSheet, sheetConfinement } from './spreadsheet.ts'
import { bulkLimits, type SheetRow, sourceOf, usualLimits } from './spreadsheet-rows.ts'
import { type SheetColumn, writeCsv, writeTemplate, writeXlsx } from './spreadsheet-write.ts'

/** The usual limits except the time: how busy the test machine is must not matter. */
const patient = { ...usualLimits, seconds: 300 }

const oneCell = sheetOf('<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>')
const refused = (code: string) => (thrown: unknown) =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code
const refuses = (bytes: Buffer, code: string, name = 'a.xlsx') =>
  assert.rejects(readSheet(bytes, name, patient), refused(code), `${name} → ${code}`)
const cells = (rows: SheetRow[]) => rows.map((row) => row.cells)
const written = (stream: Readable) => buffer(stream)

const columns: SheetColumn[] = [
  { title: 'Roll No' },
  { title: 'Name' },
  { title: 'Fee', kind: 'money' },
  { title: 'Date', kind: 'date' },
]

test('an exported spreadsheet reads back as it was', async () => {
  const bytes = await written(
    writeXlsx('Class 6/B', columns, [
      ['007', 'क्षितिज Namunawala', 350.5, '2026-03-31'],
      ['', 'Misaal & "Co" <b>', null, null],
    ]),
  )
  assert.deepEqual(await readSheet(bytes, 'students.xlsx', patient), [
    { number: 1, cells: ['Roll No', 'Name', 'Fee', 'Date'] },
    { number: 2, cells: ['007', 'क्षितिज Namunawala', 350.5, new Date('2026-03-31T00:00:00Z')] },
    { number: 3, cells: [null, 'Misaal & "Co" <b>'] },
  ])
})

test('a name that starts like a formula is text in an exported spreadsheet', async () => {
  const bytes = await written(
    writeXlsx('x', [{ title: 'Name' }], [['=HYPERLINK("http://x")'], ['+1'], ['@x']]),
  )
  const sheet = await unzipped(bytes, 'xl/worksheets/sheet1.xml')
  assert.ok(!sheet.includes('<f'))
  assert.deepEqual(cells(await readSheet(bytes, 'x.xlsx', patient)).slice(1), [
    ['=HYPERLINK("http://x")'],
    ['+1'],
    ['@x'],
  ])
})

test('a template offers its choices as a list and reads back with the filled-in values', async () => {
  const bytes = await writeTemplate(
    'Students',
    [{ title: 'Name' }, { title: 'Class', choices: ['Class 1', 'Class 2, with comma'] }],
    [['Aarav', 'Class 1']],
  )
  assert.match(await unzipped(bytes, 'xl/worksheets/sheet1.xml'), /<dataValidation [^>]*sqref="B2:B502"/)
  assert.match(await unzipped(bytes, 'xl/worksheets/sheet1.xml'), /<formula1>Lists!\$A\$1:\$A\$2<\/formula1>/)
  assert.deepEqual(cells(await readSheet(bytes, 'a.xlsx', patient)), [
    ['Name', 'Class'],
    ['Aarav', 'Class 1'],
  ])
})

test('an emoji is read whole wherever a CSV is divided, and cut text never ends with half of one', async () => {
  const lines = Array.from({ length: 6_000 }, (_, i) => `${'k'.repeat(i % 7)}😀 ok`)
  const text = lines.join('\n')
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`, 'utf16le')]) {
    const read = await readSheet(bytes, 'a.csv', { ...patient, rows: 6_000 })
    assert.deepEqual(
      cells(read),
      lines.map((line) => [line]),
    )
  }
  assert.deepEqual([cutText('ab😀c', 3), cutText('ab😀c', 4), cutText('ab', 9)], ['ab', 'ab😀', 'ab'])
})

test('control characters and halves of characters in a cell are dropped', async () => {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const sheet = sheetOf(
    `<row r="1">${['a&#0;b', 'a_x0000_b', 'a&#xD83D;b', 'a_xDE00_b', '&#8;=x'].map(cell)}</row>`,
  )
  assert.deepEqual(cells(await readSheet(zip(workbook(sheet)), 'a.xlsx', patient)), [
    ['ab', 'ab', 'ab', 'ab', '=x'],
  ])
  const late = `${'k'.repeat(400)},1\n`.repeat(300)
  const read = await readSheet(Buffer.from(`${late}a\0b,\0'=x`), 'a.csv', patient)
  assert.deepEqual(read.at(-1)?.cells, ['ab', '=x'])
})

test('a plain workbook is recognised by its content, whatever its name', async () => {
  assert.deepEqual(cells(await readSheet(zip(workbook(oneCell)), 'students.csv', patient)), [['Name']])
})

test('a sparse bomb with one cell in the last corner is refused', async () => {
  const bomb = sheetOf('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
  await refuses(zip(workbook(bomb)), 'sheet.too_many_rows')
  const wide = sheetOf('<row r="2"><c r="XFD2"><v>1</v></c></row>'.repeat(2000))
  await refuses(zip(workbook(wide)), 'sheet.too_many_columns')
})

test('a part that declares 400 MB is refused before it is unpacked', async () => {
  const declared = zip(workbook('x', { name: 'xl/media/a', content: 'x', declared: 400_000_000 }))
  await refuses(declared, 'sheet.too_large')
})

test('a part larger than it declares is refused', async () => {
  const text = `<row r="1"><c r="A1" t="inlineStr"><is><t>${'A'.repeat(30_000_000)}</t></is></c></row>`
  const parts = workbook(sheetOf(text)).map((part) =>
    part.name.endsWith('sheet1.xml') ? { ...part, declared: 200_000 } : part,
  )
  await refuses(zip(parts), 'sheet.damaged')
})

test('a workbook that needs too much memory ends only its own process', async () => {
  const text = randomBytes(12_000_000).toString('hex')
  const cell = `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`
  const limits = { ...usualLimits, megabytes: 24, characters: 1e9, text: 1e9 }
  assert.equal((await readSheet(zip(workbook(oneCell)), 'a.xlsx', limits)).length, 1)
  await assert.rejects(readSheet(zip(workbook(sheetOf(cell))), 'a.xlsx', limits), refused('sheet.too_large'))
})

test('a tag or comment that the reader would begin again with every piece is refused at once', async () => {
  const long = Array.from({ length: 40_000 }, (_, index) => `a${index}=">"`).join(' ')
  for (const markup of [`<row ${long}/>`, `<!--${long}-->`, `<![CDATA[${long}]]>`, `<?${long}?>`])
    await refuses(zip(workbook(sheetOf(markup + oneCell))), 'sheet.damaged')
  const cell = `<!-- it's --><c a='"' b=">" t="inlineStr"><is><t><![CDATA[${'क'.repeat(30_000)}]]></t></is></c>`
  const read = await readSheet(zip(workbook(sheetOf(`<row r="1">${cell}</row>`))), 'a.xlsx', {
    ...patient,
    characters: 30_000,
  })
  assert.equal(String(read[0]?.cells[0]).length, 30_000)
})

test('a small archive with millions of empty cells or entities is refused before they are read', async () => {
  // A file may be packed to a two-hundredth; random letters are not packed.
  const noise = `<!--${randomBytes(40_000).toString('hex')}-->`
  const cells = (count: number) =>
    sheetOf(`${noise}<row r="1"><c r="A1"><v>1</v></c>${'<c/>'.repeat(count)}</row>`)
  const text = `${noise}<row r="1"><c t="inlineStr"><is><t>${'&amp;'.repeat(5_000_000)}</t></is></c></row>`
  // Read to the end, the one row would be refused for its columns, the other for its text.
  for (const sheet of [cells(5_000_000), sheetOf(text)])
    await refuses(zip(workbook(sheet)), 'sheet.too_large')
  // What a program leaves where a whole row was coloured.
  assert.equal((await readSheet(zip(workbook(cells(16_383))), 'a.xlsx', patient)).length, 1)
})

test('a small archive with more text than a list can have is refused before it is all read', async () => {
  const cells = `<c t="inlineStr"><is><t>${'A'.repeat(170)}</t></is></c>`.repeat(38)
  const rows = (count: number) =>
    zip(
      workbook(
        sheetOf(Array.from({ length: count }, (_, index) => `<row r="${index + 1}">${cells}</row>`).join('')),
      ),
    )
  assert.equal((await readSheet(rows(700), 'a.xlsx', patient)).length, 700)
  await refuses(rows(800), 'sheet.too_large')
})

test('reading that takes too long is stopped', async () => {
  const cells = Array.from({ length: 40 }, () => '<c><v>1</v></c>').join('')
  const manyRows = Array.from({ length: 5_000 }, (_, index) => `<row r="${index + 1}">${cells}</row>`).join(
    '',
  )
  await assert.rejects(
    readSheet(zip(workbook(sheetOf(manyRows))), 'a.xlsx', { ...usualLimits, seconds: 0.001 }),
    refused('sheet.too_large'),
  )
})

test('archives with too many parts, foreign paths or duplicate parts are refused', async () => {
  const many = Array.from({ length: 50_000 }, (_, index) => ({ name: `xl/${index}`, content: '' }))
  await refuses(zip(workbook(oneCell, ...many)), 'sheet.too_large')
  const foreign = { name: '../../etc/cron.d/x', content: '' }
  await refuses(zip(workbook(oneCell, foreign)), 'sheet.damaged')
  const twin = { name: 'xl/workbook.xml', content: '' }
  await refuses(zip(workbook(oneCell, twin)), 'sheet.damaged')
})

test('a file that is no spreadsheet, or one of another kind, is named as such', async () => {
  await refuses(Buffer.from(''), 'sheet.empty', 'a.csv')
  await refuses(Buffer.from('\n\n,,\n'), 'sheet.empty', 'a.csv')
  await refuses(Buffer.from('%PDF-1.7'), 'sheet.not_spreadsheet', 'a.csv')
  await refuses(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 1, 2, 3]), 'sheet.not_spreadsheet', 'a.csv')
  await refuses(Buffer.from('<html><table>'), 'sheet.old_format', 'marks.xls')
  await refuses(Buffer.from('Name\n'), 'sheet.damaged', 'marks.xlsx')
  await refuses(zip(workbook(oneCell)).subarray(0, 900), 'sheet.damaged')
  await refuses(zip([{ name: 'word/document.xml', content: '' }]), 'sheet.not_spreadsheet')
  await refuses(zip([{ name: 'content.xml', content: '' }]), 'sheet.old_format', 'a.ods')
  await refuses(zip(workbook(oneCell, { name: 'xl/vbaProject.bin', content: 'x' })), 'sheet.macros')
  const envelope = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  await refuses(envelope, 'sheet.old_format', 'a.xls')
  await refuses(Buffer.concat([envelope, Buffer.from('EncryptedPackage', 'utf16le')]), 'sheet.locked')
  await refuses(zip(workbook('<worksheet><sheetData><row')), 'sheet.empty')
})

test('an external entity in a sheet is not looked up', async () => {
  const sheet = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${sheetOf('<row r="1"><c r="A1" t="inlineStr"><is><t>a&e;b</t></is></c></row>')}`
  const read = await readSheet(zip(workbook(sheet)), 'a.xlsx', patient).catch(() => [])
  assert.ok(!JSON.stringify(read).includes('root:'))
})

test('rows and ends of rows with nothing but spaces are left out', async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`
  const spaces = `${text(' ')}${text('\u00a0')}`
  const sheet = sheetOf(`<row r="1">${text('Name')}${spaces}</row><row r="2">${spaces}</row>`)
  assert.deepEqual(cells(await readSheet(zip(workbook(sheet)), 'a.xlsx', patient)), [['Name']])
})

test('more rows, columns or characters than allowed are refused with their place', async () => {
  const rows = Array.from({ length: 12 }, (_, index) => [`${index}`])
  const bytes = await written(writeXlsx('x', [{ title: 'Name' }], rows))
  await assert.rejects(readSheet(bytes, 'x.xlsx', { ...patient, rows: 11 }), refused('sheet.too_many_rows'))
  assert.equal((await readSheet(bytes, 'x.xlsx', { ...patient, rows: 12 })).length, 13)
  await assert.rejects(
    readSheet(zip(workbook(oneCell)), 'x.xlsx', { ...patient, characters: 3 }),
    /Row 1, column A holds more than 3 characters\./,
  )
})

test("a season's marks are read as a stream, however many there are", async () => {
  const writer = new XlsxStreamWriter({ name: 'Marks' })
  const count = 20_000
  for (let index = 0; index < count; index++) writer.addRow([`VNK0417-6-${index}`, 'M', index % 60, 'P'])
  let seen = 0
  for await (const row of readRows(Buffer.from(await writer.finish()), 'marks.xlsx', bulkLimits)) {
    assert.equal(row.cells[2], seen % 60)
    seen++
  }
  assert.equal(seen, count)
})

test('a reader that is no longer wanted ends with its caller', async () => {
  const bytes = await written(
    writeXlsx(
      'x',
      [{ title: 'Name' }],
      Array.from({ length: 4000 }, () => ['x'.repeat(400)]),
    ),
  )
  for await (const row of readRows(bytes, 'x.xlsx', patient)) {
    assert.equal(row.number, 1)
    break
  }
})

test('the process that reads a spreadsheet can reach no other file, no program and no network', () =>
  isShutIn(sheetConfinement(64)))

async function unzipped(bytes: Buffer, name: string): Promise<string> {
  const { default: yauzl } = await import('yauzl')
  const archive = await yauzl.fromBufferPromise(bytes)
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName === name) return String(await buffer(await archive.openReadStreamPromise(entry)))
  }
  throw new Error(`no ${name}`)
}

test('of many files at once two are read at a time, some wait, and the rest are told to try again', async () => {
  const long = await written(
    writeXlsx(
      'x',
      [{ title: 'Name' }],
      Array.from({ length: 4000 }, () => ['x'.repeat(400)]),
    ),
  )
  const held = [readRows(long, 'x.xlsx', patient), readRows(long, 'x.xlsx', patient)]
  for (const reader of held) assert.deepEqual((await reader.next()).value?.cells, ['Name'])
  const bytes = zip(workbook(oneCell))
  // The middle ones time out at once, but have taken their turn.
  const many = Array.from({ length: 21 }, (_, index) =>
    readSheet(bytes, 'a.xlsx', index < 2 || index > 18 ? patient : { ...patient, seconds: 0 }),
  )
  const outcomes = Promise.allSettled(many)
  await assert.rejects(Promise.race(many), refused('busy'), 'no one else is answered while two are read')
  // By now the others have joined the queue too.
  await assert.rejects(readSheet(bytes, 'a.xlsx', patient), refused('busy'))
  for (const reader of held) await reader.return(undefined)
  const busy = (await outcomes).filter(
    (outcome) => outcome.status === 'rejected' && refused('busy')(outcome.reason),
  )
  assert.equal(busy.length, 1)
  const read = (await outcomes).flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [cells(outcome.value)] : [],
  )
  assert.ok(read.length >= 3)
  for (const rows of read) assert.deepEqual(rows, [['Name']])
  assert.deepEqual(cells(await readSheet(bytes, 'a.xlsx', patient)), [['Name']])
})

test('an archive is closed again, even when its table of contents gets it refused', async () => {
  const closed = async (parts: Part[]) => {
    const source = sourceOf(zip(parts))
    let archive: ZipFile | undefined
    const seen = { ...source, archive: async (options: Options) => (archive = await source.archive(options)) }
    const code = await checkArchive(seen, patient).then(
      () => 'whole',
      (thrown: { code: string }) => thrown.code,
    )
    return [code, archive?.isOpen]
  }
  const many = Array.from({ length: 201 }, (_, index) => ({ name: `part${index}`, content: '' }))
  assert.deepEqual(await closed(many), ['sheet.too_large', false])
  assert.deepEqual(await closed(workbook(oneCell)), ['whole', false])
})

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

test('the delimiter is detected, even if another one occurs in quotes', () => {
  assert.equal(guessDelimiter('a;b;c\n"x,y,z,w,v";2;3\n'), ';')
  assert.equal(guessDelimiter('a\tb\n1\t2\n'), '\t')
  assert.equal(guessDelimiter('Name\nAarav\n'), ',')
  assert.equal(guessDelimiter('Name,Fee\nAarav,"1,200"\nB,3'), ',')
})

test('quotes, line breaks in cells and empty rows leave the row numbers right', async () => {
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

test('a CSV with too many rows or too long cells is refused', async () => {
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

test('text that starts like a formula is guarded in an export, and numbers are not', () => {
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
    // In countries that separate lists with these, a program may read what follows as a separate cell, and each line of a
    // text as a row.
    for (const part of [';', '\t', '\n', '\r\n', '\n\n'])
      assert.equal(csvField(`x${part}${sign}1`), `"x${part}'${sign}1"`)
  }
  assert.equal(csvField(-5), '-5')
  assert.equal(csvField('=HYPERLINK("x")'), `"'=HYPERLINK(""x"")"`)
  assert.equal(csvField('Aarav'), '"Aarav"')
  assert.equal(csvField('x; =1'), `"x;' =1"`)
  assert.equal(csvField('x; y'), '"x; y"')
  // A school without sections has a dash in each row.
  assert.equal(csvField('-'), '"-"')
  assert.equal(csvField('-; - x'), `"-;' - x"`)
  assert.equal(csvField(''), '')
})

test('an exported CSV reads back as it was', async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => [`क्षितिज, "${index}"`, index, null])
  const bytes = await buffer(
    writeCsv([{ title: 'Name' }, { title: 'Fee', kind: 'money' }, { title: 'Note' }], rows),
  )
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
  const back = cells(await readSheet(bytes, 'a.csv'))
  assert.equal(back.length, 3001)
  assert.deepEqual(back[2], ['क्षितिज, "1"', '1'])
})

test('an exported text reads back as it was, with or without an apostrophe of its own', async () => {
  const signs = ['=1', '+91 98765', '-A', '@x', '＝1', '＋1', 'a;=1', 'a\n=1', 'a;\t=1', '- A', 'a; -b']
  const texts = [
    ...signs,
    "'=1",
    "''+1",
    "a;'=1",
    "'x",
    "'",
    "a;'b",
    '_x0041_',
    '_x003D_1',
    '_x005F_',
    '007',
    '-',
    "'-",
    '-;-;=',
    '- \n-1',
  ]
  const rows = texts.map((text) => ['x', text])
  const csv = await buffer(writeCsv([{ title: 'Name' }, { title: '=Note' }], rows))
  assert.deepEqual(cells(await readSheet(csv, 'a.csv')), [['Name', '=Note'], ...rows])
  // A spreadsheet program keeps the apostrophes of a CSV when it saves it as .xlsx.
  const guarded = signs.map((text) => [csvField(text).slice(1, -1)])
  for (const [list, expected] of [
    [rows.filter(([, text]) => !/(?:^|;)'+[=+]/.test(text ?? '')), undefined],
    [guarded, signs.map((text) => [text])],
  ] as const) {
    const xlsx = await buffer(writeXlsx('Students', [{ title: 'Name' }, { title: 'Note' }], list))
    assert.deepEqual(cells(await readSheet(xlsx, 'a.xlsx')).slice(1), expected ?? list)
  }
})

test('control characters stay out of an exported CSV, which would be refused for them', async () => {
  const csv = await buffer(writeCsv([{ title: 'Name' }], [['\u0001Aarav\u001f']]))
  assert.deepEqual(cells(await readSheet(csv, 'a.csv')), [['Name'], ['Aarav']])
})

test('a CSV of nothing but delimiters is refused before it becomes millions of cells', async () => {
  const filled = 'Name,Class'.padEnd(20_000, ',')
  assert.deepEqual(await read(`${filled}\nAarav,6`), [
    ['Name', 'Class'],
    ['Aarav', '6'],
  ])
  for (const line of [`${','.repeat(1_000_000)}x`, `Name\n${';'.repeat(1_000_000)}x`])
    await assert.rejects(readSheet(Buffer.from(line), 'a.csv'), { code: 'sheet.text_too_long' })
})

test('blank lines at the end of a CSV cost nothing, and many more of them in its middle than rows allowed are refused', async () => {
  const list = 'Name,Class\nAarav,6\n'
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  for (const blank of ['\n', ' \r\n', ',\n']) {
    const before = turns
    const many = blank.repeat(1_000_000)
    assert.deepEqual(await read(list + many), await read(list))
    await assert.rejects(read(many), { code: 'sheet.empty' })
    assert.ok(turns - before < 100, `${turns - before} turns, where each reads 4,096 characters`)
    await assert.rejects(read(`${list}${many}Kabir,7`), { code: 'sheet.too_many_rows' })
  }
  clearImmediate(next)
  assert.deepEqual(await read(`${list}${'\n'.repeat(4_000)}Kabir,7${'\n'.repeat(10_000)}`), [
    ['Name', 'Class'],
    ['Aarav', '6'],
    ['Kabir', '7'],
  ])
})

test('an export is written while its rows are still arriving', async () => {
  let made = 0
  function* rows() {
    for (; made < 200_000; made++) yield [`row ${made}`]
  }
  const stream = writeCsv([{ title: 'Name' }], rows())
  for await (const _ of stream) break
  assert.ok(made < 50_000, `${made} rows were made for the first piece`)
})
