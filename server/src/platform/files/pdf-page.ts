// Drawn in a process of its own (sandbox-files.ts), and nowhere else.
import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { Unfit } from './images.ts'

/** The longer side of a picture, in pixels: 150 to the inch of A4, and what is written small can be read at twice its size. */
const longestSide = 1800
/** Small slips are drawn larger than they are, up to so much. */
const mostScale = 3

export interface DrawnPage {
  /** How many pages the PDF has */
  pages: number
  /** JPEG; none where page 0 was asked for, or one that the PDF doesn't have */
  bytes?: Buffer
}

/** PDFium as WebAssembly: without JavaScript, XFA, fonts or any other file of this machine. */
let library: Promise<PDFiumLibrary> | undefined

/** One page of a PDF as a picture on white. Throws `file.no_preview` where PDFium makes nothing of it. */
export async function drawPage(bytes: Buffer, page: number): Promise<DrawnPage> {
  try {
    library ??= PDFiumLibrary.init()
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
