import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * The nouns of the product, the same in contract, server and web (docs/decisions/0068-nineteen-nouns.md). A new one
 * needs a reason there.
 */
export const nouns: readonly string[] = [
  'accounts',
  'schools',
  'catalogue',
  'students',
  'books',
  'payments',
  'bank',
  'ledger',
  'shipping',
  'exams',
  'results',
  'families',
  'questions',
  'notices',
  'privacy',
  'staff',
  'audit-log',
  'office',
  'dashboard',
]

/** Returns the noun whose folder contains a path, whether or not it is a known one. */
export function nounOf(path: string): string | undefined {
  const features = /^(?:server|web)\/src\/features\/([^/]+)/.exec(path)?.[1]
  return features ?? /^contract\/src\/([^/]+)\//.exec(path)?.[1]
}

/** The kinds of file that a server feature may have; no others are allowed. */
export const kinds = ['routes', 'queries', 'commands', 'rules', 'documents', 'jobs'] as const
export type Kind = (typeof kinds)[number]

/** The place of a file in the architecture. `outside` is a library, with its package name in `name`. */
export type Place =
  | { layer: 'contract' | 'platform' | 'server-words' | 'app' | 'main' | 'seed' | 'server-test' | 'around' }
  | { layer: 'feature'; noun: string; kind: Kind }
  | { layer: 'ui' | 'shell' | 'web-root' | 'words' }
  | { layer: 'web-feature'; noun: string }
  | { layer: 'web-route'; audience: string }
  | { layer: 'outside'; name: string }
  | { layer: 'unknown' }

/** Returns the place of a path in the repository (forward slashes). The server's tests may use the whole server. */
export function placeOf(path: string): Place {
  const [workspace, source, third = '', fourth = '', ...rest] = path.split('/')
  if (workspace !== 'server' && /\.test\.tsx?$/.test(path)) return { layer: 'around' }
  if (workspace === 'contract') return { layer: 'contract' }
  if (workspace === 'web' && source === 'words') return { layer: 'words' }
  if (workspace === 'web') return webPlace(third, fourth, path)
  if (workspace !== 'server') return { layer: 'around' }
  if (source === 'words') return { layer: 'server-words' }
  if (path.endsWith('.test.ts') || source === 'test') return { layer: 'server-test' }
  if (source === 'seed') return { layer: 'seed' }
  if (third === 'platform') return { layer: 'platform' }
  if (third !== 'features') return { layer: third === 'app.ts' ? 'app' : 'main' }
  // In the folder of the noun or of one of its topics
  const kind = kinds.find((name) => new RegExp(`^${name}(-[a-z0-9-]+)?\\.ts$`).test(rest.at(-1) ?? ''))
  return kind && rest.length <= 2 ? { layer: 'feature', noun: fourth, kind } : { layer: 'unknown' }
}

function webPlace(folder: string, next: string, path: string): Place {
  if (folder === 'ui' || folder === 'shell') return { layer: folder }
  if (folder === 'features') return { layer: 'web-feature', noun: next }
  if (folder === 'pages') return { layer: 'web-route', audience: next }
  return { layer: path.startsWith('web/src/') ? 'web-root' : 'unknown' }
}

/** The target of an import: a path in the repository, or the name of a library. */
export type Target = { path: string } | { library: string }

export type Resolver = (from: string, specifier: string) => Target

/** Resolves relative paths, the contract's package name and the `imports` of each workspace's package.json. */
export function resolver(root: string): Resolver {
  const aliases = new Map(['contract', 'server', 'web'].map((name) => [name, aliasesOf(root, name)]))
  return (from, specifier) => {
    const bare = specifier.replace(/\?.*$/, '')
    if (bare.startsWith('.')) return { path: posix.join(posix.dirname(from), bare) }
    if (bare.startsWith('@podium/contract/'))
      return { path: `contract/src/${bare.slice(17).replace(/\.ts$/, '')}.ts` }
    const workspace = from.split('/')[0] ?? ''
    for (const [prefix, folder, suffix] of aliases.get(workspace) ?? []) {
      if (bare.startsWith(prefix))
        return { path: posix.join(workspace, folder + bare.slice(prefix.length) + suffix) }
    }
    return { library: bare.startsWith('node:') ? bare : packageOf(bare) }
  }
}

/** `@fastify/cookie/x` → `@fastify/cookie`, `zod/mini` → `zod`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

type Alias = [prefix: string, folder: string, suffix: string]

function aliasesOf(root: string, workspace: string): Alias[] {
  const { imports = {} }: { imports?: Record<string, string> } = JSON.parse(
    readFileSync(join(root, workspace, 'package.json'), 'utf8'),
  )
  return Object.entries(imports).map(([from, to]) => {
    const [folder = '', suffix = ''] = to.split('*')
    return [from.replace('*', ''), folder, suffix]
  })
}
