import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
let loads = 0

/** Returns a module's name in the manifest for `./layout.tsx` or `#shell/frame.tsx`: `src/pages/office/layout.tsx`. */
const partOf = (specifier: string, from: string): string =>
  specifier.startsWith('#')
    ? `src/${specifier.slice(1)}`
    : posix.join(posix.dirname(relative(join(root, 'web'), from)), specifier)

/**
 * Expands `import.meta.glob('#words/*\/kit.json')` as Vite does: words by their paths, each loaded by a function, or
 * all at once. Other globs become empty.
 */
function wordsOf(glob: string): string {
  const [, name] = /^import\.meta\.glob(?:<[^(]*>)?\(\s*'#words\/\*\/([\w-]+\.json)'/.exec(glob) ?? []
  if (name === undefined) return '({})'
  const eager = /eager: true/.test(glob)
  const paths = globSync(`words/*/${name}`, { cwd: join(root, 'web') }).sort()
  const words = paths.map((path) => {
    const text = readFileSync(join(root, 'web', path), 'utf8')
    const value = eager ? text : `() => Promise.resolve({ default: ${text} })`
    return `${JSON.stringify(`/${path}`)}: ${value}`
  })
  return `({ ${words.join(', ')} })`
}

/**
 * Loads modules of the web in Node, where they can be examined without a browser. `source` is a module in the folder
 * web; its imports are bundled, except libraries and style sheets, and whatever is downloaded later (pages, dialogs) is
 * left empty: requesting it calls `onRequest` with its name in the manifest.
 */
export async function loadWeb<Module>(
  source: string,
  onRequest: (part: string) => void = () => undefined,
): Promise<Module> {
  const folder = join(root, 'node_modules/.cache/podium')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `web-${process.pid}-${++loads}.mjs`)
  const build = await rolldown({
    input: '\0start',
    cwd: join(root, 'web'),
    platform: 'node',
    external: [/^react/, /^@tanstack/, /^@mantine/, /^zod/, /^uqr/],
    plugins: [
      {
        name: 'without-pages',
        resolveId: (id, from) => {
          if (id.startsWith('\0')) return { id }
          return from === '\0start' && id.startsWith('.') ? { id: join(root, 'web', id) } : null
        },
        transform: (code, id) =>
          id.startsWith(join(root, 'web'))
            ? code
                .replaceAll(/import\.meta\.glob(?:<[^(]*>)?\([^)]*\)/g, wordsOf)
                .replaceAll(
                  /\bimport\((['"])([^'"]+)\1\)/g,
                  (_whole, _quote, part: string) =>
                    `Promise.resolve(globalThis.askedPart(${JSON.stringify(partOf(part, id))}))`,
                )
            : null,
        load: (id) => {
          if (id === '\0start') return { code: source, moduleType: 'js' }
          return id.endsWith('.css') ? { code: 'export default null', moduleType: 'js' } : null
        },
      },
    ],
  })
  try {
    const askedPart = (part: string) => {
      onRequest(part)
      return { default: undefined }
    }
    Object.assign(globalThis, { askedPart })
    await build.write({ file, format: 'esm', codeSplitting: false })
    return (await import(file)) as Module
  } finally {
    rmSync(file, { force: true })
  }
}

/** A person as stored in the web's session (web/src/shell/session.ts). */
interface Person {
  userId: number
  userName: string
  schId?: number
  teacherId?: number
}

/** Where an address of the school portal leads: to another address, or nowhere. */
type RouteTarget = { page: string } | { nothing: string }
export type Resolve = (path: string, person: Person | undefined) => RouteTarget

interface Route {
  path?: string
  options: { beforeLoad?: (asked: object) => unknown; validateSearch?: (given: object) => object }
}

interface Redirect {
  to?: string
  href?: string
  reloadDocument?: boolean
}

interface Bundle {
  routerOf: () => { getMatchedRoutes(path: string): [Route[], Record<string, string>, Route | undefined] }
  isRedirect: (thrown: unknown) => boolean
  startSession: (token: string, person: Person) => void
  endSession: () => void
}

const source = `
import { tree } from './src/pages/school/tree.tsx'
import { portalRouter } from './src/shell/router.ts'
export { isRedirect } from '@tanstack/react-router'
export { endSession, startSession } from './src/shell/session.ts'
export const routerOf = () => portalRouter(tree)
`

/** Provides storage, document and location, as far as the guards and the pre-rendered pages use them. */
export function stubBrowserGlobals(language = 'en'): void {
  const storage = () => {
    const items = new Map<string, string>()
    return {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    }
  }
  const set = (name: string, value: object) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  set('sessionStorage', storage())
  set('localStorage', storage())
  set('document', { documentElement: { dataset: {} }, cookie: `language=${language}` })
  set('location', { search: '' })
  set('history', {})
}

/** Navigates the real route tree of the school portal, including guards, as a person would. */
export async function schoolRoutes(): Promise<Resolve> {
  stubBrowserGlobals()
  const { routerOf, isRedirect, startSession, endSession } = await loadWeb<Bundle>(source)
  const router = routerOf()
  const enter = (path: string): RouteTarget | { leadsTo: string } => {
    const { pathname, searchParams, search: text } = new URL(path, 'http://portal')
    const [branch, params, route] = router.getMatchedRoutes(pathname)
    if (!route || params['**'] !== undefined) return { nothing: pathname }
    const search = Object.fromEntries(searchParams)
    for (const { options } of branch) {
      try {
        options.beforeLoad?.({ location: { href: pathname + text }, params, search, preload: false })
      } catch (thrown) {
        if (!isRedirect(thrown)) throw thrown
        const { to, href, reloadDocument } = (thrown as { options: Redirect }).options
        return reloadDocument ? { page: pathname } : { leadsTo: to ?? href ?? '' }
      }
    }
    return { page: pathname }
  }
  return (path, person) => {
    endSession()
    if (person) startSession('a token', person)
    let address = path
    for (let hops = 0; hops < 6; hops++) {
      const reached = enter(address)
      if (!('leadsTo' in reached)) return reached
      address = reached.leadsTo
    }
    return { nothing: `${path} leads in a circle` }
  }
}
