import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryOf } from '../server/src/platform/http/pages.ts'
import { specifiedCalls } from './specification-calls.ts'
import { type Resolve, schoolRoutes } from './web-bundle.ts'

/** The route table of the specification (section 2.1), transcribed: who may open an address, and where it leads. */

/** `gate` and `family` are separate web entries; the others are pages of the school portal. */
type Access = 'gate' | 'family' | 'public' | 'signed in' | 'school' | 'school or teacher'

export interface SpecifiedRoute {
  path: string
  access: Access
  /** The target of a default redirect */
  leadsTo?: string
}

const gate = ['/', '/login', '/login?id=a-link', '/register', '/register?id=a-link']

const school = [
  '/School/Details',
  '/School/examdate',
  '/School/contact-details',
  '/student/entry',
  '/student/summery',
  '/student/UploadForm',
  '/student/finalsummery',
  '/books/order',
  '/books/summary',
  '/result/viewresult',
  '/result/medalist',
  '/result/award',
  '/result/prize',
  '/Importantlink/trackorder',
  '/Importantlink/teacherquestion',
  '/Importantlink/QuctionStatus',
  '/Importantlink/examScheduleStatus',
]

/** Default redirects, and the top-level areas with their first pages. */
const redirects = {
  '/School': '/School/Details',
  '/manage-student': '/student/entry',
  '/manage-student/student/entry': '/student/entry',
  '/manage-student/student/finalsummery': '/student/finalsummery',
  '/manage-book': '/books/order',
  '/manage-book/books/summary': '/books/summary',
  '/books': '/books/order',
  '/manage-result': '/result/viewresult',
  '/manage-result/result/prize': '/result/prize',
  '/result': '/result/viewresult',
  '/importaant-link/Importantlink/trackorder': '/Importantlink/trackorder',
}

const toPayments = { access: 'school or teacher', leadsTo: '/Importantlink/managepayment' } as const

const specifiedRoutes: readonly SpecifiedRoute[] = [
  ...gate.map((path) => ({ path, access: 'gate' as const })),
  { path: '/student?id=a-link', access: 'family' },
  { path: '/school-detail', access: 'public' },
  { path: '/dashboard', access: 'signed in' },
  { path: '/shared', access: 'signed in', leadsTo: '/dashboard' },
  ...school.map((path) => ({ path, access: 'school' as const })),
  ...Object.entries(redirects).map(([path, leadsTo]) => ({ path, leadsTo, access: 'school' as const })),
  { path: '/Importantlink/managepayment', access: 'school or teacher' },
  { path: '/Importantlink', ...toPayments },
  { path: '/importaant-link', ...toPayments },
]

/**
 * Checks docs/specification.md and the web's addresses against the specification: every address of the route table is
 * open to the right people, every line of the document has a test that names it, and every call has a line.
 * server/src/specification-calls.test.ts tests that the calls themselves are served.
 */

const people = {
  nobody: undefined,
  'a person without a school': { userId: 1, userName: 'Naveen Namunawala' },
  'a person whose school is being verified': { userId: 1, userName: 'Waheeda Misaal', teacherId: 1 },
  'staff of a school': { userId: 1, userName: 'Meera Namunawala', schId: 1 },
}
type Person = keyof typeof people

/** Returns where a person is redirected who may not enter; undefined for one who may. */
function redirectFor(access: Access, person: Person): string | undefined {
  if (access === 'public') return undefined
  if (person === 'nobody') return '/login'
  const mayEnter: Person[] =
    access === 'school or teacher'
      ? ['staff of a school', 'a person whose school is being verified']
      : ['staff of a school']
  return access === 'signed in' || mayEnter.includes(person) ? undefined : '/dashboard'
}

/**
 * Checks an address of the pages before the sign-in, or of families: these have a list of pages instead of a router.
 */
function checkEntry(root: string, { path, access }: SpecifiedRoute): string[] {
  const plain = path.replace(/\?.*$/, '')
  const entry = entryOf(plain)
  if (entry !== `${access}.html`) return [`${path} is answered by ${entry}`]
  const pages = `web/src/pages/${access}/main.tsx`
  const listed = readFileSync(join(root, pages), 'utf8').includes(
    `'${plain === '/' ? '/login' : plain}': lazyPart(`,
  )
  return listed ? [] : [`${path}: ${pages} has no such page`]
}

