import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { withLinks } from '../server/src/platform/http/preload.ts'
import { filesAtOnce, filesOf, type Manifest, readManifest } from './web-parts.ts'

/** One line of the table: what a browser loads, in bytes after brotli, against what it may load. */
export interface Weight {
  what: string
  bytes: number
  budget: number
}

const kB = 1000

/** The first load of each page as the design fixes it. Sign-in and registration are the pages of the gate. */
const budgets = { family: 75 * kB, gate: 120 * kB, school: 180 * kB, later: 30 * kB, office: 200 * kB }

/**
 * Weighs what web/dist makes a browser load: each entry with everything that it imports at once; the same with the chunk
 * of each of its routes and the links to them in its HTML (the page opened directly); and for the school what each route adds after the dashboard. A route
 * is a lazy chunk whose source lies in web/src/pages.
 */
export function weigh(dist: string): Weight[] {
  const manifest = readManifest(dist)
  const sizes = new Map<string, number>()
  const bytesOf = (file: string) => {
    const bytes = sizes.get(file) ?? compressed(readFileSync(join(dist, file)))
    sizes.set(file, bytes)
    return bytes
  }
  const sum = (files: string[]) => files.reduce((total, file) => total + bytesOf(file), 0)
  const audiences = ['family', 'gate', 'school', 'office'] as const
  const opened = audiences.flatMap((audience) => {
    const html = `${audience}.html`
    if (manifest[html] === undefined) throw new Error(`web/dist has no ${html}`)
    const pages = [undefined, ...routesOf(manifest, audience)]
    return pages.map((route) => {
      const files = [...filesOf(manifest, 'en', html, ...frameOf(manifest, audience, route), route)]
      const named = filesAtOnce(manifest, html)
      const ahead = route ? files.filter((file) => !named.has(file)) : []
      return {
        what: `${audience}: ${route ? `${nameOf(route)} opened directly` : 'before any route'}`,
        bytes: compressed(Buffer.from(withLinks(readFileSync(join(dist, html), 'utf8'), ahead))) + sum(files),
        budget: budgets[audience],
      }
    })
  })
  return [...opened, ...laterRoutes(manifest, sum)]
}

/** What each route of the school adds for a browser that has the dashboard already. */
function laterRoutes(manifest: Manifest, sum: (files: string[]) => number): Weight[] {
  const routes = routesOf(manifest, 'school')
  const dashboard = routes.find((route) => nameOf(route).startsWith('dashboard'))
  const there = filesOf(manifest, 'en', 'school.html', ...frameOf(manifest, 'school', dashboard), dashboard)
  return routes
    .filter((route) => route !== dashboard)
    .map((route) => ({
      what: `school: ${nameOf(route)} after the dashboard`,
      bytes: sum([...filesOf(manifest, 'en', route)].filter((file) => !there.has(file))),
      budget: budgets.later,
    }))
}

function routesOf(manifest: Manifest, audience: string): string[] {
  const lazy = new Set(Object.values(manifest).flatMap(({ dynamicImports = [] }) => dynamicImports))
  return [...lazy].filter((key) => key.startsWith(`src/pages/${audience}/`) && key.endsWith('.tsx')).sort()
}

/** The layout that a page behind a sign-in has around it. */
function frameOf(manifest: Manifest, audience: string, route: string | undefined): string[] {
  const layouts = [`src/shell/layout-${audience}.tsx`, `src/pages/${audience}/layout.tsx`]
  return Object.keys(manifest).filter((key) => route !== undefined && layouts.includes(key))
}

const nameOf = (route: string) => route.replace(/^src\/pages\/[a-z]+\//, '').replace(/\.tsx?$/, '')

function compressed(content: Buffer): number {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
}

if (import.meta.main) {
  const weights = weigh(join(import.meta.dirname, '../web/dist'))
  const over = weights.filter(({ bytes, budget }) => bytes > budget)
  const kilo = (bytes: number) => (bytes / kB).toFixed(1).padStart(7)
  for (const weight of weights) {
    const mark = over.includes(weight) ? 'OVER' : '  ok'
    console.log(`${mark} ${kilo(weight.bytes)} of ${kilo(weight.budget)} kB  ${weight.what}`)
  }
  console.log('bytes after brotli, 1 kB = 1000 bytes; html, styles and scripts that load at once')
  process.exitCode = over.length === 0 ? 0 : 1
}
