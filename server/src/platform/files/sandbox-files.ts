// The process that looks at pictures and PDFs (see files-accept.ts).
import { fileTypeFromBuffer } from 'file-type'
import { logoPicture, reencode, Unfit } from './images.ts'
import { inspectPdf } from './pdf-inspect.ts'
import type { LookedAt } from './sandbox.ts'
import { lookAtFiles } from './sandbox-pipe.mjs'

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

/** PDFium takes its time to load, and only pages need it. */
async function drawPageOf(bytes: Buffer, page: number): Promise<Look> {
  const { drawPage } = await import('./pdf-page.ts')
  return drawPage(bytes, page)
}

/** What is asked of a file: whether it may be kept, also as a logo, or a picture of one of its pages. */
export type FileQuestion = { logo: boolean } | { page: number }

await lookAtFiles(async (question: FileQuestion, bytes): Promise<Look> => {
  try {
    if ('page' in question) return await drawPageOf(bytes, question.page)
    return await (question.logo ? lookAtLogo(bytes) : lookAtUpload(bytes))
  } catch (thrown) {
    if (thrown instanceof Unfit) return { refused: thrown.code }
    throw thrown
  }
})