/** Returns one sentence for each address that a person can't reach, or can reach without permission. */
export function checkRoutes(root: string, routes: readonly SpecifiedRoute[], resolve: Resolve): string[] {
  return routes.flatMap((route) => {
    if (route.access === 'gate' || route.access === 'family') return checkEntry(root, route)
    const entry = entryOf(route.path)
    if (entry !== 'school.html') return [`${route.path} is answered by ${entry}`]
    return Object.entries(people).flatMap(([name, person]) => {
      const reached = resolve(route.path, person)
      if ('nothing' in reached) return [`${route.path} for ${name}: there is no such page`]
      const expected = redirectFor(route.access, name as Person) ?? route.leadsTo ?? route.path
      return reached.page === expected
        ? []
        : [`${route.path} for ${name}: ${reached.page} instead of ${expected}`]
    })
  })
}

/** The part of a title that names the lines of docs/specification.md its test shows: `[spec 2.3.1 5.2-4]` */
const tag = / \[spec ([\d. -]+)\]$/

/** Returns the titles of all tests in a file, without the lines they name. */
export const titlesOf = (text: string): Set<string> =>
  new Set(taggedTitlesOf(text).map((title) => title.replace(tag, '')))

function taggedTitlesOf(text: string): string[] {
  const titles = text.matchAll(/\b(?:test|plainTest|describe)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g)
  return [...titles].map(([, , title = '']) => title.replaceAll("\\'", "'"))
}

/** Expands `5.2-4` to 5.2, 5.3 and 5.4. */
function numbersOf(title: string): string[] {
  return (tag.exec(title)?.[1] ?? '')
    .split(' ')
    .filter(Boolean)
    .flatMap((range) => {
      const [, section, first = '', last = first] = /^([\d.]+)\.(\d+)(?:-(\d+))?$/.exec(range) ?? []
      const count = Math.max(1, Number(last) - Number(first) + 1)
      return Array.from({ length: count }, (_, index) => `${section}.${Number(first) + index}`)
    })
}

/**
 * Returns one sentence for each line without a test, each test that names a missing line, and each call without a line.
 */
export function checkLines(text: string, titles: readonly string[], paths: readonly string[]): string[] {
  const lines = new Map(
    [...text.matchAll(/^- ([\d.]+) (.+)$/gm)].map(([, number = '', what = '']) => [number, what]),
  )
  const tested = new Set(titles.flatMap(numbersOf))
  return [
    ...paths.filter((path) => !text.includes(path)).map((path) => `${path} has no line`),
    ...[...lines]
      .filter(([number]) => !tested.has(number))
      .map(([number, what]) => `${number} ${what}: no test shows it`),
    ...titles.flatMap((title) =>
      numbersOf(title)
        .filter((number) => !lines.has(number))
        .map((number) => `${title}: there is no line ${number}`),
    ),
  ]
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const text = readFileSync(join(root, 'docs/specification.md'), 'utf8')
  const named = [...specifiedCalls.map(({ path }) => path), ...specifiedRoutes.map(({ path }) => path)]
  const paths = named.map((path) => path.replace(/\?.*$/, '')).filter((path) => path !== '/')
  const tests = globSync('{contract,server,web,e2e,scripts}/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  })
  const titles = tests.flatMap((file) => taggedTitlesOf(readFileSync(join(root, file), 'utf8')))
  const routes = checkRoutes(root, specifiedRoutes, await schoolRoutes())
  const breaches = [...routes, ...checkLines(text, titles, paths)]
  for (const breach of breaches) console.log(breach)
  console.log(
    `${specifiedRoutes.length} addresses, ${specifiedCalls.length} calls, ${text.match(/^- \d/gm)?.length} lines of docs/specification.md: ${breaches.length} breaches`,
  )
  process.exitCode = breaches.length === 0 ? 0 : 1
}
