import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ComponentType, createElement, type FunctionComponent, Suspense } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { encode } from 'uqr'
import { loadWeb } from '../../../scripts/web-bundle.ts'
import { downloads, lazyPart } from './lazy-part.ts'
import { formatBytes, parseTypedNumber } from './numbers.ts'

test('a file size is shown in the unit that leaves at most three digits before the point', () => {
  const said = [0, 940, 999.6, 1_000, 32_540, 999_700, 10_200_000, 1.25e12, 4e15].map(formatBytes)
  assert.deepEqual(said, [
    '0 B',
    '940 B',
    '1.0 kB',
    '1.0 kB',
    '32.5 kB',
    '1.0 MB',
    '10.2 MB',
    '1.3 TB',
    '4000 TB',
  ])
})

const cases: [typed: string, is: number | string][] = [
  ['1000', 1000],
  ['1,00,000', 100_000],
  ['₹ 250.50', 250.5],
  ['१२५', 125],
  ['৫০.৫', 50.5],
  ['௧௨', 12],
  ['5.', 5],
  ['.5', 0.5],
  ['-3', -3],
  ['  ', ''],
]
for (const [typed, is] of cases)
  test(`“${typed}” is read as ${is === '' ? 'nothing' : is}`, () => assert.equal(parseTypedNumber(typed), is))

for (const typed of ['abc', '12 kg', '1e5', '0x10', '१२ रु', '1.2.3', '--1', '.', '∞'])
  test(`“${typed}” is not a number and stays as typed`, () => assert.equal(parseTypedNumber(typed), typed))

test('a message stays 2000 ms, and at most 10 selected items are shown [spec 2.9.8 9.20]', async () => {
  const { toastMs, maxChips } = await loadWeb<Record<'toastMs' | 'maxChips', number>>(
    "export { toastMs } from './src/ui/toast.tsx'\nexport { maxChips } from './src/ui/multi-select.tsx'",
  )
  assert.deepEqual([toastMs, maxChips], [2000, 10])
})

test('a QR code is 200 px wide and has error correction level M [spec 2.13.2 9.16]', async () => {
  const { Qr, qrCode } = await loadWeb<{
    Qr: FunctionComponent<{ value: string; label: string }>
    qrCode: (value: string) => { path: string }
  }>("export { Qr, qrCode } from './src/ui/qr.tsx'")
  const value = 'upi://pay?pa=podium@samplebank&am=600.00&cu=INR'
  const draw = () => renderToStaticMarkup(createElement(Qr, { value, label: 'UPI QR code for ₹600' }))
  assert.match(draw(), /--qr:\s*200px/)
  assert.doesNotMatch(draw(), /<path/, 'it is not computed while the page is drawn')
  const code = qrCode(value)
  assert.equal(qrCode(value), code, 'and once alone')
  const drawn = draw()
  const dark = (ecc: 'L' | 'M') =>
    encode(value, { ecc, border: 4 })
      .data.flat()
      .filter((cell) => cell).length
  assert.equal(drawn.split('h1v1h-1z').length - 1, dark('M'))
  assert.notEqual(dark('M'), dark('L'))
})

/** Renders a component synchronously, without waiting for anything. */
const atOnce = (what: ComponentType) =>
  renderToString(createElement(Suspense, { fallback: 'empty' }, createElement(what))).replace(/<[^>]*>/g, '')

test('words that have arrived are shown at once, and those on their way leave their place empty', async () => {
  const words = downloads((language: string) => Promise.resolve(`Name (${language})`))
  const Field = () => words.take('en')
  assert.equal(atOnce(Field), 'empty')
  await words.load('en')
  assert.equal(atOnce(Field), 'Name (en)')
})

test('words whose download failed are requested again', async () => {
  let asked = 0
  const words = downloads(async (language: string) => {
    asked++
    if (asked === 1) throw new Error('no connection')
    return language
  })
  await assert.rejects(words.load('hi'), /no connection/)
  assert.equal(await words.load('hi'), 'hi')
  assert.equal(await words.load('hi'), 'hi')
  assert.equal(asked, 2)
})

test('a part downloaded ahead is shown at once, and one that was not leaves its place empty', async () => {
  const Page = lazyPart(async () => ({ Page: () => 'the page' }), 'Page')
  assert.equal(atOnce(Page), 'empty')
  await Page.load()
  assert.equal(atOnce(Page), 'the page')
})

test('a part whose early download failed is requested once more when it is shown', async () => {
  let online = false
  const Page = lazyPart(async () => {
    if (!online) throw new Error('no connection')
    return { Page: () => 'the page' }
  }, 'Page')
  await assert.rejects(Page.load(), /no connection/)
  online = true
  assert.equal(atOnce(Page), 'empty')
  await Page.load()
  assert.equal(atOnce(Page), 'the page')
})
