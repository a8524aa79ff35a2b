import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, errors } from '@podium/contract/errors'
import { maxLogoBytes } from '@podium/contract/office/calls-settings'
import { concurrencyLimit } from '../concurrency-limit.ts'
import { Refusal } from '../errors.ts'
import { sourceOf } from '../sheets/spreadsheet-rows.ts'
import type { FileStore, StoredContent, StoredFile } from './files.ts'
import type { Logo } from './images.ts'
import { type Confinement, sandbox } from './sandbox.ts'
import type { FileInspection, FileQuestion } from './sandbox-files.ts'

/** 5 MB, for uploads by people (specification: payment proof; architecture: quality). */
export const maxUploadBytes = 5 * 1024 * 1024

interface AcceptedFile {
  mediaType: 'image/jpeg' | 'image/png' | 'application/pdf'
  /** `jpg`, `png`, `pdf`: from the content, not the file name. */
  extension: string
  bytes: Buffer
}

/** The same when its content may already be stored. */
export type StoredUpload = Omit<AcceptedFile, 'bytes'> & { bytes: Buffer | StoredContent }

const code = (name: string) => join(import.meta.dirname, name)

/** Re-encoding a picture of 25 million pixels of the deepest kind takes 400 MB. */
export const filesConfinement: Confinement = {
  kind: 'file',
  script: code('sandbox-files.ts'),
  readable: [
    ...['images.ts', '../../../package.json'].map(code),
    dirname(fileURLToPath(import.meta.resolve('@hyzyla/pdfium'))),
    join(dirname(fileURLToPath(import.meta.resolve('sharp'))), '../..'),
  ],
  addons: true,
  megabytes: 192,
  resident: 768,
}

/** Two files at a time, with up to twenty more waiting. */
const inspectors = sandbox<never, FileInspection>(filesConfinement, concurrencyLimit(2, 20))
/** In milliseconds; a large photo takes one or two seconds on a slow processor. */
const inspectionTimeout = 20_000

/** One page at a time: the next is requested after the previous one has arrived. */
const renderers = sandbox<never, FileInspection>(
  { ...filesConfinement, kind: 'page' },
  concurrencyLimit(1, 20),
)
/** In milliseconds; a page of a proof takes half a second on a slow processor, and ten seconds on a crowded one. */
const drawingTimeout = 20_000

/**
 * Returns a PDF's number of pages and a JPEG of one page; the bytes are empty beyond the last page. Refuses with
 * `file.no_preview`, or `busy`.
 */
export async function pageOf(bytes: Buffer, page: number, time = drawingTimeout) {
  const look = renderers.look({ page }, sourceOf(bytes), time, 'file.no_preview')
  return answered((await look.next()).value, 'file.no_preview')
}

/**
 * Returns a stored file as an answer, or one of its pages as a picture; a picture is its own first page. Pictures we
 * have encoded may be displayed in the browser; an uploaded PDF is only downloaded (docs/security.md, T29).
 */
export async function shownFile({ name, mediaType, content }: StoredFile, page?: number) {
  const inline = mediaType.startsWith('image/')
  if (page === undefined) return { file: { name, mediaType, content, inline } }
  if (inline) {
    if (page !== 1) throw new Refusal('not_found')
    return { file: { name, mediaType, content, inline, pages: 1 } }
  }
  const { bytes, pages } = await pageOf(content, page)
  if (bytes.length === 0) throw new Refusal('not_found')
  const picture = `${name.replace(/\.pdf$/i, '')}-${page}.jpg`
  return { file: { name: picture, mediaType: 'image/jpeg', content: bytes, inline: true, pages } }
}

async function inspect(bytes: Buffer, question: FileQuestion, time: number) {
  // A file that uses so much that its process had to be killed is not what it claims to be.
  const { value } = await inspectors.look(question, sourceOf(bytes), time, 'file.damaged').next()
  return answered(value, 'file.damaged')
}

function answered(value: FileInspection & { bytes: Buffer }, otherwise: ErrorCode) {
  const { refused, ...look } = value
  if (refused !== undefined) throw new Refusal(isCode(refused) ? refused : otherwise)
  return look
}

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errors, text)

const extensions = { 'image/jpeg': 'jpg', 'image/png': 'png', 'application/pdf': 'pdf' } as const

/**
 * Returns what may be stored of an uploaded file. Judged by its content, not its name: a JPEG, PNG or WebP picture is
 * re-encoded; a PDF without scripts, actions, embedded files and passwords is kept unchanged. Throws a Refusal of
 * `file.*`, or `busy`. A separate process examines the file (sandbox.ts): check the person's permission first, and call
 * this outside any transaction.
 */
export async function acceptUpload(bytes: Buffer, time = inspectionTimeout): Promise<AcceptedFile> {
  if (bytes.length === 0) throw new Refusal('file.unreadable')
  if (bytes.length > maxUploadBytes) throw new Refusal('file.too_large')
  const { mediaType, bytes: encoded } = await inspect(bytes, { logo: false }, time)
  if (mediaType === undefined) throw new Refusal('file.damaged')
  const extension = extensions[mediaType]
  return { mediaType, extension, bytes: mediaType === 'application/pdf' ? bytes : encoded }
}

/** Checks a file as `acceptUpload` does and stores it; outside any transaction, because the store may be slow. */
export async function storeAccepted(files: FileStore, bytes: Buffer): Promise<StoredUpload> {
  const accepted = await acceptUpload(bytes)
  return { ...accepted, bytes: await files.put(accepted.bytes) }
}

/**
 * Re-encodes a logo from its pixels as a small PNG that keeps its transparency. Its content must be a JPEG, PNG or WebP
 * of at most 1 MB and at least 64 pixels a side that is visible on white paper; otherwise throws a Refusal of `logo.*`
 * or `file.*`.
 */
export async function acceptLogo(bytes: Buffer): Promise<Logo> {
  if (bytes.length === 0) throw new Refusal('file.unreadable')
  if (bytes.length > maxLogoBytes) throw new Refusal('logo.too_large')
  const { width, height, bytes: encoded } = await inspect(bytes, { logo: true }, inspectionTimeout)
  if (width === undefined || height === undefined) throw new Refusal('file.damaged')
  return { bytes: encoded, width, height }
}

const dataUrl = /^data:[a-z0-9.+/-]*(?:;[a-z0-9-]+=[^;,]*)*;base64,/i

/**
 * Decodes a base64 data URL, in which the payment call sends its proof in `attechment`. The declared type is ignored.
 * Throws a Refusal of `file.*`.
 */
export function fromDataUrl(text: string): Buffer {
  const head = dataUrl.exec(text.slice(0, 300))
  if (!head) throw new Refusal('file.unreadable')
  const encoded = text.slice(head[0].length)
  if (encoded.length > Math.ceil(maxUploadBytes / 3) * 4 + 4) throw new Refusal('file.too_large')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.length % 4 === 1)
    throw new Refusal('file.unreadable')
  return Buffer.from(encoded, 'base64')
}
