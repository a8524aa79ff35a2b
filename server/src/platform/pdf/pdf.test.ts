import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { formatRupees, paise } from '@podium/contract/money'
import { upiLink } from '@podium/contract/payments/rules'
import { formatDay } from '@podium/contract/season'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { pdfLines } from '#test/archives'
import { acceptUpload } from '../files/files-accept.ts'
import { makePdf, type PdfPage } from './pdf.ts'
import type { PdfOptions } from './pdf-parts.ts'
import { runsOf } from './pdf-text.ts'
import { qrSvg } from './qr.ts'

const createdAt = new Date('2026-11-21T06:30:00Z')
const options: PdfOptions = {
  title: 'Receipt PD27/000412',
  createdAt,
  foundation: { name: 'Namunawala Olympiad Foundation' },
  foot: 'Help: 1800 000 0000, Monday to Friday, 9 AM to 5 PM',
}

function receipt(page: PdfPage): void {
  page.heading('Receipt')
  page.beside(
    [3, 1],
    [
      () =>
        page.keyValues([
          ['Receipt No.', 'PD27/000412'],
          ['Date', formatDay('2026-11-21')],
          ['School', 'Udaharan Public School, श्री कल्पनिक विद्यालय, Namunapur'],
          ['School code', 'VNK0417'],
          ['Received for', 'Registration Fee 2026-27'],
          ['Mode', ''],
        ]),
      () => page.qr('https://podium.example/receipt/PD27-000412', 100, 'Check this receipt'),
    ],
  )
  page.space()
  page.panel(52, () => {
    page.text('Amount received', { color: '#4a555f' })
    page.text(formatRupees(124_500), { size: 18, bold: true })
  })
  page.table({
    columns: [
      { title: 'S.No.', weight: 1, align: 'right' },
      { title: 'Student', weight: 5 },
      { title: 'Class', weight: 2 },
      { title: 'Subjects', weight: 4 },
      { title: 'Amount', weight: 2, align: 'right' },
    ],
    rows: Array.from({ length: 60 }, (_, index) => [
      `${index + 1}`,
      index % 3 === 0 ? 'क्षितिज विद्यार्थी Namunawala' : 'Aarav Udaharan',
      'Class 6 B',
      index === 4
        ? 'Mathematics, Science, English, Computers, General Knowledge, Hindi'
        : 'Mathematics, Science',
      formatRupees(350),
    ]),
    foot: ['', 'Total', '', '', formatRupees(21_000)],
  })
  page.subheading('To be filled in by the school')
  page.blank('Name of the principal', 'Meera Namunawala')
  page.blank('Signature and seal')
  page.boxes('UDISE code', 11, '2901')
  page.choices([
    { label: 'Books have arrived', ticked: true },
    { label: 'Books are missing' },
    { label: 'पुस्तकें मिलीं' },
  ])
  page.link('podium.example', 'https://podium.example/')
}

/** Returns the inflated content streams, page by page. */
function contents(bytes: Buffer): string[] {
  const source = bytes.toString('latin1')
  const pages: string[] = []
  for (const match of source.matchAll(/stream\n([\s\S]*?)\nendstream/g)) {
    try {
      const text = inflateSync(Buffer.from(match[1] ?? '', 'latin1')).toString('latin1')
      if (/ Td|BT/.test(text)) pages.push(text)
    } catch {
      // A font, or another stream that is no page
    }
  }
  return pages
}

// Must run first: a font that has already met a character would hide the problem.
test('a document reads the same, whatever was printed before it', async () => {
  await makePdf(options, (page) => page.heading('a … b'))
  const receiptAfter = await makePdf(options, receipt)
  const text = pdfLines(receiptAfter)
  if (text) assert.match(text, /S\.No\. Student/)
  await makePdf(options, (page) => page.text('½ कार्ड ﬁnal'))
  assert.ok(receiptAfter.equals(await makePdf(options, receipt)))
  const words = pdfLines(await makePdf(options, (page) => page.text('Certificate of an office, difficult')))
  if (words) assert.match(words, /Certificate of an office, difficult/)
})

