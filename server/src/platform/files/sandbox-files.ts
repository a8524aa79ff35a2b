// The process that looks at pictures and PDFs (see files-accept.ts).
import { promisify } from 'node:util'
import { constants, inflate as inflateCallback } from 'node:zlib'
import type { PDFiumLibrary } from '@hyzyla/pdfium'
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { logoPicture, reencode, Unfit } from './images.ts'
import type { LookedAt } from './sandbox.ts'
import { lookAtFiles } from './sandbox-pipe.mjs'

/** The longer side of a picture, in pixels: 150 to the inch of A4, and what is written small can be read at twice its size. */
const longestSide = 1800
/** Small slips are drawn larger than they are, up to so much. */
const mostScale = 3

interface DrawnPage {
  /** How many pages the PDF has */
  pages: number
  /** JPEG; none where page 0 was asked for, or one that the PDF doesn't have */
  bytes?: Buffer
}

/** PDFium as WebAssembly: without JavaScript, XFA, fonts or any other file of this machine. */
let library: Promise<PDFiumLibrary> | undefined

/** It takes its time to load, and only pages need it. */
async function loadLibrary(): Promise<PDFiumLibrary> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  return PDFiumLibrary.init()
}

/** One page of a PDF as a picture on white. Throws `file.no_preview` where PDFium makes nothing of it. */
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
    // What it was in the midst of may have left it unusable.
    library = undefined
    throw new Unfit('file.no_preview')
  }
}

type Page = ReturnType<Awaited<ReturnType<PDFiumLibrary['loadDocument']>>['getPage']>

async function draw(page: Page): Promise<Buffer> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = Math.min(mostScale, longestSide / Math.max(originalWidth, originalHeight))
  const { data, width, height } = await page.render({
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
  })
  return sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 85, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/** What it says of a file that may be kept: its type by its content, and how it was drawn anew. */
export interface FileLook extends LookedAt {
  mediaType?: 'image/jpeg' | 'image/png' | 'application/pdf'
  /** Of a logo, in pixels */
  width?: number
  height?: number
  /** Of a PDF whose page was asked for */
  pages?: number
}

type Look = FileLook & { bytes?: Buffer }

const pictures = ['image/jpeg', 'image/png', 'image/webp']

