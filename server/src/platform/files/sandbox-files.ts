// The process that examines pictures and PDFs (see files-accept.ts).
import { promisify } from 'node:util'
import { constants, inflate as inflateCallback } from 'node:zlib'
import type { PDFiumLibrary } from '@hyzyla/pdfium'
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { logoPicture, reencode, UnsuitableImage } from './images.ts'
import type { InspectionResult } from './sandbox.ts'
import { lookAtFiles } from './sandbox-pipe.mjs'

/** The longer side of a page's picture, in pixels: 150 dpi for A4, with small print readable at twice its size. */
const longestSide = 1800
/** Small slips are enlarged, up to this factor. */
const maxScale = 3

interface DrawnPage {
  /** The PDF's number of pages */
  pages: number
  /** JPEG; absent for page 0 or a page that the PDF doesn't have */
  bytes?: Buffer
}

/** PDFium as WebAssembly: without JavaScript, XFA, fonts or access to other files of this machine. */
let library: Promise<PDFiumLibrary> | undefined

/** Slow to load, and only needed for pages. */
async function loadLibrary(): Promise<PDFiumLibrary> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  return PDFiumLibrary.init()
}

/** Draws one page of a PDF as a picture on white. Throws `file.no_preview` if PDFium can't read it. */
async function drawPage(bytes: Buffer, page: number): Promise<DrawnPage> {
  try {
    library ??= loadLibrary()
    const document = await (await library).loadDocument(bytes)
    try {
      const pages = document.getPageCount()
      if (pages < 1) throw new Error('no page')
      if (page < 1 || page > pages) return { pages }
      return { pages, bytes: await draw(document.getPage(page - 1)) }
    } finally {
      document.destroy()
    }
  } catch {
    // The error may have left the library unusable.
    library = undefined
    throw new UnsuitableImage('file.no_preview')
  }
}

type Page = ReturnType<Awaited<ReturnType<PDFiumLibrary['loadDocument']>>['getPage']>

async function draw(page: Page): Promise<Buffer> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = Math.min(maxScale, longestSide / Math.max(originalWidth, originalHeight))
  const { data, width, height } = await page.render({
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
  })
  return sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 85, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/** The result for an acceptable file: its type by content, and how it was re-encoded. */
export interface FileInspection extends InspectionResult {
  mediaType?: 'image/jpeg' | 'image/png' | 'application/pdf'
  /** Of a logo, in pixels */
  width?: number
  height?: number
  /** Of a PDF whose page was requested */
  pages?: number
}

type FileResult = FileInspection & { bytes?: Buffer }

const pictures = ['image/jpeg', 'image/png', 'image/webp']

