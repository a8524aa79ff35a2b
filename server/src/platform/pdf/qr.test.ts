import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { paise } from '@podium/contract/money'
import { upiLink } from '@podium/contract/payments/rules'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { qrSvg } from './qr.ts'

// The package's types describe a default export, its CommonJS file is the function itself.
const scan = jsQR as unknown as typeof jsQR.default

// Of all pictures, the server itself reads no SVG: what the code looks like is for this file alone to see.
const svg = { operation: ['VipsForeignLoadSvg'] }
describe('a code for scanners', () => {
  before(() => sharp.unblock(svg))
  after(() => sharp.block(svg))

  test('a scanner reads back the UPI link from the printed code', async () => {
    const link = upiLink({
      payTo: 'podium@samplebank',
      payeeName: 'Podium Foundation',
      amount: paise(12_450_000),
      note: 'Registration Fee 2026-27',
      reference: 'PD27-VNK0417-R2',
    })
    const image = await sharp(Buffer.from(qrSvg(link, 'UPI code')))
      .resize(400)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const read = scan(new Uint8ClampedArray(image.data), image.info.width, image.info.height)
    assert.equal(read?.data, link)
  })

  test('a label cannot bring markup into the picture', () => {
    assert.ok(!qrSvg('x', '</title><script>').includes('<script>'))
  })
})
