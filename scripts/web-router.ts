import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** As the web's session keeps a person (web/src/shell/session.ts). */
export interface Person {
  userId: number
  userName: string
  schId?: number
  teacherId?: number
}

/** What an address of the school portal leads to: another address, or nothing. */
export type Reached = { page: string } | { nothing: string }
export type Resolve = (path: string, person: Person | undefined) => Reached

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
  routerOf: () => {
    getMatchedRoutes(path: string): [Route[], Record<string, string>, Route | undefined]
  }
  isRedirect: (thrown: unknown) => boolean
  startSession: (token: string, person: Person) => void
  endSession: () => void
}

const source = `
import { tree } from './src/routes/school/tree.tsx'
import { portalRouter } from './src/shell/router.ts'
export { isRedirect } from '@tanstack/react-router'
export { endSession, startSession } from './src/shell/session.ts'
export const routerOf = () => portalRouter(tree)
`

/** Storage and document, as far as the guards ask for them. */
function standInForBrowser(): void {
  const storage = () => {
    const kept = new Map<string, string>()
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }
  }
  const set = (name: string, value: object) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  set('sessionStorage', storage())
  set('localStorage', storage())
  set('document', { documentElement: { dataset: {} } })
}

/** Bundles the school portal's route tree without its pages, which are downloaded when they are opened. */
async function bundleRoutes(root: string): Promise<Bundle> {
  const folder = join(root, 'node_modules/.cache/podium')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `routes-${process.pid}.mjs`)
  const build = await rolldown({
    input: '\0routes',
    cwd: join(root, 'web'),
    platform: 'node',
    external: [/^react/, /^@tanstack/, /^zod/],
    plugins: [
      {
        name: 'routes-alone',
        resolveId: (id, from) => {
          if (id.startsWith('\0')) return { id }
          return from === '\0routes' && id.startsWith('.') ? { id: join(root, 'web', id) } : null
        },
        resolveDynamicImport: () => ({ id: '\0page' }),
        load: (id) => {
          if (id === '\0routes') return { code: source, moduleType: 'js' }
          if (id === '\0page' || id.endsWith('.css')) return { code: 'export default null', moduleType: 'js' }
          return null
        },
      },
    ],
  })
  try {
    await build.write({ file, format: 'esm', codeSplitting: false })
    return (await import(file)) as Bundle
  } finally {
    rmSync(file, { force: true })
  }
}

/** Goes through the real route tree of the school portal, guards included, as a person would. */
export async function schoolRoutes(root: string): Promise<Resolve> {
  standInForBrowser()
  const { routerOf, isRedirect, startSession, endSession } = await bundleRoutes(root)
  const router = routerOf()
  const enter = (path: string): Reached | { leadsTo: string } => {
    const { pathname, searchParams, search: text } = new URL(path, 'http://portal')
    const [branch, params, found] = router.getMatchedRoutes(pathname)
    if (!found || params['**'] !== undefined) return { nothing: pathname }
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
    let at = path
    for (let hops = 0; hops < 6; hops++) {
      const reached = enter(at)
      if (!('leadsTo' in reached)) return reached
      at = reached.leadsTo
    }
    return { nothing: `${path} leads in a circle` }
  }
}
