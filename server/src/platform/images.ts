import sharp from 'sharp'
import { Refusal } from './errors.ts'

// Only these three decoders are ever run on what people send (threats.md, T28).
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

const mostPixels = 25e6
/** Longer sides are scaled down: a proof stays readable, and a phone's photograph does not fill the disk. */
const longestSide = 2400

/**
 * A picture written anew from its pixels: upright, without EXIF, GPS, comments or anything hidden behind its end.
 * JPEG and WebP become JPEG, PNG stays PNG. Throws `file.damaged` or `file.too_many_pixels`.
 */
export async function reencode(
  bytes: Buffer,
): Promise<{ mediaType: 'image/jpeg' | 'image/png'; bytes: Buffer }> {
  try {
    const image = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' })
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
    throw new Refusal(large ? 'file.too_many_pixels' : 'file.damaged')
  }
}
