import { promisify } from 'node:util'
import { constants, inflate as inflateCallback } from 'node:zlib'
import { Refusal } from './errors.ts'

const inflate = promisify<Buffer, { maxOutputLength: number; finishFlush?: number }, Buffer>(inflateCallback)

/**
 * What a proof of payment never needs and an attacker does: scripts, launches, files inside, forms that send.
 * `/OpenAction` with a place to open at (an array) is no action; most word processors write it.
 */
const active =
  /\/(?:JavaScript|OpenAction(?!\s*\[)|Launch|EmbeddedFiles?|RichMedia|Rendition|ImportData|SubmitForm|GoTo[ER])(?![A-Za-z0-9])/
/** Names so short that chance bytes of a picture may spell them: looked for outside page content and pictures alone. */
const activeShort = /\/(?:JS|AA|XFA)(?![A-Za-z0-9])/
const encrypted = /\/Encrypt(?![A-Za-z0-9])/
/** All streams of one file together may inflate to so much; more is not a proof of payment. */
const mostInflated = 32 * 1024 * 1024
/** A proof of payment has a few dozen streams; each costs time. */
const mostStreams = 5_000
/** What packed objects begin with: the numbers and places of the objects. */
const packedObjects = /^\s*\d+\s+\d+\s/

/** Names may hide letters as `#4A`: `/#4AavaScript` is `/JavaScript` (ISO 32000-1, 7.3.5). */
function plainNames(source: string): string {
  return source.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/**
 * Refuses a PDF that does more than show pages. Reads the whole file as it lies there and, inflated, every stream but
 * pictures. Throws `file.pdf_active`, `file.pdf_locked` or `file.damaged`.
 */
export async function inspectPdf(bytes: Buffer): Promise<void> {
  const source = bytes.toString('latin1')
  // Readers accept a head anywhere in the first kilobyte; a file that begins otherwise is two kinds of file at once.
  if (!source.startsWith('%PDF-') || !/%%EOF\s*$/.test(source.slice(-1100))) throw new Refusal('file.damaged')
  const plain = plainNames(source)
  if (encrypted.test(plain)) throw new Refusal('file.pdf_locked')
  if (active.test(plain)) throw new Refusal('file.pdf_active')
  const { open, streams } = split(source)
  if (activeShort.test(plainNames(open))) throw new Refusal('file.pdf_active')
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
    if (active.test(text) || (objects && activeShort.test(text))) throw new Refusal('file.pdf_active')
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
    if (to < 0) throw new Refusal('file.damaged')
    // A stream or an object inside a stream: this is read differently by others than by us.
    if (streamWord.test(source.slice(from, to)) || /\d\s+obj\b/.test(source.slice(from, to)))
      throw new Refusal('file.pdf_active')
    open += `${head}\n`
    const around = plainNames(head)
    const dictionary = around.slice(Math.max(around.lastIndexOf(' obj'), 0))
    streams.push({ dictionary, around, from, to })
    if (streams.length > mostStreams) throw new Refusal('file.damaged')
    at = to + 'endstream'.length
    start.lastIndex = at
  }
  open += source.slice(at)
  // One that begins in another way than all writers begin it would go unread here.
  if (streamWord.test(open)) throw new Refusal('file.pdf_active')
  return { open, streams }
}

/** Whether a stream holds packed objects, whatever its dictionary says of it. */
async function beginsLikeObjects(bytes: Buffer): Promise<boolean> {
  const options = { maxOutputLength: mostInflated, finishFlush: constants.Z_SYNC_FLUSH }
  const begin = await inflate(bytes.subarray(0, 512), options).catch(() => undefined)
  return begin !== undefined && packedObjects.test(begin.toString('latin1', 0, 64))
}

/** The content of a stream. Packed objects must be packed in the one way that all writers use; else they are refused. */
async function unpack(bytes: Buffer, dictionary: string, objects: boolean, most: number): Promise<Buffer> {
  const filters = dictionary.match(/\/[A-Za-z0-9]+Decode\b|\/(?:AHx|A85|LZW|Fl|RL|CCF|DCT|Crypt)\b/g) ?? []
  // Objects that say they are not packed may be so all the same.
  if (filters.length === 0 && objects)
    return inflate(bytes, { maxOutputLength: Math.max(most, 1) }).catch(() => bytes)
  if (filters.length === 0) return bytes
  const flate = filters.length === 1 && /^\/Fl/.test(filters[0] ?? '')
  if (objects && (!flate || /\/Predictor\s+(?!1\b)/.test(dictionary))) throw new Refusal('file.pdf_active')
  if (!flate) return Buffer.alloc(0)
  try {
    return await inflate(bytes, { maxOutputLength: Math.max(most, 1) })
  } catch {
    throw new Refusal('file.damaged')
  }
}
