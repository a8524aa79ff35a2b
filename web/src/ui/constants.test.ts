import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { encode } from 'uqr'
import { loadWeb } from '../../../scripts/web-bundle.ts'
import { mostChips, toastMs } from './constants.ts'

test('a message stays 2000 ms, and at most 10 chosen ones are shown [spec 2.9.8 9.20]', () => {
  assert.deepEqual([toastMs, mostChips], [2000, 10])
})

test('a QR code is 200 px wide and has the error correction level M [spec 2.13.2 9.16]', async () => {
  const { Qr } = await loadWeb<{ Qr: FunctionComponent<{ value: string; label: string }> }>(
    "export { Qr } from './src/ui/qr.tsx'",
  )
  const value = 'upi://pay?pa=podium@samplebank&am=600.00&cu=INR'
  const drawn = renderToStaticMarkup(createElement(Qr, { value, label: 'UPI QR code for ₹600' }))
  assert.match(drawn, /--qr:\s*200px/)
  const dark = (ecc: 'L' | 'M') =>
    encode(value, { ecc, border: 4 })
      .data.flat()
      .filter((cell) => cell).length
  assert.equal(drawn.split('h1v1h-1z').length - 1, dark('M'))
  assert.notEqual(dark('M'), dark('L'))
})