test('a receipt contains its number, the school in both scripts, and the amounts', async () => {
  const bytes = await makePdf(options, receipt)
  if (process.env.KEEP_PDF) writeFileSync(process.env.KEEP_PDF, bytes)
  assert.equal(contents(bytes).length, 3)
  // What a screen reader gets for shaped Devanagari: the original text
  const spoken = Buffer.from('क्षितिज विद्यार्थी', 'utf16le').swap16().toString('latin1')
  assert.ok(
    contents(bytes).some((page) => page.replaceAll('\\t', '\t').includes(`/ActualText (þÿ${spoken})`)),
  )
  const text = pdfLines(bytes)
  if (text === undefined) return
  assert.match(text, /PD27\/000412/)
  assert.match(text, /श्री कल्पनिक विद्यालय/)
  assert.match(text, /₹1,24,500/)
  assert.match(text, /Page 1 of 3/)
})

test('the head of a table is repeated on each page that it reaches', async () => {
  const text = pdfLines(await makePdf(options, receipt))
  if (text === undefined) return
  const pages = text.split('\f').filter((page) => page.includes('Class 6 B'))
  assert.ok(pages.length > 1)
  for (const page of pages) assert.match(page, /S\.No\. Student Class Subjects Amount/)
})

test('what rows share is written at their first, and again where they go on upon the next page', async () => {
  const bytes = await makePdf(options, (page) =>
    page.table({
      columns: [
        { title: 'Class', weight: 1 },
        { title: 'Item', weight: 1 },
      ],
      rows: Array.from({ length: 90 }, (_, index) => [index < 2 ? 'Class 1' : 'Class 2', `Item ${index}.`]),
      grouped: true,
    }),
  )
  const pages = pdfLines(bytes)
    .split('\f')
    .filter((text) => text.includes('Item'))
  assert.ok(pages.length > 1)
  const classes = pages.map((text) => text.match(/Class \d/g))
  assert.deepEqual(classes, [['Class 1', 'Class 2'], ...pages.slice(1).map(() => ['Class 2'])])
})

test('totals never stand alone on a page, and text below a table keeps its last rows with it', async () => {
  const below = 100
  const totalsOf = async (n: number, byHand: boolean) => {
    const bytes = await makePdf(options, (page) => {
      page.table({
        columns: [{ title: 'Student', weight: 1 }],
        rows: Array.from({ length: n }, (_, index) => [`Child ${index + 1}.`]),
        ...(byHand ? { below: below + 8 } : { foot: ['Total'] }),
      })
      if (!byHand) return
      page.room(below)
      page.text('Total')
    })
    const pages = pdfLines(bytes).split('\f')
    const page = pages.findIndex((text) => /^Total$/m.test(text))
    const children = Array.from({ length: n }, (_, index) => `Child ${index + 1}.`)
    assert.deepEqual(
      pages.join('\n').match(/Child \d+\./g),
      children,
      'each row appears once and in order, and no page has only a table head',
    )
    for (const text of pages.filter((page) => page.includes('Student'))) assert.match(text, /Child/)
    for (const child of children.slice(-2))
      assert.ok(pages[page]?.includes(child), `${n} rows, ${byHand}: ${child}`)
    return page
  }
  const plain = await makePdf(options, (page) => {
    page.room(page.bottom - page.y)
    page.space(page.bottom - page.y - 50)
    page.table({
      columns: [{ title: 'Student', weight: 1 }],
      rows: [['Child 1.'], ['Child 2.'], ['Child 3.']],
    })
  })
  assert.equal(
    pdfLines(plain)
      .split('\f')
      .findIndex((text) => text.includes('Child 1.')),
    1,
  )
  for (const byHand of [false, true]) {
    const where = []
    for (const n of [1, 2, ...Array.from({ length: 14 }, (_, index) => 27 + index)])
      where.push(await totalsOf(n, byHand))
    assert.equal(where[0], 0)
    assert.ok(where.includes(1), 'some tables reach the second page')
  }
})

