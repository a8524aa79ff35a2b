import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadWeb } from './web-bundle.ts'
import { filesAtOnce, filesOf, languagesOf, type Manifest, readManifest } from './web-parts.ts'
import { standInForBrowser } from './web-router.ts'

/**
 * Which scripts and styles each address needs beyond its entry: its frame, its page, their words. A browser would
 * ask for them only when it has read the entry; the server names them in the page (`server/src/platform/http/pages.ts`).
 * By language, then by address in small letters; `$id` stands for any one part of it.
 */
export type PartsAhead = Record<string, Record<string, string[]>>

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

/** The lazy parts of each address behind a sign-in, the frames around its page among them. */
export async function routedParts(audience: string): Promise<[address: string, parts: string[]][]> {
  let asked: string[] = []
  standInForBrowser()
  const { routes } = await loadWeb<Bundle>(treeOf(audience), (part) => asked.push(part))
  // A component asks for its part once, and frames are those of many pages.
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

/** The pages of a bundle without a router: a table of addresses in one file. */
export function tabledParts(audience: string, table: string): [address: string, parts: string[]][] {
  const source = readFileSync(join(root, 'web/src/pages', audience, table), 'utf8')
  const lines = source.matchAll(/'(\/\w+)': part\(\(\) => import\('\.\/([\w-]+\.tsx)'\)\)/g)
  const found = [...lines].map(([, address = '', file]): [string, string[]] => [
    address,
    [`src/pages/${audience}/${file}`],
  ])
  if (found.length === 0) throw new Error(`${audience}/${table} has no table of pages`)
  return found
}

export function ahead(
  manifest: Manifest,
  html: string,
  language: string,
  pages: [address: string, parts: string[]][],
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

/** Writes them beside the manifest of the built web, as `.vite/ahead.json`. */
export async function writePartsAhead(dist: string): Promise<void> {
  const manifest = readManifest(dist)
  const family = tabledParts('family', 'page.tsx')
  const gate = tabledParts('gate', 'main.tsx')
  // The empty path shows the sign-in.
  gate.push(...gate.filter(([at]) => at === '/login').map(([, of]): [string, string[]] => ['/', of]))
  family.push(...family.map(([at, of]): [string, string[]] => [`${at}/$id`, of]))
  const school = await routedParts('school')
  const office = await routedParts('office')
  const inLanguage = (language: string) => ({
    ...ahead(manifest, 'school.html', language, school),
    ...ahead(manifest, 'office.html', language, office),
    ...ahead(manifest, 'gate.html', language, gate),
    ...ahead(manifest, 'family.html', language, family),
  })
  const languages = languagesOf(manifest)
  const parts: PartsAhead = Object.fromEntries(languages.map((one) => [one, inLanguage(one)]))
  writeFileSync(join(dist, '.vite/ahead.json'), JSON.stringify(parts))
}
