// Runs only in a separate process (sandbox-files.ts).

import type { ErrorCode } from '@podium/contract/errors'
import sharp from 'sharp'

/** Why a file is refused. Thrown in the process that examines it, which knows nothing of the contract (sandbox.ts). */
export class UnsuitableImage extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode) {
    super(code)
    this.code = code
  }
}

// Only these three decoders ever run on uploaded files (docs/security.md, T28).
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

const maxPixels = 25e6
/** Longer sides are scaled down: a proof stays readable, and phone photos don't fill the disk. */
const longestSide = 2400

/**
 * Re-encodes a picture from its pixels: upright, without EXIF, GPS, comments or anything appended to it. JPEG and WebP
 * become JPEG, PNG stays PNG. Throws `file.damaged` or `file.too_many_pixels`.
 */
export async function reencode(
  bytes: Buffer,
): Promise<{ mediaType: 'image/jpeg' | 'image/png'; bytes: Buffer }> {
  try {
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
    const { format } = await image.metadata()
    const upright = image
      .autoOrient()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    if (format === 'png') {
      return { mediaType: 'image/png', bytes: await upright.png().toBuffer() }
    }
    const flat = upright.flatten({ background: '#ffffff' })
    return { mediaType: 'image/jpeg', bytes: await flat.jpeg({ quality: 85, mozjpeg: false }).toBuffer() }
  } catch (thrown) {
    const large = thrown instanceof Error && /pixel limit/i.test(thrown.message)
    throw new UnsuitableImage(large ? 'file.too_many_pixels' : 'file.damaged')
  }
}

export interface Logo {
  /** PNG */
  bytes: Buffer
  /** In pixels */
  width: number
  height: number
}

/** In pixels: enough for 300 dpi on paper, yet few bytes on a page. */
const logoRoom = { width: 960, height: 320 }
/** The share of pixels that must contrast with white paper as a symbol has to (WCAG 2.2, 1.4.11). */
const leastSeen = 0.005

/** Returns a pixel's brightness on white paper, 0 to 1 (WCAG relative luminance, with gamma simplified to 2.2). */
const brightness = (red: number, green: number, blue: number): number =>
  0.2126 * (red / 255) ** 2.2 + 0.7152 * (green / 255) ** 2.2 + 0.0722 * (blue / 255) ** 2.2

async function isSeenOnPaper(png: Buffer): Promise<boolean> {
  const { data, info } = await sharp(png)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  let visible = 0
  for (let offset = 0; offset < data.length; offset += info.channels) {
    const [red = 0, green = red, blue = red] = data.subarray(offset, offset + Math.min(3, info.channels))
    if (1.05 / (brightness(red, green, blue) + 0.05) >= 3) visible++
  }
  return visible >= leastSeen * info.width * info.height
}

/** Re-encodes a logo for `acceptLogo`, from a JPEG, PNG or WebP. Throws `logo.*` or `file.*`. */
export async function logoPicture(bytes: Buffer): Promise<Logo> {
  const logo = await redraw(bytes)
  if (!(await isSeenOnPaper(logo.bytes))) throw new UnsuitableImage('logo.unseen')
  return logo
}

async function redraw(bytes: Buffer): Promise<Logo> {
  try {
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).autoOrient()
    const { autoOrient } = await image.metadata()
    const { width, height } = autoOrient
    if (Math.min(width, height) < 64) throw new UnsuitableImage('logo.too_small')
    if (width > 8 * height || height > 2 * width) throw new UnsuitableImage('logo.too_long')
    const { data, info } = await image
      .resize({ ...logoRoom, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 9, palette: true, quality: 90 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch (thrown) {
    if (thrown instanceof UnsuitableImage) throw thrown
    const large = thrown instanceof Error && /pixel limit/i.test(thrown.message)
    throw new UnsuitableImage(large ? 'file.too_many_pixels' : 'file.damaged')
  }
}