async function typeOf(bytes: Buffer): Promise<string | undefined> {
  return (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime
}

async function lookAtUpload(bytes: Buffer): Promise<Look> {
  const type = await typeOf(bytes)
  if (type !== undefined && pictures.includes(type)) return reencode(bytes)
  if (type !== 'application/pdf') throw new Unfit('file.unsupported')
  await inspectPdf(bytes)
  return { mediaType: type }
}

async function lookAtLogo(bytes: Buffer): Promise<Look> {
  const type = await typeOf(bytes)
  if (type === undefined || !pictures.includes(type)) throw new Unfit('logo.not_picture')
  return { mediaType: 'image/png', ...(await logoPicture(bytes)) }
}

const inflate = promisify<Buffer, { maxOutputLength: number; finishFlush?: number }, Buffer>(inflateCallback)

/**
 * What a proof of payment never needs and an attacker does: scripts, launches, files inside, forms that send, and every
 * action but going to a page of its own and opening a web address. `/OpenAction` with a place to open at (an array) is
 * no action; most word processors write it.
 */
const active =
  /\/(?:JavaScript|OpenAction(?!\s*\[)|Launch|EmbeddedFiles?|RichMedia|Rendition|ImportData|SubmitForm|ResetForm|GoTo[ER]|GoToDp|GoTo3DView|Named|Thread|Hide|Sound|Movie|SetOCGState|Filespec)(?![A-Za-z0-9])/
/** Names so short that chance bytes of a picture may spell them: looked for outside page content and pictures alone. */
const activeShort = /\/(?:JS|AA|XFA)(?![A-Za-z0-9])/
const encrypted = /\/Encrypt(?![A-Za-z0-9])/
/** All streams of one file together may inflate to so much; more is not a proof of payment. */
const mostInflated = 16 * 1024 * 1024
/** Inflated to packed; what writers make stays below 60. Small streams may repeat themselves more. */
const mostRatio = 200
const smallStream = 256 * 1024
/** Writers hide no letters but a few strange ones of a font's name. */
const mostHidden = 10_000
/** A proof of payment has a few dozen streams; each costs time. */
const mostStreams = 5_000
/** What packed objects begin with: the numbers and places of the objects. */
const packedObjects = /^\s*\d+\s+\d+\s/

/** A name with hidden letters, up to the 127 that names may have; white space and `()<>[]{}/%` end it. */
const hidden = /\/(?=[^\0\s()<>[\]{}/%]{0,126}#)[^\0\s()<>[\]{}/%]{1,127}/g

/**
 * Names may hide letters as `#4A`: `/#4AavaScript` is `/JavaScript` (ISO 32000-1, 7.3.5). Elsewhere it means nothing,
 * and there may be ten million of them.
 */
function plainNames(source: string): string {
  let names = 0
  return source.replace(hidden, (name) => {
    if (++names > mostHidden) throw new Unfit('file.damaged')
    return name.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  })
}

/** White space and comments, which may stand between a name and its value. */
const blank = /(?:[\0\s]|%[^\r\n]*[\r\n])*/y
/** A file that lies elsewhere: a desktop reader that asks another machine for it shows who asks. */
const elsewhere = /\/U?F(?:[\0\s]|%[^\r\n]*[\r\n])*[(<]/

function skipBlank(text: string, at: number): number {
  blank.lastIndex = at
  blank.test(text)
  return blank.lastIndex
}

/** The first characters of a text in parentheses, as readers understand them. */
function literal(text: string, from: number): string {
  const plain = text
    .slice(from + 1, from + 200)
    .replace(/\\(?:([0-7]{1,3})|(\r\n?|\n)|([\s\S]))/g, (_, octal?: string, line?: string, other?: string) =>
      octal === undefined
        ? line === undefined
          ? (other ?? '')
          : ''
        : String.fromCharCode(Number.parseInt(octal, 8)),
    )
  return plain
}

function hexadecimal(text: string, from: number): string {
  const digits = text.slice(from + 1, from + 200).replace(/[^0-9a-fA-F]/g, '')
  return Buffer.from(digits, 'hex').toString('latin1')
}

/** Refuses links but those to pages and mail addresses, and files that lie elsewhere. */
function checkLinks(text: string): void {
  if (elsewhere.test(text)) throw new Unfit('file.pdf_active')
  for (const { index } of text.matchAll(/\/URI(?![A-Za-z0-9])/g)) {
    const at = skipBlank(text, index + 4)
    const sign = text[at]
    // The name of the action itself: its address comes as the value of another `/URI`.
    if (sign === '/' || (sign === '>' && text[at + 1] === '>')) continue
    const address =
      sign === '(' ? literal(text, at) : sign === '<' && text[at + 1] !== '<' ? hexadecimal(text, at) : ''
    if (!/^(?:https?|mailto):/i.test(address)) throw new Unfit('file.pdf_active')
  }
}

/**
 * Refuses a PDF that does more than show pages. Reads the whole file as it lies there and, inflated, every stream but
 * pictures. Throws `file.pdf_active`, `file.pdf_locked` or `file.damaged`.
 */
async function inspectPdf(bytes: Buffer): Promise<void> {
  const source = bytes.toString('latin1')
  // Readers accept a head anywhere in the first kilobyte; a file that begins otherwise is two kinds of file at once.
  if (!source.startsWith('%PDF-') || !/%%EOF\s*$/.test(source.slice(-1100))) throw new Unfit('file.damaged')
  const plain = plainNames(source)
  if (encrypted.test(plain)) throw new Unfit('file.pdf_locked')
  if (active.test(plain)) throw new Unfit('file.pdf_active')
  const { open, streams } = split(source)
  const openly = plainNames(open)
  checkLinks(openly)
  if (activeShort.test(openly)) throw new Unfit('file.pdf_active')
  let left = mostInflated
  for (const { dictionary, around, from, to } of streams) {
    // Objects may lie packed in a stream: readers know such a one by its /First, whatever type it claims. Where a text
    // stands in the dictionary nobody but a reader knows its beginning; then all before it counts.
    const described = /[()%]/.test(dictionary) ? around : dictionary
    const objects =
      /\/(?:ObjStm|First)(?![A-Za-z0-9])/.test(described) ||
      (await beginsLikeObjects(bytes.subarray(from, to)))
    if (!objects && /\/Image(?![A-Za-z0-9])/.test(dictionary)) continue
    const content = await unpack(bytes.subarray(from, to), described, objects, left)
    left -= content.length
    const text = plainNames(content.toString('latin1'))
    if (active.test(text) || (objects && activeShort.test(text))) throw new Unfit('file.pdf_active')
    if (objects) checkLinks(text)
  }
}

const streamWord = /(?<!end)stream[ \t]*[\r\n]/

/** The text outside streams, and where each stream lies with the dictionary that describes it. */
function split(source: string) {
  const streams: { dictionary: string; around: string; from: number; to: number }[] = []
  let open = ''
  let at = 0
  const start = />>\s*stream\r?\n/g
  for (let found = start.exec(source); found; found = start.exec(source)) {
    const head = source.slice(at, found.index + 2)
    const from = found.index + found[0].length
    const to = source.indexOf('endstream', from)
    if (to < 0) throw new Unfit('file.damaged')
    // A stream or an object inside a stream: this is read differently by others than by us.
    if (streamWord.test(source.slice(from, to)) || /\d\s+obj\b/.test(source.slice(from, to)))
      throw new Unfit('file.pdf_active')
    open += `${head}\n`
    const around = plainNames(head)
    const dictionary = around.slice(Math.max(around.lastIndexOf(' obj'), 0))
    streams.push({ dictionary, around, from, to })
    if (streams.length > mostStreams) throw new Unfit('file.damaged')
    at = to + 'endstream'.length
    start.lastIndex = at
  }
  open += source.slice(at)
  // One that begins in another way than all writers begin it would go unread here.
  if (streamWord.test(open)) throw new Unfit('file.pdf_active')
  return { open, streams }
}

/** Whether a stream holds packed objects, whatever its dictionary says of it. */
async function beginsLikeObjects(bytes: Buffer): Promise<boolean> {
  const options = { maxOutputLength: smallStream, finishFlush: constants.Z_SYNC_FLUSH }
  const begin = await inflate(bytes.subarray(0, 512), options).catch(() => undefined)
  return begin !== undefined && packedObjects.test(begin.toString('latin1', 0, 64))
}

/** The content of a stream. Packed objects must be packed in the one way that all writers use; else they are refused. */
async function unpack(bytes: Buffer, dictionary: string, objects: boolean, left: number): Promise<Buffer> {
  const filters = dictionary.match(/\/[A-Za-z0-9]+Decode\b|\/(?:AHx|A85|LZW|Fl|RL|CCF|DCT|Crypt)\b/g) ?? []
  const maxOutputLength = Math.max(1, Math.min(left, Math.max(smallStream, bytes.length * mostRatio)))
  // Objects that say they are not packed may be so all the same.
  if (filters.length === 0 && objects) return inflate(bytes, { maxOutputLength }).catch(() => bytes)
  if (filters.length === 0) return bytes
  const flate = filters.length === 1 && /^\/Fl/.test(filters[0] ?? '')
  if (objects && (!flate || /\/Predictor\s+(?!1\b)/.test(dictionary))) throw new Unfit('file.pdf_active')
  if (!flate) return Buffer.alloc(0)
  try {
    return await inflate(bytes, { maxOutputLength })
  } catch {
    throw new Unfit('file.damaged')
  }
}

/** What is asked of a file: whether it may be kept, also as a logo, or a picture of one of its pages. */
export type FileQuestion = { logo: boolean } | { page: number }

await lookAtFiles(async (question: FileQuestion, bytes): Promise<Look> => {
  try {
    if ('page' in question) return await drawPage(bytes, question.page)
    return await (question.logo ? lookAtLogo(bytes) : lookAtUpload(bytes))
  } catch (thrown) {
    if (thrown instanceof Unfit) return { refused: thrown.code }
    throw thrown
  }
})
