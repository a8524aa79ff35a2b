import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { acceptUpload, fromDataUrl, maxUploadBytes, pageOf } from './files-accept.ts'

const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#e6a70f' } })
const refused = (bytes: Buffer, code: string) => assert.rejects(acceptUpload(bytes), { code })

/** Builds a PDF from these objects, without a cross-reference table: readers cope with that, so the check must too. */
const pdf = (...objects: string[]) =>
  Buffer.from(`%PDF-1.7\n${objects.join('\n')}\ntrailer << /Root 1 0 R >>\n%%EOF\n`, 'latin1')
const catalog =
  '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [] /Count 0 >> endobj'
const stream = (dictionary: string, content: Buffer) =>
  `9 0 obj << ${dictionary} /Length ${content.length} >>\nstream\n${content.toString('latin1')}\nendstream endobj`

test('pictures are re-encoded: a JPEG stays one, a WebP becomes one, a PNG stays one', async () => {
  for (const [bytes, mediaType, extension] of [
    [await picture().jpeg().toBuffer(), 'image/jpeg', 'jpg'],
    [await picture().webp().toBuffer(), 'image/jpeg', 'jpg'],
    [await picture().png().toBuffer(), 'image/png', 'png'],
  ] as const) {
    const accepted = await acceptUpload(bytes)
    assert.equal(accepted.mediaType, mediaType)
    assert.equal(accepted.extension, extension)
    assert.equal((await sharp(accepted.bytes).metadata()).width, 60)
  }
})

