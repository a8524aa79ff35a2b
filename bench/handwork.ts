// How much work a person has: importing 302 rows of a school's own list, typing 30 students into the grid, clearing 161
// lines of a bank statement that match nothing. Starts a portal with the demo world itself: node bench/handwork.ts A
// browser types and presses keys as a person would, without pauses: its times are how long the portal makes people
// wait.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { demoPassword, signIn, signInToOffice, thisSeason, today } from '../e2e/people.ts'
import { startPortal } from '../e2e/program.ts'
import { findChromium } from '../scripts/machine.ts'
import { statementCsv } from '../server/seed/bank.ts'
import { writeTemplate } from '../server/src/platform/sheets/spreadsheet-write.ts'
import { machine } from './common.ts'

const rowCount = 302
const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1)
let good = true
/** Prints a figure; one outside its target makes the program fail. */
function figure(name: string, value: number | string, isOnTarget?: (value: number) => boolean): void {
  const missed = isOnTarget !== undefined && !isOnTarget(Number(value))
  if (missed) good = false
  console.log(`${name.padEnd(52)} ${value}${missed ? '   not as wanted' : ''}`)
}

interface RowFault {
  row: number
  column: number
  field: string
  value: string
  message: string
  suggestions: string[]
}
interface Preview {
  importId: string
  revision: number
  rowCount: number
  goodCount: number
  badCount: number
  askedCount: number
  sameCount: number
  errors: RowFault[]
  questions: { row: number }[]
  dropped: { row: number; text: string }[]
  odd: { row: number; message: string }[]
}
interface Progress {
  state: string
  imported: number
  rest: string
}

/** A school's user who makes the portal's calls. */
class School {
  readonly url: string
  readonly token: string
  constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }
  static async signedIn(url: string, person: string): Promise<School> {
    const school = new School(url, '')
    const body = { emailId: `${person}@podium.example`, password: demoPassword }
    return new School(url, (await school.call<{ token: string }>('/api/Account/Login', body)).token)
  }
  async call<T>(path: string, body?: object): Promise<T> {
    const file = body instanceof FormData
    const answer = await fetch(this.url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body && !file ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: file ? body : JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    return JSON.parse(text) as T
  }
}

const headings = [
  'Std',
  'Div',
  'R. No.',
  'Name of the student',
  'Father Name',
  'Phone No',
  'Mail id',
  'Exams',
]
const roman = ['III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X']
/** The row of the first student in the sheet: after a title, an empty row and the headings. */
const firstRow = 4

/** The deliberate errors: their row, and the field the portal should report. */
const planted = new Map<number, string>()

/**
 * Returns a list as schools keep them: headings of its own, Roman classes, common abbreviations of subjects, eighteen
 * errors, a total.
 */
function messyRows(names: readonly string[]): string[][] {
  const rows = Array.from({ length: rowCount }, (_, index) => [
    index % 2 ? `Class ${3 + (index % 8)}` : (roman[index % 8] ?? ''),
    'VWXYZ'[Math.floor(index / 8) % 5] ?? '',
    String(1 + Math.floor(index / 40) + 100 * (1 + (index % 5))),
    names[index % names.length] ?? '',
    `${names[(index * 7 + 3) % names.length]}`.split(' ').reverse().join(' '),
    `9${String(800_000_000 + index * 977)}`,
    `family${index}@namunapur.example`,
    index % 2 ? 'Maths, Science' : 'Mathematics & English',
  ])
  const spoil = (index: number, column: number, text: string, field = '') => {
    const row = rows[index]
    if (row) row[column] = text
    if (field) planted.set(firstRow + index, field)
  }
  spoil(10, 0, 'XIV', 'classId')
  spoil(25, 7, 'Mathmatics, Science', 'subjectName')
  spoil(26, 7, 'Mathematics & Scince', 'subjectName')
  spoil(40, 3, '', 'studentName')
  spoil(55, 1, '', 'section')
  spoil(70, 7, '', 'subjectName')
  spoil(85, 5, '98765', 'parentMobileNo')
  spoil(100, 7, 'Maths, Astronomy', 'subjectName')
  spoil(115, 5, '9800000001 / 9800000002', 'parentMobileNo')
  spoil(130, 2, '12A', 'rollno')
  spoil(145, 2, '', 'rollno')
  spoil(160, 6, 'asha@gmial,com', 'parentEmail')
  // Not errors, but unusual: another script, capitals and spaces, digits in a name.
  spoil(175, 3, 'आरोही नमूनावाला')
  spoil(176, 3, '  zara   KHAN ')
  spoil(177, 3, 'Nisha123 Misaal')
  // Another student's roll no, and a whole row twice.
  const [class_, section, roll] = rows[200] ?? []
  spoil(208, 0, class_ ?? '')
  spoil(208, 1, section ?? '')
  spoil(208, 2, roll ?? '', 'rollno')
  rows[250] = [...(rows[242] ?? [])]
  return [...rows, ['Total', '', '', `${rowCount} students`, '', '', '', '']]
}

