import assert from 'node:assert/strict'
import { appendFileSync, closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** The shapes (see `shapes`) that axe has read without findings, in this process and in others of the same run. */
const readShapes = new Set<string>()
/** A file of the run to which each process adds a line per shape. Without it, a process only knows its own. */
const file = process.env.SHAPES_READ
let bytesHeard = 0

/** Reads what other processes have added; an incomplete line waits for the next time. */
function listen(): void {
  if (file === undefined) return
  const handle = openSync(file, 'a+')
  try {
    const bytes = Buffer.alloc(fstatSync(handle).size - bytesHeard)
    const text = bytes.toString('latin1', 0, readSync(handle, bytes, 0, bytes.length, bytesHeard))
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    bytesHeard += whole.length
    for (const shape of whole.split('\n')) readShapes.add(shape)
  } finally {
    closeSync(handle)
  }
}

/** Returns those shapes that need not be read again. */
function knownOf(shapes: readonly string[]): string[] {
  listen()
  return shapes.filter((shape) => readShapes.has(shape))
}

/** Records shapes in which axe has found nothing. */
function remember(shapes: readonly string[]): void {
  const fresh = shapes.filter((shape) => !readShapes.has(shape))
  for (const shape of fresh) readShapes.add(shape)
  if (file !== undefined && fresh.length > 0)
    appendFileSync(file, fresh.map((shape) => `${shape}\n`).join(''))
}

export const dialog = '[role="dialog"], [role="alertdialog"]'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The rows of a table, cards of a list and options of a select are alike: axe is shown the first six of each, which
 * stand for the rest.
 */
const lists = "{ listed: 'tbody, main :is(ul, ol), select', shownOfList: 6 }"

/**
 * Computes the shapes of a place's elements: a hash of everything that a rule about a single element considers: its own
 * attributes and its ancestors', whether it contains words, whether its labels do, whether an item is first or last in
 * its list, the portal, and the window's size and colours; for elements named by their content or with a role, also
 * everything inside; for others, the kinds of elements inside. The words themselves don't matter. `shapeOf` maps
 * elements to shapes; resolves with each shape once, and with the outline's.
 */
const shapes = (place: string) => `(() => {
  const hashed = (text) => {
    let a = 5381
    let b = 52711
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      a = ((a * 33) ^ code) | 0
      b = (b * 31 + code) | 0
    }
    return (a >>> 0).toString(36) + '.' + (b >>> 0).toString(36)
  }
  const filled = (text) => (/\\S/.test(text ?? '') ? 1 : 0)
  const worded = /^(id|for|href|src|alt|title|name|value|placeholder|action|data-.*|aria-(label|description|valuetext|controls|owns|activedescendant))$/
  const pointing = /^aria-(labelledby|describedby|errormessage|details)$/
  const pointedAt = (ids) => ids.split(/\\s+/).map((id) => filled(document.getElementById(id)?.textContent))
  const ownOf = (element) => {
    let own = element.localName
    for (const { name, value } of element.attributes)
      own += ' ' + name + '=' + (pointing.test(name) ? pointedAt(value) : worded.test(name) ? filled(value) : value)
    for (const label of element.labels ?? []) own += ' label ' + filled(label.textContent)
    if (element.localName === 'li') own += ' ' + element.matches(':first-child') + element.matches(':last-child')
    return own
  }
  const found = new Map()
  const { listed, shownOfList } = ${lists}
  const named = /^(a|button|caption|label|legend|option|summary|th|h[1-6])$/
  const insideOf = (element, here) => {
    if (element.localName === 'svg') return filled(element.querySelector('title')?.textContent)
    const whole = named.test(element.localName) || element.hasAttribute('role')
    const inside = []
    for (const node of element.matches(listed) ? [...element.children].slice(0, shownOfList) : element.childNodes) {
      if (node.nodeType === 3 && filled(node.data)) inside.push('words')
      if (node.nodeType !== 1) continue
      const shape = shapeOf(node, here)
      inside.push(whole ? shape : node.localName)
    }
    return whole ? inside : [...new Set(inside)].sort()
  }
  const shapeOf = (element, around) => {
    const here = hashed(around + '>' + ownOf(element))
    const shape = hashed(here + '>' + insideOf(element, here))
    found.set(element, shape)
    return shape
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  for (const top of document.querySelectorAll('${place}')) {
    let around = innerWidth + ' ' + dark + ' ' + document.documentElement.dataset.area
    for (let one = top.parentElement; one; one = one.parentElement) around += '<' + ownOf(one)
    shapeOf(top, around)
  }
  globalThis.shapeOf = found
  const outlined = document.querySelectorAll('h1, h2, h3, h4, h5, h6, header, nav, main, aside, footer, section, form, [role]')
  const outline = [...outlined].map((one) => one.localName + (one.getAttribute('role') ?? '') + (one.ariaLabel ?? ''))
  return [...new Set(found.values()), 'outline ' + hashed(outline.join())]
})()`

/** Rules about the page as a whole, about several elements at once, about words, or about rendered size. */
const apart =
  '^(accesskeys|bypass|document|duplicate|frame|heading-order|html|label-content|landmark|page|region|scrollable|skip-link|valid-lang)'

/**
 * Runs axe in the page, showing it only the beginnings of `lists`; the page itself keeps everything. Rules about single
 * elements skip shapes that are `known` and check one element per shape; an element without children is not laid out
 * again to find overlaps. Of axe's preloaded assets these rules need only media, never the style sheets.
 */
const runAxe = (place: string, options: object, known: readonly string[]) => `(async () => {
  globalThis.looked = new Set()
  globalThis.knownShapes = new Set(${JSON.stringify(known)})
  if (!globalThis.knowing)
    for (const rule of axe._audit.rules.filter(({ id }) => !/${apart}/.test(id))) {
      const fits = rule.matches
      rule.matches = (node, ...more) => {
        const shape = shapeOf.get(node)
        const alike = shape && rule.id + ' ' + shape
        if (knownShapes.has(shape) || looked.has(alike) || !fits.call(rule, node, ...more)) return false
        if (alike) looked.add(alike)
        return true
      }
    }
  globalThis.knowing = true
  const shortened = []
  const shorten = (one, name, shown) => {
    Object.defineProperty(one, name, { configurable: true, get: () => shown })
    shortened.push([one, name])
  }
  const { listed, shownOfList } = ${lists}
  for (const list of document.querySelectorAll(listed))
    if (list.children.length > shownOfList) shorten(list, 'childNodes', [...list.children].slice(0, shownOfList))
  for (const table of document.querySelectorAll('table'))
    shorten(table, 'rows', [...table.rows].filter((row) => [...row.parentElement.childNodes].includes(row)))
  const allKnown = new Set()
  const know = (element) => {
    const shape = shapeOf.get(element)
    const all = [...element.children].map(know).every(Boolean) && (shape === undefined || knownShapes.has(shape))
    if (all) allKnown.add(element)
    return all
  }
  know(document.body)
  const walker = (root, what) =>
    Document.prototype.createTreeWalker.call(document, root, what, (one) =>
      allKnown.has(one) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    )
  Object.defineProperty(document, 'createTreeWalker', { configurable: true, value: walker })
  const preload = document.querySelector('audio, video') !== null && { assets: ['media'] }
  try {
    const { violations, incomplete } = await axe.run(${place}, { ...${JSON.stringify(options)}, preload })
    return [...violations, ...incomplete.filter(({ error }) => error)]
  } finally {
    for (const [one, name] of shortened) delete one[name]
    delete document.createTreeWalker
  }
})()`

/**
 * Asserts that axe finds nothing on this page in this state; with a dialog open, in the dialog, which hides the rest.
 * What any process of the run has already read, in the same size, colours and surroundings, is not read again.
 */
export async function accessible(page: Page, state: string): Promise<void> {
  const inDialog = (await page.locator(dialog).count()) > 0
  const onPage = await page.evaluate<string[]>(shapes(inDialog ? dialog : 'html'))
  const known = knownOf(onPage)
  if (known.length === onPage.length) return
  // Once per document: loading axe takes longer than most of its rules.
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(axe)
  const place = inDialog ? JSON.stringify({ include: [dialog] }) : 'document'
  const options = { runOnly: rules, resultTypes: ['violations'], iframes: false }
  const violations = await page.evaluate<AxeResults['violations']>(runAxe(place, options, known))
  const messages = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join(' | ')}`,
  )
  assert.deepEqual(messages, [], `axe on ${state}`)
  remember(onPage)
}