test('a photograph loses its location and is turned upright', async () => {
  const photo = await picture(60, 40)
    .withExif({ IFD0: { Copyright: 'Namunawala' }, IFD3: { GPSLatitude: '19/1 4/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  assert.ok((await sharp(photo).metadata()).exif)
  const accepted = await acceptUpload(photo)
  const after = await sharp(accepted.bytes).metadata()
  assert.equal(after.exif, undefined)
  assert.equal(after.xmp, undefined)
  assert.ok(!accepted.bytes.includes('Namunawala'))
  assert.deepEqual([after.width, after.height], [40, 60])
})

test('a page hidden behind a picture is removed', async () => {
  const hidden = '<script>alert(1)</script>'
  const polyglot = Buffer.concat([await picture().jpeg().toBuffer(), Buffer.from(`${hidden}PK\x03\x04zip`)])
  const accepted = await acceptUpload(polyglot)
  assert.ok(!accepted.bytes.includes('script'))
  assert.ok(!accepted.bytes.includes('PK\x03\x04'))
})

test('SVG, HTML, GIF and other files are refused, whatever they are called', async () => {
  await refused(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'file.unsupported')
  await refused(Buffer.from('<!doctype html><script>alert(1)</script>'), 'file.unsupported')
  await refused(Buffer.from('GIF89a=1;alert(1)//'), 'file.unsupported')
  await refused(await picture().tiff().toBuffer(), 'file.unsupported')
  await refused(Buffer.from('PK\x03\x04'), 'file.unsupported')
  await refused(Buffer.alloc(0), 'file.unreadable')
  await refused(Buffer.alloc(maxUploadBytes + 1), 'file.too_large')
})

test('a decoder that we do not need never runs', async () => {
  await import('./images.ts')
  await assert.rejects(
    sharp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')).toBuffer(),
  )
  await assert.rejects(sharp(await picture().gif().toBuffer()).toBuffer())
})

test('a picture of 30,000 by 30,000 pixels is refused', async () => {
  await refused(hugePng(30_000), 'file.too_many_pixels')
})

test('a truncated picture is refused', async () => {
  const noise = await sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer()
  await refused(noise.subarray(0, noise.length / 2), 'file.damaged')
  await refused(Buffer.concat([noise.subarray(0, 20), Buffer.alloc(500)]), 'file.damaged')
})

test('a PDF that only shows pages is kept unchanged', async () => {
  const plain = pdf(catalog, stream('/Filter /FlateDecode', deflateSync(Buffer.from('BT (JS) Tj ET'))))
  assert.ok((await acceptUpload(plain)).bytes.equals(plain))
  const place = pdf(catalog.replace('/Pages', '/OpenAction [2 0 R /XYZ null null 0] /Pages'))
  assert.equal((await acceptUpload(place)).extension, 'pdf')
  // Random bytes of an image may look like a short name.
  const photo = stream(
    '/Type /XObject /Subtype /Image /Filter /DCTDecode',
    Buffer.from('\xff\xd8/JS /AA (\xff', 'latin1'),
  )
  assert.equal((await acceptUpload(pdf(catalog, photo))).extension, 'pdf')
})

test('a PDF with scripts, launches, embedded files or actions is refused, even with the names obfuscated', async () => {
  for (const name of [
    '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>',
    '/OpenAction 5 0 R',
    '/Names << /JavaScript 5 0 R >>',
    '/AA << /O 5 0 R >>',
    '/A << /S /Launch /F (cmd.exe) >>',
    '/Names << /EmbeddedFiles 5 0 R >>',
    '/AcroForm << /XFA 5 0 R >>',
    '/A << /S /SubmitForm >>',
    '/A << /S /J#61vaScript >>',
    '/#4a#53 (app.alert(1))',
  ]) {
    await refused(pdf(catalog.replace('/Pages 2', `${name} /Pages 2`)), 'file.pdf_active')
  }
})

test('a PDF that links to web pages and e-mail addresses is kept', async () => {
  for (const address of [
    '(https://bank.example/a\\(1\\))',
    '(HTTP://bank.example)',
    '%c\n(mailto:help@bank.example)',
    '<68747470733A2F2F78>',
    '(\\150ttps://bank.example/#/a#20b)',
  ]) {
    const link = pdf(catalog, `5 0 obj << /Subtype /Link /F 4 /A << /S /URI /URI ${address} >> >> endobj`)
    assert.equal((await acceptUpload(link)).extension, 'pdf', address)
    const packed = deflateSync(Buffer.from(`5 0 << /A << /URI ${address} /S /URI>> >>`))
    const inside = stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', packed)
    assert.equal((await acceptUpload(pdf(catalog, inside))).extension, 'pdf', address)
  }
})

test('a PDF with any other link or action is refused', async () => {
  for (const action of [
    '/S /URI /URI (javascript:alert(1))',
    '/S/URI/URI(file:////evil/x)',
    '/S /URI /URI (\\\\\\\\evil\\\\share)',
    '/S /URI /URI (//evil/x)',
    '/S /URI /URI (\\152avascript:alert\\(1\\))',
    '/S /URI /URI <6A6176617363726970743A>',
    '/S /URI /U#52I (javascript:x)',
    '/S /URI /URI\0(javascript:x)',
    '/S /URI /URI%c\n(javascript:x)',
    '/S /URI /URI 7 0 R',
    '/S /URI(data:text/html,x)',
    '/URI << /Base (https://bank.example) >>',
    '/S /URI /URI (https\0://x) /F (a.exe)',
    '/S /Named /N /Print',
    '/S /#4eamed /N /Print',
    '/S /Thread /F (\\\\\\\\evil\\\\x) /D 0',
    '/S /Sound /Sound 7 0 R',
    '/S /Movie /T (x)',
    '/S /Hide /T (x)',
    '/S /ResetForm',
    '/S /SetOCGState /State []',
    '/S /GoTo3DView /TA 7 0 R',
    '/S /GoToDp /Dp 7 0 R',
    '/S /GoToR /D [0 /Fit]',
    '/S /GoToE /D [0 /Fit]',
    '/S /ImportData',
    '/S /Rendition',
    '/F << /Type /Filespec /UF (x) >>',
    '/UF <5C5C6576696C>',
  ]) {
    await refused(pdf(catalog, `5 0 obj << /A << ${action} >> >> endobj`), 'file.pdf_active')
    const packed = deflateSync(Buffer.from(`5 0 << /A << ${action} >> >>`, 'latin1'))
    const inside = stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', packed)
    await refused(pdf(catalog, inside), 'file.pdf_active')
  }
})

test('a PDF that unpacks a few kilobytes into millions of hidden characters is refused', async () => {
  const packed = (text: string, n: number) =>
    stream('/Filter /FlateDecode', deflateSync(Buffer.from(text.repeat(n)), { level: 9 }))
  await refused(pdf(catalog, packed('#41', 10_000_000)), 'file.damaged')
  await refused(pdf(catalog, packed('/#41', 1_000_000)), 'file.damaged')
  await refused(pdf(catalog, '/#41 '.repeat(800_000)), 'file.damaged')
  assert.equal((await acceptUpload(pdf(catalog, `% ${'#41'.repeat(1_500_000)}\n`))).extension, 'pdf')
})

test('a PDF with a million names before a comment without end is refused at once', async () => {
  const inside = stream(
    '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode',
    deflateSync(Buffer.from(`5 0 ${'/F%'.repeat(80_000)}`)),
  )
  // Killed for its time, it would be called damaged.
  for (const slow of [
    '/F%'.repeat(1_500_000),
    `${'/URI%'.repeat(900_000)}\n/X`,
    '/URI%\n%'.repeat(500_000),
    inside,
  ])
    await refused(pdf(catalog, slow), 'file.pdf_active')
})

test('an endlessly repetitive PDF is refused by its compression ratio', async () => {
  const once = deflateSync(Buffer.alloc(8 * 1024 * 1024, 'BT ET '), { level: 9 })
  await refused(pdf(catalog, stream('/Filter /FlateDecode', once)), 'file.damaged')
  const several = Array.from({ length: 70 }, () =>
    stream('/Filter /FlateDecode', deflateSync(Buffer.alloc(250_000))),
  )
  await refused(pdf(catalog, ...several), 'file.damaged')
})

test('a PDF with a script in a compressed object stream is refused', async () => {
  const objects = Buffer.from('5 0 << /S /JavaScript /JS (app.alert(1)) >>')
  const packed = deflateSync(objects)
  await refused(
    pdf(catalog, stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', packed)),
    'file.pdf_active',
  )
  await refused(pdf(catalog, stream('/N 1 /First 4 /Filter /Flate#44ecode', packed)), 'file.pdf_active')
  await refused(
    pdf(catalog, stream('/N 1 /First 4 /Filter [/ASCIIHexDecode /FlateDecode]', packed)),
    'file.pdf_active',
  )
  const short = deflateSync(Buffer.from('5 0 << /AA 6 0 R >>'))
  await refused(
    pdf(catalog, stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', short)),
    'file.pdf_active',
  )
})

test('a PDF that hides a packed script from us, but not from readers, is refused', async () => {
  const packed = deflateSync(Buffer.from('5 0 << /S /JavaScript /JS (app.alert(1)) >>'))
  const whole = stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', packed)
  // A text in the dictionary that looks like its beginning
  await refused(
    pdf(catalog, stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /X ( obj)', packed)),
    'file.pdf_active',
  )
  await refused(pdf(catalog, stream('/Subtype /Image /X ( obj)', packed)), 'file.pdf_active')
  // A comment before the stream, and one that looks like a stream ending with the next
  await refused(pdf(catalog, whole.replace('\nstream', '%\nstream')), 'file.pdf_active')
  await refused(pdf(catalog, `%>>stream\n${whole}`), 'file.pdf_active')
})

test('a PDF with packed objects is refused if only a reader can tell how they are packed', async () => {
  const objects = '5 0 << /S /JavaScript /JS (app.alert(1)) >>'.padEnd(48)
  const hex = Buffer.from(`${deflateSync(Buffer.from(objects)).toString('hex')}>`)
  const filters = '7 0 obj [ /ASCIIHexDecode /FlateDecode ] endobj'
  const packed = '/Type /ObjStm /N 1 /First 4'
  await refused(pdf(catalog, stream(`${packed} /Filter 7 0 R`, hex), filters), 'file.pdf_active')
  await refused(pdf(catalog, stream(`${packed} /Filter [ /FlateDecode 7 0 R ]`, hex)), 'file.pdf_active')
  // A name that ends like the beginning of an object
  const named = stream(`${packed} /A#20obj 1 /Filter [ /ASCIIHexDecode /FlateDecode ]`, hex)
  await refused(pdf(catalog, named), 'file.pdf_active')
  // Each line as the difference from the one above
  const lines = Buffer.from(
    objects
      .match(/.{8}/g)
      ?.map((line) => `\x02${line}`)
      .join('') ?? '',
    'latin1',
  )
  for (let at = lines.length - 9; at > 0; at -= 9)
    for (let byte = 1; byte < 9; byte++)
      lines[at + byte] = ((lines[at + byte] ?? 0) - (lines[at - 9 + byte] ?? 0)) & 255
  for (const parameters of [
    '/DecodeParms 7 0 R',
    '/DecodeParms << /Predictor%\n12 /Columns 8 >>',
    '/DP 7 0 R',
  ])
    await refused(
      pdf(catalog, stream(`${packed} /Filter /FlateDecode ${parameters}`, deflateSync(lines))),
      'file.pdf_active',
    )
  const plain = deflateSync(Buffer.from('5 0 << /Type /Pages /Kids [] /Count 0 >>'))
  for (const filter of [
    '/Filter /FlateDecode',
    '/Filter [ /Fl ] /DecodeParms [ null ]',
    '/Filter/FlateDecode/DP null',
  ])
    assert.equal((await acceptUpload(pdf(catalog, stream(`${packed} ${filter}`, plain)))).extension, 'pdf')
})

test('a PDF with more streams than a proof of payment needs is refused', async () => {
  const streams = Array.from({ length: 5_001 }, () => '9 0 obj << /Length 0 >>\nstream\n\nendstream endobj')
  await refused(pdf(catalog, ...streams), 'file.damaged')
})

test('a PDF that unpacks without end is refused', async () => {
  const bomb = deflateSync(Buffer.alloc(60 * 1024 * 1024))
  await refused(pdf(catalog, stream('/Filter /FlateDecode', bomb)), 'file.damaged')
})

test('a PDF that is encrypted, truncated or appended to something else is refused', async () => {
  await refused(
    pdf(catalog, '3 0 obj << /Filter /Standard /V 2 >> endobj\ntrailer << /Encrypt 3 0 R >>'),
    'file.pdf_locked',
  )
  const whole = pdf(catalog, stream('/Filter /FlateDecode', deflateSync(Buffer.from('BT ET'))))
  await refused(whole.subarray(0, whole.length - 30), 'file.damaged')
  await refused(Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.from('<html>')]), 'file.damaged')
})

test('the proof in a payment call is read from its data URL, whose declared type is ignored', async () => {
  const bytes = await picture().png().toBuffer()
  const read = fromDataUrl(`data:text/html;base64,${bytes.toString('base64')}`)
  assert.equal((await acceptUpload(read)).mediaType, 'image/png')
  assert.ok(fromDataUrl(`data:image/png;name=a.png;base64,${bytes.toString('base64')}`).equals(bytes))
  for (const text of [
    '',
    'https://x.example/a.png',
    'data:image/png,abc',
    'data:image/png;base64,<svg>',
    'data:;base64,abcde',
  ]) {
    assert.throws(() => fromDataUrl(text), { code: 'file.unreadable' }, text)
  }
  assert.throws(() => fromDataUrl(`data:image/png;base64,${'A'.repeat(maxUploadBytes * 1.4)}`), {
    code: 'file.too_large',
  })
})

/** Builds a PNG that declares this size but is compressed to very little. */
function hugePng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 1
  const rows = deflateSync(Buffer.alloc(Math.ceil(side / 8 + 1) * side), { level: 9 })
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Builds a one-page PDF of this size and content, which draws `forms`. */
function onePage(size: string, content: string, ...forms: string[]): Buffer {
  const body = (dictionary: string, text: string) =>
    `<< ${dictionary} /Length ${text.length} >>\nstream\n${text}\nendstream endobj`
  const names = forms.map((_, index) => `/F${index} ${index + 5} 0 R`).join(' ')
  return pdf(
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
    `3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [${size}] /Contents 4 0 R /Resources << /XObject << ${names} >> >> >> endobj`,
    `4 0 obj ${body('', content)}`,
    ...forms.map(
      (form, index) =>
        `${index + 5} 0 obj ${body(`/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << ${names} >> >>`, form)}`,
    ),
  )
}

test('a page of a PDF becomes a picture on white, and a five-metre page becomes a small one', async () => {
  const { pages, bytes } = await pageOf(onePage('0 0 595 842', '1 0 0 rg 0 0 595 421 re f'), 1)
  assert.equal(pages, 1)
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.width, info.height], [1272, 1800])
  const pixelAt = (y: number) => [
    ...data.subarray((y * info.width + 600) * 3, (y * info.width + 600) * 3 + 3),
  ]
  assert.deepEqual(pixelAt(100), [255, 255, 255])
  assert.ok((pixelAt(1700)[0] ?? 0) > 250 && (pixelAt(1700)[1] ?? 255) < 5)
  const poster = await sharp((await pageOf(onePage('0 0 14400 14400', ''), 1)).bytes).metadata()
  assert.equal(poster.width, 1800)
})

test('a PDF that draws without end or is no PDF is not shown, and the next one is', async () => {
  // Twelve forms, each of which draws the next ten times.
  const forms = Array.from({ length: 12 }, (_, index) =>
    index === 11 ? '0 0 9 9 re f' : `/F${index + 1} Do `.repeat(10),
  )
  const endless = onePage('0 0 595 842', '/F0 Do', ...forms)
  assert.equal((await acceptUpload(endless)).extension, 'pdf')
  await assert.rejects(pageOf(endless, 1, 1_000), { code: 'file.no_preview' })
  await assert.rejects(pageOf(Buffer.from('%PDF-1.7 and nothing else'), 1), { code: 'file.no_preview' })
  assert.ok((await pageOf(onePage('0 0 595 842', ''), 1)).bytes.length > 0)
})
