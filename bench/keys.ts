import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { demoPassword } from '../e2e/people.ts'

const trees = process.env.BENCH_TREES
if (trees) mkdirSync(trees, { recursive: true })

/** Finds what is wrong with the visible focus: no ring, or something else in its place. */
const looks = `(() => {
  const at = document.activeElement
  const ringed = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  }
  const round = [at, at.parentElement, at.nextElementSibling, ...(at.labels ?? [])].filter(Boolean)
  const { left, top, width, height } = at.getBoundingClientRect()
  const seen = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
  const own = seen && (at.contains(seen) || seen.contains(at) || [...(at.labels ?? [])].some((one) => one.contains(seen)))
  return (round.some(ringed) ? '' : 'no ring ') + (own ? '' : 'not in sight')
})()`

/** Names that say nothing if only they are heard. */
const vague =
  /^(?:button|link|DisclosureTriangle) (?:Edit|Delete|Remove|Change|CSV|Excel|Choose|More|Open|View|Show|Next|Previous|Copy|Download|Yes|No)$/

/** A person without a mouse: presses keys, counts them, and records what is wrong with each focus stop. */
export class Keyboard {
  readonly page: Page
  readonly faults: string[] = []
  keys = 0
  private readonly session: CDPSession
  private where = ''
  constructor(page: Page, session: CDPSession) {
    this.page = page
    this.session = session
  }
  async press(key: string, times = 1): Promise<void> {
    this.keys += times
    for (let n = 0; n < times; n++) await this.page.keyboard.press(key)
  }
  async type(text: string): Promise<void> {
    this.keys += text.length
    await this.page.keyboard.type(text)
  }
  /** Returns the role and name of the focused element, as given to screen readers; empty if nothing has the focus. */
  async focused(): Promise<string> {
    const { result } = await this.session.send('Runtime.evaluate', { expression: 'document.activeElement' })
    const { objectId } = result
    if (!objectId || result.className === 'HTMLBodyElement') return ''
    const query = { objectId, fetchRelatives: false }
    const { nodes } = await this.session.send('Accessibility.getPartialAXTree', query)
    const [node] = nodes.filter(({ ignored }) => !ignored)
    return node ? `${node.role?.value} ${node.name?.value ?? ''}`.trim() : ''
  }
  async stop(): Promise<string> {
    const element = await this.focused()
    if (element === '') return element
    const bad = [
      / ./.test(element) || element === 'main' ? '' : 'no name',
      vague.test(element) ? 'says nothing alone' : '',
      /^(?:heading|main)/.test(element) ? '' : (await this.page.evaluate<string>(looks)).trim(),
    ].filter(Boolean)
    for (const fault of bad) this.faults.push(`${this.where}: ${element}: ${fault}`)
    if (trees) appendFileSync(join(trees, 'stops.txt'), `${this.where}\t${element}\t${bad.join(', ')}\n`)
    return element
  }
  /** Presses Tab until an element with this name has the focus. */
  async reach(name: RegExp, key = 'Tab'): Promise<void> {
    const passed: string[] = []
    for (let presses = 0; presses < 150; presses++) {
      const stop = await this.stop()
      if (name.test(stop)) return
      passed.push(stop)
      await this.press(key)
    }
    assert.fail(`Tab never came to ${name}:\n${[...new Set(passed)].join('\n')}`)
  }
  /** Waits until the focus has settled on the expected element. */
  async lands(on: RegExp): Promise<void> {
    let focused = ''
    for (let looks = 0; looks < 60; looks++) {
      focused = await this.focused()
      if (on.test(focused)) return
      await this.page.waitForTimeout(50)
    }
    this.faults.push(`${this.where}: the cursor is on «${focused}» and should be on ${on}`)
  }
  /**
   * Walks through every stop of the page from here until the focus leaves it or comes full circle: each must have a
   * name, and none may trap it.
   */
  async walkStops(where: string): Promise<void> {
    this.where = where
    let before = ''
    for (let presses = 0; presses < 250; presses++) {
      await this.page.keyboard.press('Tab')
      const stop = await this.stop()
      if (stop === '') return
      const wasVisited = await this.page.evaluate<boolean>(`(() => {
        const again = document.activeElement.dataset.walked === '${where}'
        document.activeElement.dataset.walked = '${where}'
        return again
      })()`)
      if (wasVisited) {
        assert.ok(presses > 1, `${where}: ${stop} keeps the cursor, after ${before}`)
        return
      }
      before = stop
    }
  }
  async read(name: string): Promise<void> {
    if (!trees) return
    const dialog = this.page.getByRole('dialog')
    const scope = (await dialog.count()) > 0 ? dialog.last() : this.page.locator('main')
    writeFileSync(join(trees, `${name}.txt`), await scope.ariaSnapshot())
    await this.page.screenshot({ path: join(trees, `${name}.png`) })
  }
  /** Does one step and prints how many keys it took. */
  async step(name: string, act: () => Promise<void>): Promise<void> {
    const before = this.keys
    this.where = name
    try {
      await act()
    } catch (error) {
      console.log(`${name}: the cursor is on ${await this.focused()}`)
      if (trees) await this.page.screenshot({ path: join(trees, 'failed.png') })
      throw error
    }
    console.log(name.padEnd(52), this.keys - before)
  }
}

/** Fills in fields by name, in order. */
export async function fillIn(
  keyboard: Keyboard,
  fields: ReadonlyArray<readonly [RegExp, string]>,
): Promise<void> {
  for (const [name, text] of fields) {
    await keyboard.reach(name)
    await keyboard.type(text)
  }
}

export async function signIn(keyboard: Keyboard, person: string): Promise<void> {
  const { page } = keyboard
  await page.goto('/login')
  await keyboard.lands(/^textbox E-mail/)
  await keyboard.press('Enter')
  await keyboard.lands(/^textbox E-mail/)
  await keyboard.type(`${person}@podium.example`)
  await keyboard.reach(/^textbox Password/)
  await keyboard.type(demoPassword)
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
}

export async function signOut(keyboard: Keyboard): Promise<void> {
  await keyboard.reach(/^button Logout/)
  await keyboard.press('Enter')
  await keyboard.page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  await keyboard.lands(/^textbox E-mail/)
}

/** Goes to a page through the command palette, by its name. */
export async function go(keyboard: Keyboard, name: string): Promise<void> {
  const { page } = keyboard
  await keyboard.press('Control+k')
  await page.getByRole('dialog').locator(':focus').waitFor()
  await keyboard.type(name)
  await page.getByRole('dialog').getByText(name).first().waitFor()
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await keyboard.lands(/^heading /)
}

export const dialogOf = (keyboard: Keyboard) => keyboard.page.getByRole('dialog')

export async function opens(keyboard: Keyboard, button: RegExp): Promise<void> {
  await keyboard.reach(button)
  await keyboard.press('Enter')
  await dialogOf(keyboard).locator(':focus').waitFor()
}