/** Whether a row's error or question was put there deliberately. */
const isPlanted = (row: number) => planted.has(row) || row === firstRow + 250 || row === firstRow + 242

async function namesOfDemo(url: string): Promise<string[]> {
  const meera = await School.signedIn(url, 'meera')
  const query = { FYear: thisSeason, classId: 0, section: '', studentName: '', subjectName: '' }
  const { data } = await meera.call<{ data: { studentName: string }[] }>(
    '/api/ManageStudent/GetStudentDetails',
    query,
  )
  return [...new Set(data.map(({ studentName }) => studentName))]
}

async function send(school: School, rows: string[][]): Promise<Preview> {
  const [title, ...rest] = [['Namunapur Public School: olympiads'], ['']]
  const columns = headings.map((_, index) => ({ title: index === 0 ? (title?.[0] ?? '') : '' }))
  const bytes = await writeTemplate('Sheet1', columns, [...rest, headings, ...rows], 0)
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(bytes)]), 'olympiad list FINAL (2).xlsx')
  return school.call(`/api/ManageStudent/ImportStudents?FYear=${thisSeason}`, body)
}

async function confirm(school: School, { importId, revision }: Preview): Promise<Progress> {
  let progress = await school.call<Progress>('/api/ManageStudent/ConfirmImport', { importId, revision })
  while (!['done', 'failed', 'cancelled'].includes(progress.state))
    progress = await school.call(`/api/ManageStudent/ImportStatus?importId=${importId}`)
  return progress
}

/** What a person would type if nothing was suggested. */
const byHand: Record<string, string> = {
  classId: '9',
  section: 'V',
  rollno: '990',
  studentName: 'Anaya Namunawala',
  subjectName: 'Mathematics',
  parentMobileNo: '9876543210',
  parentEmail: '',
}

async function importing(url: string): Promise<void> {
  const school = await School.signedIn(url, 'savitri')
  const names = await namesOfDemo(url)
  const start = performance.now()
  const result = await send(school, messyRows(names))
  figure('302 messy rows: read and checked, s', seconds(start))
  const wrong = result.errors.filter(({ row }) => !isPlanted(row))
  const unexpected = result.questions.filter(({ row }) => !isPlanted(row))
  for (const { row, field, value, message } of wrong.slice(0, 8))
    console.log('  ', row, field, value, message)
  for (const { row } of unexpected.slice(0, 8)) console.log('   asked about', row)
  figure('false faults', wrong.length, (n) => n === 0)
  figure('rows asked about that are no duplicates', unexpected.length, (n) => n === 0)
  const missed = [...planted].filter(([row]) => !result.errors.some((error) => error.row === row))
  for (const [row, field] of missed) console.log('   not found:', row, field)
  figure('mistakes found, of those that were made', `${planted.size - missed.length} of ${planted.size}`)
  figure('students counted, of 302', result.rowCount, (n) => n === rowCount)
  console.log(`  skipped: ${result.dropped.map(({ text }) => text).join('; ')}; odd: ${result.odd.length}`)
  figure('importable at once', result.goodCount)

  const accepted = await school.call<Preview>('/api/ManageStudent/RecheckImport', {
    importId: result.importId,
    revision: result.revision,
    cells: result.errors
      .filter(({ suggestions }) => suggestions.length === 1)
      .map(({ row, column, suggestions }) => ({ row, column, text: suggestions[0] ?? '' })),
  })
  figure('importable once all suggestions are accepted', accepted.goodCount)
  const first = await confirm(school, accepted)
  figure('imported', first.imported)
  const rest = await school.call<Preview>(`/api/ManageStudent/PreviewImport?importId=${first.rest}`)
  // A row sent twice is there already.
  const missing = rowCount - first.imported - rest.badCount - rest.askedCount - rest.sameCount
  figure('rows that wait in the portal to be corrected there', rest.badCount + rest.askedCount)
  figure('rows to be sent again by hand', missing, (n) => n === 0)
  let now = rest
  for (let n = 0; n < 4 && now.errors.length > 0; n++) {
    now = await school.call<Preview>('/api/ManageStudent/RecheckImport', {
      importId: now.importId,
      revision: now.revision,
      cells: now.errors.map(({ row, column, field, suggestions }) => ({
        row,
        column,
        text: suggestions[0] ?? (field === 'rollno' ? String(990 + row) : (byHand[field] ?? '')),
      })),
    })
  }
  now = await school.call<Preview>('/api/ManageStudent/RecheckImport', {
    importId: now.importId,
    revision: now.revision,
    choices: now.questions.map(({ row }) => ({ row, choice: 'out' })),
  })
  const last = await confirm(school, now)
  figure(
    'all in the end, the row sent twice left out',
    first.imported + last.imported,
    (n) => n === rowCount - 1,
  )
}

