import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ComponentType, createElement, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { downloads } from './arrived.ts'
import { part } from './part.ts'

/** What stands on the page at once, without waiting for anything. */
const atOnce = (what: ComponentType) =>
  renderToString(createElement(Suspense, { fallback: 'empty' }, createElement(what))).replace(/<[^>]*>/g, '')

test('words that have arrived are shown at once, those on their way leave their place empty', async () => {
  const words = downloads((language: string) => Promise.resolve(`Name (${language})`))
  const Field = () => words.take('en')
  assert.equal(atOnce(Field), 'empty')
  await words.load('en')
  assert.equal(atOnce(Field), 'Name (en)')
})

test('words whose download failed are asked for anew', async () => {
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

test('a part that was downloaded ahead is shown at once, one that was not leaves its place empty', async () => {
  const Page = part(async () => ({ default: () => 'the page' }))
  assert.equal(atOnce(Page), 'empty')
  await Page.load()
  assert.equal(atOnce(Page), 'the page')
})

test('a part that could not be downloaded ahead is asked for once more when it is shown', async () => {
  let online = false
  const Page = part(async () => {
    if (!online) throw new Error('no connection')
    return { default: () => 'the page' }
  })
  await assert.rejects(Page.load(), /no connection/)
  online = true
  assert.equal(atOnce(Page), 'empty')
  await Page.load()
  assert.equal(atOnce(Page), 'the page')
})