async function detectType(bytes: Buffer): Promise<string | undefined> {
  return (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime
}

async function inspectUpload(bytes: Buffer): Promise<FileResult> {
  const type = await detectType(bytes)
  if (type !== undefined && pictures.includes(type)) return reencode(bytes)
  if (type !== 'application/pdf') throw new UnsuitableImage('file.unsupported')
  await inspectPdf(bytes)
  return { mediaType: type }
}

async function inspectLogo(bytes: Buffer): Promise<FileResult> {
  const type = await detectType(bytes)
  if (type === undefined || !pictures.includes(type)) throw new UnsuitableImage('logo.not_picture')
  return { mediaType: 'image/png', ...(await logoPicture(bytes)) }
}

const inflate = promisify<Buffer, { maxOutputLength: number; finishFlush?: number }, Buffer>(inflateCallback)

/**
 * What a proof of payment never needs but an attacker does: scripts, launches, embedded files, forms that submit, and
 * all actions except going to a page of its own and opening a web address. `/OpenAction` with a place to open at (an
 * array) is no action; most word processors write it.
 */
const active =
  /\/(?:JavaScript|OpenAction(?!\s*\[)|Launch|EmbeddedFiles?|RichMedia|Rendition|ImportData|SubmitForm|ResetForm|GoTo[ER]|GoToDp|GoTo3DView|Named|Thread|Hide|Sound|Movie|SetOCGState|Filespec)(?![A-Za-z0-9])/
/**
 * Names so short that random bytes of a picture may spell them: only searched for outside page content and pictures.
 */
const activeShort = /\/(?:JS|AA|XFA)(?![A-Za-z0-9])/
const encrypted = /\/Encrypt(?![A-Za-z0-9])/
/** How much all streams of one file may inflate to; more is not a proof of payment. */
const maxInflated = 16 * 1024 * 1024
/** Inflated to compressed size; ordinary software stays below 60. Small streams may be more repetitive. */
const maxRatio = 200
const smallStream = 256 * 1024
/** Ordinary software escapes only a few unusual characters, of a font's name. */
const maxHidden = 10_000
/** A proof of payment has a few dozen streams; each costs time. */
const maxStreams = 5_000
/** How packed objects begin: with the objects' numbers and offsets. */
const packedObjects = /^\s*\d+\s+\d+\s/

/** A name with escaped characters, up to the maximum length of 127; white space and `()<>[]{}/%` end it. */
const hidden = /\/(?=[^\0\s()<>[\]{}/%]{0,126}#)[^\0\s()<>[\]{}/%]{1,127}/g

/**
 * Decodes names, which may escape characters as `#4A`: `/#4AavaScript` is `/JavaScript` (ISO 32000-1, 7.3.5). Outside
 * names `#` means nothing, and there may be ten million of them.
 */
function decodeNames(source: string): string {
  let names = 0
  return source.replace(hidden, (name) => {
    if (++names > maxHidden) throw new UnsuitableImage('file.damaged')
    return name.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  })
}

/** White space and comments, which are allowed between a name and its value. */
const blank = /^(?:[\0\s]|%[^\r\n]*[\r\n])*/

/** Longer ones, which no software writes, are not skipped, so that a long comment is not read a million times. */
const longestBlank = 200

/**
 * A reference to another file: a desktop reader that requests it from another machine reveals its user. A comment there,
 * which no software writes, counts as one, whatever follows it.
 */
const elsewhere = /\/U?F[\0\s]*[(<%]/

function skipBlank(text: string, start: number): number {
  const [skipped = ''] = blank.exec(text.slice(start, start + longestBlank)) ?? []
  return start + skipped.length
}

/** Returns the first characters of a text in parentheses, decoded as readers do. */
function literal(text: string, start: number): string {
  const plain = text
    .slice(start + 1, start + 200)
    .replace(
      /\\(?:([0-7]{1,3})|(\r\n?|\n)|([\s\S]))/g,
      (_, octal?: string, line?: string, escaped?: string) =>
        octal === undefined
          ? line === undefined
            ? (escaped ?? '')
            : ''
          : String.fromCharCode(Number.parseInt(octal, 8)),
    )
  return plain
}

function hexadecimal(text: string, start: number): string {
  const digits = text.slice(start + 1, start + 200).replace(/[^0-9a-fA-F]/g, '')
  return Buffer.from(digits, 'hex').toString('latin1')
}

/** Refuses links other than to web pages and mail addresses, and references to other files. */
function checkLinks(text: string): void {
  if (elsewhere.test(text)) throw new UnsuitableImage('file.pdf_active')
  for (const { index } of text.matchAll(/\/URI(?![A-Za-z0-9])/g)) {
    const start = skipBlank(text, index + 4)
    const sign = text[start]
    // The name of the action itself: its address is the value of another `/URI`.
    if (sign === '/' || (sign === '>' && text[start + 1] === '>')) continue
    const address =
      sign === '('
        ? literal(text, start)
        : sign === '<' && text[start + 1] !== '<'
          ? hexadecimal(text, start)
          : ''
    if (!/^(?:https?|mailto):/i.test(address)) throw new UnsuitableImage('file.pdf_active')
  }
}

/**
 * Refuses a PDF that does more than show pages. Checks the whole file as it is and, inflated, every stream except
 * pictures. Throws `file.pdf_active`, `file.pdf_locked` or `file.damaged`.
 */
async function inspectPdf(bytes: Buffer): Promise<void> {
  const source = bytes.toString('latin1')
  // Readers accept a header anywhere in the first kilobyte; a file that starts otherwise is two kinds of file at once.
  if (!source.startsWith('%PDF-') || !/%%EOF\s*$/.test(source.slice(-1100)))
    throw new UnsuitableImage('file.damaged')
  const plain = decodeNames(source)
  if (encrypted.test(plain)) throw new UnsuitableImage('file.pdf_locked')
  if (active.test(plain)) throw new UnsuitableImage('file.pdf_active')
  const { open, streams } = split(source)
  const openly = decodeNames(open)
  checkLinks(openly)
  if (activeShort.test(openly)) throw new UnsuitableImage('file.pdf_active')
  let remaining = maxInflated
  for (const { dictionary, around, from, to } of streams) {
    // A stream may contain packed objects: readers recognise it by its /First, whatever type it claims. If its
    // dictionary contains a text, only a full parser could find its beginning; so everything before it is checked.
    const described = /[()%]/.test(dictionary) ? around : dictionary
    const objects =
      /\/(?:ObjStm|First)(?![A-Za-z0-9])/.test(described) ||
      (await beginsLikeObjects(bytes.subarray(from, to)))
    if (!objects && /\/Image(?![A-Za-z0-9])/.test(dictionary)) continue
    const content = await unpack(bytes.subarray(from, to), described, objects, remaining)
    remaining -= content.length
    const text = decodeNames(content.toString('latin1'))
    if (active.test(text) || (objects && activeShort.test(text))) throw new UnsuitableImage('file.pdf_active')
    if (objects) checkLinks(text)
  }
}

const streamWord = /(?<!end)stream[ \t]*[\r\n]/

/** Splits a file into the text outside streams, and each stream's position with its dictionary. */
function split(source: string) {
  const streams: { dictionary: string; around: string; from: number; to: number }[] = []
  let open = ''
  let position = 0
  const start = />>\s*stream\r?\n/g
  for (let match = start.exec(source); match; match = start.exec(source)) {
    const head = source.slice(position, match.index + 2)
    const from = match.index + match[0].length
    const to = source.indexOf('endstream', from)
    if (to < 0) throw new UnsuitableImage('file.damaged')
    // A stream or object inside a stream: other readers would interpret it differently.
    if (streamWord.test(source.slice(from, to)) || /\d\s+obj\b/.test(source.slice(from, to)))
      throw new UnsuitableImage('file.pdf_active')
    open += `${head}\n`
    const around = decodeNames(head)
    // Found before names are decoded: `/a#20obj` is a name, not a beginning.
    const dictionary = decodeNames(head.slice(Math.max(head.lastIndexOf(' obj'), 0)))
    streams.push({ dictionary, around, from, to })
    if (streams.length > maxStreams) throw new UnsuitableImage('file.damaged')
    position = to + 'endstream'.length
    start.lastIndex = position
  }
  open += source.slice(position)
  // A stream that starts differently from all ordinary software would be missed here.
  if (streamWord.test(open)) throw new UnsuitableImage('file.pdf_active')
  return { open, streams }
}

/** Whether a stream contains packed objects, whatever its dictionary says. */
async function beginsLikeObjects(bytes: Buffer): Promise<boolean> {
  const options = { maxOutputLength: smallStream, finishFlush: constants.Z_SYNC_FLUSH }
  const begin = await inflate(bytes.subarray(0, 512), options).catch(() => undefined)
  return begin !== undefined && packedObjects.test(begin.toString('latin1', 0, 64))
}

/** How objects are compressed, and by what its result is transformed. */
const compression = /\/(?:Filter|DecodeParms|DP|FFilter|FDecodeParms)(?![A-Za-z0-9])/g
const nothing = /\/(?:DecodeParms|DP)\s*(?:null|\[\s*null\s*\])/g
const plainly = /\/Filter\s*(?:\/(?:FlateDecode|Fl)(?![A-Za-z0-9])|\[\s*\/(?:FlateDecode|Fl)\s*\])/

/**
 * Whether a dictionary itself says how its objects are packed: by the one compression, without a predictor, and not in
 * another object, which only a full parser could find.
 */
function isPlainlyPacked(dictionary: string): boolean {
  const said = dictionary.replace(nothing, '').match(compression) ?? []
  return said.length === 0 || (said.length === 1 && plainly.test(dictionary))
}

/**
 * Returns a stream's content. Packed objects must use the one compression that all ordinary software uses; otherwise
 * they are refused.
 */
async function unpack(
  bytes: Buffer,
  dictionary: string,
  objects: boolean,
  remaining: number,
): Promise<Buffer> {
  const filters = dictionary.match(/\/[A-Za-z0-9]+Decode\b|\/(?:AHx|A85|LZW|Fl|RL|CCF|DCT|Crypt)\b/g) ?? []
  const maxOutputLength = Math.max(1, Math.min(remaining, Math.max(smallStream, bytes.length * maxRatio)))
  if (objects && !isPlainlyPacked(dictionary)) throw new UnsuitableImage('file.pdf_active')
  // Objects that claim to be uncompressed may be compressed anyway.
  if (filters.length === 0 && objects) return inflate(bytes, { maxOutputLength }).catch(() => bytes)
  if (filters.length === 0) return bytes
  const flate = filters.length === 1 && /^\/Fl/.test(filters[0] ?? '')
  if (objects && !flate) throw new UnsuitableImage('file.pdf_active')
  if (!flate) return Buffer.alloc(0)
  try {
    return await inflate(bytes, { maxOutputLength })
  } catch {
    throw new UnsuitableImage('file.damaged')
  }
}

/** What to do with a file: check it as an upload or as a logo, or draw one of its pages. */
export type FileQuestion = { logo: boolean } | { page: number }

await lookAtFiles(async (question: FileQuestion, bytes): Promise<FileResult> => {
  try {
    if ('page' in question) return await drawPage(bytes, question.page)
    return await (question.logo ? inspectLogo(bytes) : inspectUpload(bytes))
  } catch (thrown) {
    if (thrown instanceof UnsuitableImage) return { refused: thrown.code }
    throw thrown
  }
})
