import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  brandSheet,
  brandTones,
  builtInColour,
  contrast,
  isReadableColour,
  readColour,
  toneNames,
} from './brand.ts'

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

/** Pairs of text and background tones, with the contrast that tokens.css requires. */
const pairs = [
  ['on-primary', 'primary', 4.5],
  ['on-tint', 'primary-tint', 4.5],
  ['link', 'primary-tint', 4.5],
  ['header-ink-2', 'header', 4.5],
  ['header-ink-2', 'header-2', 4.5],
  ['header-control', 'header', 3],
] as const
const grounds = {
  light: { pages: ['#f4f6f6', '#ffffff'], ink: '#ffffff' },
  dark: { pages: ['#0e1418', '#151d23'], ink: '#f3f7fa' },
} as const

test('every tone of an accepted colour is readable on the background it is used on', () => {
  fc.assert(
    fc.property(colour, (chosen) => {
      fc.pre(isReadableColour(chosen))
      const tones = brandTones(chosen)
      for (const theme of ['light', 'dark'] as const) {
        const of = tones[theme]
        const { pages, ink } = grounds[theme]
        for (const [first, second, least] of pairs)
          assert.ok(contrast(of[first], of[second]) >= least, `${chosen} ${theme} ${first} on ${second}`)
        for (const page of pages)
          for (const tone of ['primary', 'link'] as const)
            assert.ok(contrast(of[tone], page) >= 4.5, `${chosen} ${theme} ${tone} on ${page}`)
        for (const head of ['header', 'header-2'] as const)
          assert.ok(contrast(ink, of[head]) >= 7, `${chosen} ${theme} ${head}`)
        for (const name of toneNames) assert.match(of[name], /^#[0-9a-f]{6}$/)
      }
    }),
    { numRuns: 300 },
  )
})

test('contrast is computed as in WCAG, and a colour below 4.5 to 1 on either background is refused', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  assert.equal(isReadableColour('#767676'), false, 'enough on white, too little on a page')
  assert.equal(isReadableColour('#6d6d6d'), true)
  assert.equal(isReadableColour(builtInColour), true)
})

test('a colour is read in the forms people write, and anything else is no colour', () => {
  assert.deepEqual(['#14466F', '14466f', ' #abc '].map(readColour), ['#14466f', '#14466f', '#aabbcc'])
  for (const none of ['', 'red', '#12345', 'rgb(1,2,3)', '#12345g']) assert.equal(readColour(none), undefined)
})

test('the style sheet gives each token a value for both themes', () => {
  const sheet = brandSheet('#7a1f3d')
  for (const name of toneNames) assert.equal(sheet.split(`--${name}:`).length, 4, name)
  assert.match(sheet, /^:root\{--primary:#7a1f3d;/)
})