test('sheets that are handed out apart have their own page numbers and note', async () => {
  const bytes = await makePdf(options, (page) => {
    page.numberFromHere('Parcel 1')
    page.text('Line\n'.repeat(60))
    page.newPage()
    page.numberFromHere('Parcel 2')
    page.text('Last')
  })
  const pages = pdfLines(bytes).split('\f')
  const feet = pages.slice(0, 3).map((text) => text.match(/Page \d of \d|Parcel \d/g)?.sort())
  assert.deepEqual(feet, [
    ['Page 1 of 2', 'Parcel 1'],
    ['Page 2 of 2', 'Parcel 1'],
    ['Page 1 of 1', 'Parcel 2'],
  ])
})

test('a long value makes its row as high as its bold text', async () => {
  let [value, row] = [0, 0]
  await makePdf(options, (page) => {
    // Fits on one line unless it is bold
    const text = 'Udaharanam Matriculation Higher Secondary School for Arts and Scie'
    const [width, style] = [page.width - 130, { size: 10 }]
    assert.equal(page.painter.lines(text, width, style).length, 1)
    value = page.painter.height(text, width, { ...style, bold: true })
    const top = page.y
    page.keyValues([['School', text]])
    row = page.y - top
  })
  assert.ok(row >= value, `${row} points for ${value}`)
})

test('the same document with the same date has the same bytes, and with another date it has others', async () => {
  const [first, two] = [await makePdf(options, receipt), await makePdf(options, receipt)]
  assert.ok(first.equals(two))
  assert.ok(!first.equals(await makePdf({ ...options, createdAt: new Date(0) }, receipt)))
})

test('a name cannot become code in a PDF, and a link must be https', async () => {
  const bytes = await makePdf({ ...options, title: ') /OpenAction << /S /JavaScript' }, (page) =>
    page.text('Robert) Tj ET /OpenAction (\u202eevil'),
  )
  const source = bytes.toString('latin1')
  const catalog = /\/Type \/Catalog[\s\S]*?endobj/.exec(source)?.[0]
  assert.ok(catalog)
  assert.ok(!catalog.includes('OpenAction'))
  assert.ok(source.includes('(\\) /OpenAction << /S /JavaScript)'))
  await assert.rejects(
    makePdf(options, (page) => page.link('click', 'javascript:alert(1)')),
    RangeError,
  )
})

test('our own PDFs pass the check of uploaded files', async () => {
  assert.equal((await acceptUpload(await makePdf(options, receipt))).mediaType, 'application/pdf')
})

test('text is split by script without losing a character', () => {
  const mixed = 'Class 6 कक्षा ६, ज्ञान‍ (A) और B'
  const runs = runsOf(mixed)
  assert.equal(runs.map((run) => run.text).join(''), mixed)
  assert.deepEqual(
    runs.map((run) => run.devanagari),
    [false, true, false, true, false, true, false],
  )
})

// The package's types describe a default export, but its CommonJS file is the function itself.
const scan = jsQR as unknown as typeof jsQR.default

// The server never decodes SVG; only this file does, to see the rendered code.
const svg = { operation: ['VipsForeignLoadSvg'] }
describe('a code for scanners', () => {
  before(() => sharp.unblock(svg))
  after(() => sharp.block(svg))

  test('reads back as the UPI link it was printed from', async () => {
    const link = upiLink({
      payTo: 'podium@samplebank',
      payeeName: 'Podium Foundation',
      amount: paise(12_450_000),
      note: 'Registration Fee 2026-27',
      reference: 'PD27-VNK0417-R2',
    })
    const image = await sharp(Buffer.from(qrSvg(link, 'UPI code')))
      .resize(400)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const read = scan(new Uint8ClampedArray(image.data), image.info.width, image.info.height)
    assert.equal(read?.data, link)
  })

  test('cannot get markup from its label', () => {
    assert.ok(!qrSvg('x', '</title><script>').includes('<script>'))
  })
})
