import { fileTypeFromBuffer } from 'file-type'
import { Refusal } from './errors.ts'
import { reencode } from './images.ts'
import { inspectPdf } from './pdf-inspect.ts'

/** 5 MB, of what a person sends (specification: payment proof; architecture: quality). */
export const mostUploadBytes = 5 * 1024 * 1024

export interface AcceptedFile {
  mediaType: 'image/jpeg' | 'image/png' | 'application/pdf'
  /** `jpg`, `png`, `pdf`: of the content, whatever the name said. */
  extension: string
  bytes: Buffer
}

/**
 * What may be kept of a sent file: by its content and not by its name, a JPEG, PNG or WebP picture written anew, or a
 * PDF without scripts, actions, embedded files and passwords, as it came. Throws a Refusal of `file.*`.
 */
export async function acceptUpload(bytes: Buffer): Promise<AcceptedFile> {
  if (bytes.length === 0) throw new Refusal('file.unreadable')
  if (bytes.length > mostUploadBytes) throw new Refusal('file.too_large')
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  switch (found?.mime) {
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp': {
      const image = await reencode(bytes)
      return { ...image, extension: image.mediaType === 'image/png' ? 'png' : 'jpg' }
    }
    case 'application/pdf':
      await inspectPdf(bytes)
      return { mediaType: 'application/pdf', extension: 'pdf', bytes }
    default:
      throw new Refusal('file.unsupported')
  }
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
