import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { loadWeb, stubBrowserGlobals } from './web-bundle.ts'

/** An entry, page or chunk in one of Vite's manifests (web/dist/.vite). */
interface Chunk {
  file: string
  src?: string
  css?: string[]
  imports?: string[]
  dynamicImports?: string[]
}
type Manifest = Record<string, Chunk>

/** Reads the manifest of the build that a bundle comes from: families' pages have their own (web/vite.config.ts). */
export const readManifest = (dist: string, bundle: string): Manifest =>
  JSON.parse(readFileSync(join(dist, '.vite', `${bundle === 'family' ? bundle : 'manifest'}.json`), 'utf8'))

/** Loads the server's sentences in languages other than English. */
const serverWords = 'src/shell/language/server-words.ts'

/** Returns the languages that the web has words for. */
export const languagesOf = (manifest: Manifest): string[] => [
  ...new Set(Object.keys(manifest).flatMap((key) => /^_?words[/-]([^/-]+)[/-]/.exec(key)?.[1] ?? [])),
]

/**
 * Returns the scripts and styles that these chunks load, and the words they request in a language, except the reasons
 * of refusals, which are loaded later.
 */
export const filesOf = (manifest: Manifest, language: string, ...keys: (string | undefined)[]): Set<string> =>
  collectFiles(
    manifest,
    keys,
    (next) =>
      next.startsWith(`_words-${language}-`) ||
      (next.startsWith(`words/${language}/`) && !next.endsWith('/refusals.json')) ||
      next.endsWith(`.${language}.ts`) ||
      (next === serverWords && language !== 'en'),
  )

/** The same without the words: what Vite lists in an entry's page. */
export const filesAtOnce = (manifest: Manifest, ...keys: (string | undefined)[]): Set<string> =>
  collectFiles(manifest, keys, () => false)

function collectFiles(
  manifest: Manifest,
  keys: readonly (string | undefined)[],
  later: (key: string) => boolean,
): Set<string> {
  const seen = new Set<string>()
  const visit = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    const { imports = [], dynamicImports = [] } = manifest[key] ?? {}
    for (const next of imports) visit(next)
    for (const next of dynamicImports) if (later(next)) visit(next)
  }
  for (const key of keys) if (key !== undefined) visit(key)
  const chunks = [...seen].flatMap((key) => manifest[key] ?? [])
  return new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]))
}

/**
 * The scripts and styles each address needs beyond its entry: its frame, its page, their words. A browser would request
 * them only after reading the entry, so the server lists them in the page (`server/src/platform/http/pages.ts`). By
 * language, then by address in lower case; `$id` stands for any single segment.
 */
type PartsAhead = Record<string, Record<string, string[]>>

/** An address and the sources of its lazy parts. */
export type PageParts = [address: string, parts: string[]]

const root = join(import.meta.dirname, '..')

interface Route {
  parentRoute?: Route
  options: { component?: { preload?: () => unknown } }
}
interface Bundle {
  routes: Record<string, Route>
}

const treeOf = (audience: string) => `
import { tree } from './src/pages/${audience}/tree.tsx'
import { portalRouter } from './src/shell/router.ts'
export const routes = portalRouter(tree).routesByPath
`

/** Returns the lazy parts of each address behind a sign-in, including the frames around its page. */
export async function routedParts(audience: string): Promise<PageParts[]> {
  let asked: string[] = []
  stubBrowserGlobals()
  const { routes } = await loadWeb<Bundle>(treeOf(audience), (part) => asked.push(part))
  // A component requests its part only once, and pages share frames.
  const known = new Map<Route, string[]>()
  const partsOf = (route: Route): string[] => {
    asked = []
    if (!known.has(route)) route.options.component?.preload?.()
    const own = known.get(route) ?? asked
    known.set(route, own)
    return route.parentRoute ? [...partsOf(route.parentRoute), ...own] : own
  }
  return Object.entries(routes).map(([address, route]) => [address.toLowerCase(), partsOf(route)])
}

/** Returns the pages of a bundle without a router: a table of addresses in one file. */
export function tabledParts(audience: string, table: string): PageParts[] {
  const source = readFileSync(join(root, 'web/src/pages', audience, table), 'utf8')
  const lines = source.matchAll(/'(\/\w+)': lazyPart\(\(\) =>\s+import\('(\.\/|#)([\w/-]+\.tsx)'\)/g)
  const found = [...lines].map(
    ([, address = '', from, file]): PageParts => [
      address,
      [from === '#' ? `src/${file}` : `src/pages/${audience}/${file}`],
    ],
  )
  if (found.length === 0) throw new Error(`${audience}/${table} has no table of pages`)
  return found
}

export function filesAhead(
  manifest: Manifest,
  html: string,
  language: string,
  pages: PageParts[],
): Record<string, string[]> {
  const there = filesAtOnce(manifest, html)
  return Object.fromEntries(
    pages.map(([address, parts]) => {
      const lost = parts.find((part) => manifest[part] === undefined)
      if (lost) throw new Error(`${address} has no part ${lost}`)
      return [address, [...filesOf(manifest, language, html, ...parts)].filter((file) => !there.has(file))]
    }),
  )
}

/** Returns the pages of each bundle, by address, with their lazy parts. */
export async function pagesOfWeb(): Promise<Record<'family' | 'gate' | 'school' | 'office', PageParts[]>> {
  const family = tabledParts('family', 'main.tsx')
  const gate = tabledParts('gate', 'main.tsx')
  // The empty path shows the sign-in.
  gate.push(...gate.filter(([at]) => at === '/login').map(([, of]): PageParts => ['/', of]))
  family.push(...family.map(([at, of]): PageParts => [`${at}/$id`, of]))
  // If two bundles have an address, the later one wins: `/login` is the gate's.
  return { school: await routedParts('school'), office: await routedParts('office'), gate, family }
}

const familyPicture = `
import { createElement as h, Suspense } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { StudentPage } from './src/pages/family/student-page.tsx'
import { FamilyLayout } from './src/shell/layout-family.tsx'
import { withProviders } from './src/shell/start.tsx'
export const draw = () => prerenderToNodeStream(withProviders(h(FamilyLayout, null, h(Suspense, null, h(StudentPage)))))
`

/**
 * Renders the start of a family's page in each language as HTML: the form for the access code. It is visible and usable
 * before the scripts arrive, which on a slow connection takes seconds; they then take it over
 * (web/src/shell/start.tsx).
 */
async function firstPictures(languages: readonly string[]): Promise<Record<string, string>> {
  const drawn: Record<string, string> = {}
  for (const language of languages) {
    stubBrowserGlobals(language)
    const { draw } = await loadWeb<{ draw: () => Promise<{ prelude: Readable }> }>(familyPicture)
    drawn[language] = await text((await draw()).prelude)
  }
  return drawn
}

/**
 * Writes what the server inserts into its pages beside the manifests of the built web, as `.vite/ahead.json` and
 * `.vite/first.json`.
 */
export async function writePreload(dist: string): Promise<void> {
  const pages = Object.entries(await pagesOfWeb())
  const languages = languagesOf(readManifest(dist, 'family'))
  const inLanguage = (language: string) =>
    Object.assign(
      {},
      ...pages.map(([bundle, of]) => filesAhead(readManifest(dist, bundle), `${bundle}.html`, language, of)),
    )
  const parts: PartsAhead = Object.fromEntries(languages.map((item) => [item, inLanguage(item)]))
  writeFileSync(join(dist, '.vite/ahead.json'), JSON.stringify(parts))
  writeFileSync(join(dist, '.vite/first.json'), JSON.stringify(await firstPictures(languages)))
}