async function pageOf(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1366, height: 768 },
    locale: 'en-IN',
  })
  return context.newPage()
}

/**
 * Types thirty students as a teacher reads them from a class list. The first row has everything, later ones only
 * differences.
 */
async function measureTyping(page: Page): Promise<void> {
  await signIn(page, 'savitri@podium.example')
  await page.goto('/student/grid')
  await page.getByRole('gridcell').first().waitFor()
  let keys = 0
  const press = async (key: string, text = '') => {
    keys += text === '' ? 1 : text.length
    await (text === '' ? page.keyboard.press(key) : page.keyboard.type(text))
  }
  // As the page leaves it: if the focus is not in the grid, the keys that lead there count.
  while (
    !(await page.evaluate<boolean>("Boolean(document.activeElement.closest('[role=grid]'))")) &&
    keys < 60
  )
    await press('Tab')
  figure('30 students: keys until the grid has the cursor', keys, (n) => n === 0)
  const start = performance.now()
  keys = 0
  for (let index = 0; index < 30; index++) {
    await press('', '8')
    await press('Tab')
    await press('', 'U')
    await press('Tab')
    await press('', String(index + 1))
    await press('Tab')
    await press('', `Asha Namuna ${'ABCDEFGHIJKLMNOPQRSTUVWXYZABCD'[index]}`)
    await press('Tab')
    await press('', 'M, S')
    await press('Enter')
  }
  const typed = keys
  await page.getByText('30 students ready').waitFor()
  await press('Escape')
  for (let n = 0; n < 40; n++) {
    await press('Tab')
    if (/^Check and enter/.test(await page.evaluate<string>('document.activeElement.innerText'))) break
  }
  await press('Enter')
  await page.getByRole('dialog').locator(':focus').filter({ hasText: 'Enter 30 students' }).waitFor()
  await press('Enter')
  await page.getByText('30 students added.').waitFor()
  figure('keys per row, 15 of them the name', (typed / 30).toFixed(1), (n) => n <= 40)
  figure('keys from the last row to 30 students entered', keys - typed)
  figure('time that the portal took, s', seconds(start))
}

/** Imports and clears a statement with 161 lines that match nothing. */
async function measureClearing(page: Page): Promise<void> {
  await signInToOffice(page, 'accounts')
  await page.goto('/office/statements')
  const lines = Array.from({ length: 161 }, (_, index) => ({
    day: today,
    narration: `POS SETTLEMENT NAMUNAPUR BRANCH ${index + 1}`,
    utr: `7777${String(10_000_000 + index)}`,
    amount: 1000 + index * 7.5,
  }))
  await page.getByRole('button', { name: 'Import statement' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel('Statement file')
    .setInputFiles({
      name: 'statement.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(statementCsv('000012345678', lines)),
    })
  await dialog.getByRole('button', { name: 'Import 161 lines' }).click()
  await page.getByText(/^161 new lines: /).waitFor()
  const start = performance.now()
  let clicks = 0
  const click = async (role: 'tab' | 'link' | 'button' | 'checkbox', name: RegExp) => {
    clicks++
    await page.getByRole(role, { name }).first().click()
  }
  await page.goto(`/office/statements?state=unknown&search=${encodeURIComponent('POS SETTLEMENT')}`)
  await page.getByText('No match found').first().waitFor()
  await click('checkbox', /^Select all/)
  const all = page.getByRole('button', { name: /^Select all 161/ })
  if (await all.count()) await click('button', /^Select all 161/)
  await click('button', /^Ignore/)
  await page.getByRole('textbox', { name: 'Reason' }).fill('Card takings of the shop')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Ignore/ })
    .click()
  clicks++
  await page.goto(`/office/statements?state=discarded&search=${encodeURIComponent('POS SETTLEMENT')}`)
  await page.getByText('161').first().waitFor()
  figure('161 bank lines of nobody: clicks, and one reason', clicks, (n) => n <= 6)
  figure('time that the portal took, s', seconds(start), (n) => n < 60)
}

const dataDir = mkdtempSync(join(tmpdir(), 'podium-bench-'))
const portal = await startPortal(dataDir)
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
try {
  console.log(machine())
  await importing(portal.url)
  await measureTyping(await pageOf(browser, portal.url))
  await measureClearing(await pageOf(browser, portal.url))
} finally {
  await browser.close()
  await portal.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
if (!good) process.exitCode = 1
