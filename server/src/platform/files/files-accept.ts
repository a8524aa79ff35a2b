import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, errors } from '@podium/contract/errors'
import { mostLogoBytes } from '@podium/contract/office/calls-settings'
import { turns } from '../concurrency-limit.ts'
import { Refusal } from '../errors.ts'
import { sourceOf } from '../sheets/spreadsheet-rows.ts'
import type { FileStore, StoredContent, StoredFile } from './files.ts'
import type { Logo } from './images.ts'
import { type Confinement, sandbox } from './sandbox.ts'
import type { FileLook, FileQuestion } from './sandbox-files.ts'

/** 5 MB, of what a person sends (specification: payment proof; architecture: quality). */
export const mostUploadBytes = 5 * 1024 * 1024

export interface AcceptedFile {
  mediaType: 'image/jpeg' | 'image/png' | 'application/pdf'
  /** `jpg`, `png`, `pdf`: of the content, whatever the name said. */
  extension: string
  bytes: Buffer
}

/** The same once its content may have been kept. */
export type StoredUpload = Omit<AcceptedFile, 'bytes'> & { bytes: Buffer | StoredContent }

const code = (name: string) => join(import.meta.dirname, name)

/** A picture of 25 million points of the deepest kind takes 400 MB while it is drawn anew. */
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

/** Two processors' worth of files at a time; what is sent waits behind twenty others at most. */
const looks = sandbox<never, FileLook>(filesConfinement, turns(2, 20))
/** In milliseconds: a large photograph takes one or two seconds of a slow processor. */
const longestLook = 20_000

/** One page at a time: it is shown, and the next is asked for once it has come. */
const drawings = sandbox<never, FileLook>({ ...filesConfinement, kind: 'page' }, turns(1, 20))
/** In milliseconds; a page of a proof takes half a second of a slow processor. */
const longestDrawing = 10_000

/** How many pages a PDF has, and the picture (JPEG) of one: none beyond the last. Refuses with `file.no_preview`, or `busy`. */
export async function pageOf(bytes: Buffer, page: number, time = longestDrawing) {
  const look = drawings.look({ page }, sourceOf(bytes), time, 'file.no_preview')
  return answered((await look.next()).value, 'file.no_preview')
}

/**
 * A stored file as an answer, or one page of it as a picture; a picture is its own first page. Pictures of our own encoding
 * may be shown in place; a PDF that somebody sent is downloaded (docs/security.md, T29).
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

async function lookAt(bytes: Buffer, question: FileQuestion, time: number) {
  // What takes so much that its process had to be ended is not what it says it is.
  const { value } = await looks.look(question, sourceOf(bytes), time, 'file.damaged').next()
  return answered(value, 'file.damaged')
}

function answered(value: FileLook & { bytes: Buffer }, otherwise: ErrorCode) {
  const { refused, ...look } = value
  if (refused !== undefined) throw new Refusal(isCode(refused) ? refused : otherwise)
  return look
}

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errors, text)

const extensions = { 'image/jpeg': 'jpg', 'image/png': 'png', 'application/pdf': 'pdf' } as const

/**
 * What may be kept of a sent file: by its content and not by its name, a JPEG, PNG or WebP picture written anew, or a
 * PDF without scripts, actions, embedded files and passwords, as it came. Throws a Refusal of `file.*`, or `busy`. A
 * process of its own looks at it (sandbox.ts): ask first whether the person may send it at all, and outside of any
 * transaction.
 */
export async function acceptUpload(bytes: Buffer, time = longestLook): Promise<AcceptedFile> {
  if (bytes.length === 0) throw new Refusal('file.unreadable')
  if (bytes.length > mostUploadBytes) throw new Refusal('file.too_large')
  const { mediaType, bytes: drawn } = await lookAt(bytes, { logo: false }, time)
  if (mediaType === undefined) throw new Refusal('file.damaged')
  const extension = extensions[mediaType]
  return { mediaType, extension, bytes: mediaType === 'application/pdf' ? bytes : drawn }
}

/** Looks at a file as `acceptUpload` does and keeps it; outside of any transaction, for the store may be far away. */
export async function keepAccepted(files: FileStore, bytes: Buffer): Promise<StoredUpload> {
  const accepted = await acceptUpload(bytes)
  return { ...accepted, bytes: await files.put(accepted.bytes) }
}

/**
 * A logo written anew from its pixels as a small PNG, transparent where it was. By its content a JPEG, PNG or WebP of at
 * most 1 MB and at least 64 pixels a side that is seen on white paper; else a Refusal of `logo.*` or `file.*`.
 */
export async function acceptLogo(bytes: Buffer): Promise<Logo> {
  if (bytes.length === 0) throw new Refusal('file.unreadable')
  if (bytes.length > mostLogoBytes) throw new Refusal('logo.too_large')
  const { width, height, bytes: drawn } = await lookAt(bytes, { logo: true }, longestLook)
  if (width === undefined || height === undefined) throw new Refusal('file.damaged')
  return { bytes: drawn, width, height }
}

const dataUrl = /^data:[a-z0-9.+/-]*(?:;[a-z0-9-]+=[^;,]*)*;base64,/i

/**
 * The bytes of a base64 data URL, as the payment call sends its proof in `attechment`. What type it claims to be is not
 * believed. Throws a Refusal of `file.*`.
 */
export function fromDataUrl(text: string): Buffer {
  const head = dataUrl.exec(text.slice(0, 300))
  if (!head) throw new Refusal('file.unreadable')
  const encoded = text.slice(head[0].length)
  if (encoded.length > Math.ceil(mostUploadBytes / 3) * 4 + 4) throw new Refusal('file.too_large')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.length % 4 === 1)
    throw new Refusal('file.unreadable')
  return Buffer.from(encoded, 'base64')
}
