import { join } from 'node:path'
import {
  type Kind,
  kinds,
  nounOf,
  nouns,
  type Place,
  placeOf,
  type Resolver,
  resolver,
} from './import-places.ts'
import { readSource, type SourceFile, sourcePaths, wordsOfPrograms } from './source-files.ts'

/** Why an import is refused: what the file may import, and where the code belongs instead. */
type Verdict = string | undefined

type Feature = Extract<Place, { layer: 'feature' }>

/** Libraries that features may use directly; any other is wrapped once in server/src/platform. */
const featureLibraries = ['kysely', 'zod', 'fastify']

/** The table of allowed imports. Returns undefined if `from` may import `to`, or else a sentence with the reason. */
function verdict(from: Place, to: Place): Verdict {
  if (to.layer === 'unknown') return undefined // reported once, when the file itself is checked
  if (isWeb(from) && isServer(to))
    return 'web and server meet in the contract alone: move what both need to contract/src'
  if (isServer(from) && isWeb(to))
    return 'web and server meet in the contract alone: move what both need to contract/src'
  switch (from.layer) {
    case 'contract':
      return onlyIf(
        to.layer === 'contract' || (to.layer === 'outside' && to.name === 'zod'),
        'the contract imports zod and itself: what needs a library or the database belongs to server or web',
      )
    case 'platform':
      return onlyIf(
        ['platform', 'server-words', 'contract', 'outside'].includes(to.layer),
        'platform knows no feature: hand the value in as an argument, or move this code to the feature',
      )
    case 'feature':
      return judgeFeature(from, to)
    case 'app':
      return onlyIf(
        ['platform', 'contract', 'outside'].includes(to.layer) || isKind(to, 'routes', 'jobs'),
        "app.ts imports platform and the features' routes and jobs: register what you need in a routes.ts or jobs.ts",
      )
    case 'main':
      return onlyIf(
        ['platform', 'contract', 'outside', 'app', 'main', 'seed'].includes(to.layer) ||
          isKind(to, 'jobs', 'commands'),
        'programs in server/src are wiring: put the work in a command or a job of a feature',
      )
    case 'seed':
      return onlyIf(
        !['app', 'main', 'server-test', 'around'].includes(to.layer),
        'the demo world is made with the commands of the features',
      )
    default:
      return judgeWeb(from, to)
  }
}

/**
 * Nouns that used to be one folder and still use each other's files, on the server and in the web. The list may only
 * shrink: shared code belongs to the noun it is about, or to one below both.
 */
const borrowed = {
  server: [
    ['bank', 'payments'],
    ['ledger', 'payments'],
    ['office', 'privacy'],
    ['schools', 'accounts'],
    ['shipping', 'results'],
  ],
  web: [
    ['bank', 'ledger'],
    ['payments', 'ledger'],
  ],
}
const isOwn = (side: keyof typeof borrowed, from: string, to: string) =>
  from === to || borrowed[side].some(([user, owner]) => user === from && owner === to)

function judgeFeature(from: Feature, to: Place): Verdict {
  const sameNoun = to.layer === 'feature' && isOwn('server', from.noun, to.noun)
  if (from.kind === 'rules') {
    return onlyIf(
      to.layer === 'contract' || (sameNoun && isKind(to, 'rules')),
      'rules are pure and import the contract alone: what needs the database is a query or a command',
    )
  }
  if (['contract', 'platform', 'server-words'].includes(to.layer)) return undefined
  if (to.layer === 'outside') {
    return onlyIf(
      to.name.startsWith('node:') || featureLibraries.includes(to.name),
      `features use ${featureLibraries.join(', ')} and node: wrap ${to.name} in server/src/platform`,
    )
  }
  if (to.layer !== 'feature') return 'features import platform, contract and features'
  if (isKind(to, 'rules', 'queries')) return undefined
  return allowedOfFeatures(from.kind, sameNoun).includes(to.kind) ? undefined : adviceFor(from.kind)
}

/** Returns what a feature's file may import besides rules and queries, which all files except rules may import. */
function allowedOfFeatures(kind: Kind, sameNoun: boolean): readonly Kind[] {
  // Routes open the transaction, so a write that spans two features is composed there.
  if (kind === 'routes') return sameNoun ? kinds : ['commands']
  if (!sameNoun || kind === 'queries') return []
  return kind === 'commands' ? ['commands'] : ['commands', 'documents', kind]
}

function adviceFor(kind: Kind): string {
  if (kind === 'queries')
    return "queries import rules and any feature's queries: a write belongs to commands.ts"
  if (kind === 'routes')
    return "routes import their own feature and others' commands and queries: share it as one"
  return `${kind} import rules, any feature's queries and their own commands: compose a write that spans two features in routes.ts, or make it a feature of its own`
}

function judgeWeb(from: Place, to: Place): Verdict {
  if (!isWeb(from)) return undefined // tests, e2e, bench and scripts may import everything
  if (to.layer === 'words') return undefined
  if (to.layer === 'outside') {
    return onlyIf(!to.name.startsWith('node:'), `${to.name} does not exist in a browser`)
  }
  switch (from.layer) {
    case 'ui':
      return onlyIf(
        to.layer === 'ui',
        'web/ui could ship in another product: hand the words and data in, or move the part to shell or a feature',
      )
    case 'shell':
      return onlyIf(
        ['shell', 'ui', 'contract'].includes(to.layer),
        'shell knows no feature and no route: move the code to the feature, or hand it in from the route',
      )
    case 'web-feature':
      return onlyIf(
        ['shell', 'ui', 'contract'].includes(to.layer) ||
          (to.layer === 'web-feature' && isOwn('web', from.noun, to.noun)),
        'a feature imports contract, shell, ui and itself: put two features together in a route, share parts in shell or ui',
      )
    case 'web-route':
      return onlyIf(
        to.layer !== 'web-route' || to.audience === from.audience,
        'each audience has its own bundle: share the part through features, shell or ui',
      )
    default:
      return undefined
  }
}

const onlyIf = (allowed: boolean, why: string): Verdict => (allowed ? undefined : why)

function isKind(place: Place, ...kinds: Kind[]): boolean {
  return place.layer === 'feature' && kinds.includes(place.kind)
}

function isWeb({ layer }: Place): boolean {
  return ['ui', 'shell', 'web-root', 'words', 'web-feature', 'web-route'].includes(layer)
}

function isServer({ layer }: Place): boolean {
  return ['platform', 'server-words', 'feature', 'app', 'main', 'seed', 'server-test'].includes(layer)
}

/**
 * Checks every source file below `root` and returns one sentence for each breach of the rules: which imports are
 * allowed, which files a feature may have, no cycles of files or nouns, no export without a user, one reader of the
 * environment, the clock as a parameter.
 */
export function checkImports(root: string): string[] {
  const files = sourcePaths(root).map((path) => readSource(root, path))
  const resolve = resolver(root)
  const perFile = files.flatMap((file) => [
    ...checkName(file),
    ...checkNoun(file),
    ...checkEdges(file, resolve),
    ...checkEnvironment(file),
    ...checkClock(file),
  ])
  return [
    ...perFile,
    ...checkExports(files, wordsOfPrograms(root)),
    ...checkCycles(files, resolve),
    ...checkNounCycles(files, resolve),
  ]
}

function checkName({ path }: SourceFile): string[] {
  const name = path.split('/').at(-1) ?? ''
  const spelling = /^[$_]*[a-z0-9]+([-.$_]+[a-z0-9]+)*\.tsx?$/.test(name)
    ? []
    : [`${path}: file names are kebab-case`]
  if (placeOf(path).layer !== 'unknown') return spelling
  const names = kinds.map((kind) => `${kind}.ts`).join(', ')
  return [
    ...spelling,
    `${path}: a feature and each of its topics has ${names}, kind-what.ts (commands-import.ts) and tests, nothing else`,
  ]
}

/** In the contract: a noun's file shared by server and web. */
const contractFile =
  /^contract\/src\/[^/]+\/(calls|schemas|rules|errors|messages|words|paths)(-[a-z0-9-]+)?(\.test)?\.ts$/

function checkNoun({ path }: SourceFile): string[] {
  const noun = nounOf(path)
  if (noun === undefined) return []
  if (!nouns.includes(noun))
    return [`${path}: ${noun} is no noun of the product, which are ${nouns.join(', ')}`]
  return path.startsWith('contract/') && !contractFile.test(path)
    ? [
        `${path}: a noun of the contract has calls, schemas, rules, errors, messages, words and paths, nothing else`,
      ]
    : []
}

function checkEdges({ path, imports }: SourceFile, resolve: Resolver): string[] {
  const from = placeOf(path)
  return imports.flatMap(({ specifier, line }) => {
    const target = resolve(path, specifier)
    const foreign =
      specifier.startsWith('.') && 'path' in target && workspaceOf(target.path) !== workspaceOf(path)
    if (foreign && workspaceOf('path' in target ? target.path : '') === 'contract') {
      return [`${path}:${line} imports ${specifier}: write it as @podium/contract/name`]
    }
    const to = 'path' in target ? placeOf(target.path) : ({ layer: 'outside', name: target.library } as const)
    const why = verdict(from, to)
    return why === undefined ? [] : [`${path}:${line} imports ${specifier}: ${why}`]
  })
}

const workspaceOf = (path: string) => path.split('/')[0]

function checkEnvironment({ path, environment }: SourceFile): string[] {
  const { layer } = placeOf(path)
  if (!['platform', 'feature', 'app', 'seed'].includes(layer)) return []
  return environment.map(
    (line) => `${path}:${line} reads process.env: only main.ts does, and hands settings on`,
  )
}

function checkClock({ path, clock }: SourceFile): string[] {
  const place = placeOf(path)
  const handed = place.layer === 'feature' && place.kind !== 'jobs'
  return handed
    ? clock.map((line) => `${path}:${line} asks for the time: take \`now: Date\` as a parameter`)
    : []
}

/** Checks that what a file exports is used by another: so nobody keeps what nothing uses, or wonders who does. */
function checkExports(files: SourceFile[], ofPrograms: Set<string>[]): string[] {
  const users = new Map<string, number>()
  for (const words of [...files.map(({ words }) => words), ...ofPrograms])
    for (const word of words) users.set(word, (users.get(word) ?? 0) + 1)
  return files.flatMap(({ path, exports }) =>
    exports
      .filter(({ name }) => users.get(name) === 1 && !path.includes('.generated.'))
      .map(({ name, line }) => `${path}:${line} exports ${name}, which no other file uses`),
  )
}

function checkCycles(files: SourceFile[], resolve: Resolver): string[] {
  const edges = new Map(
    files.map(({ path, imports }) => {
      const targets = imports.map(({ specifier }) => resolve(path, specifier))
      return [path, targets.flatMap((target) => ('path' in target ? [target.path] : []))]
    }),
  )
  return findCycles(edges).map(
    (cycle) =>
      `${cycle.join(' → ')}: files import each other in a circle; move what they share, a type too, to the smaller of them or to a third`,
  )
}

/** Checks that the nouns of each side are layered: none imports, even indirectly, one that imports it. */
function checkNounCycles(files: SourceFile[], resolve: Resolver): string[] {
  const edges = new Map<string, Map<string, string>>()
  for (const { path, imports } of files) {
    const from = nounOf(path)
    if (from === undefined || /\.test\.tsx?$/.test(path)) continue
    const side = workspaceOf(path)
    for (const { specifier } of imports) {
      const target = resolve(path, specifier)
      if (!('path' in target) || workspaceOf(target.path) !== side) continue
      const to = nounOf(target.path)
      if (to === undefined || to === from) continue
      const targets = edges.get(`${side} ${from}`) ?? new Map<string, string>()
      if (!targets.has(`${side} ${to}`)) targets.set(`${side} ${to}`, `${path} imports ${specifier}`)
      edges.set(`${side} ${from}`, targets)
    }
  }
  const cycles = findCycles(new Map([...edges].map(([noun, targets]) => [noun, [...targets.keys()]])))
  return cycles.map((cycle) => {
    const imports = cycle.slice(1).map((noun, index) => edges.get(cycle[index] ?? '')?.get(noun))
    return `${cycle.join(' → ')}: nouns import each other in a circle (${imports.join('; ')}); what is asked belongs to the lower one, or the call is served by the upper one`
  })
}

if (import.meta.main) {
  const breaches = checkImports(join(import.meta.dirname, '..'))
  for (const breach of breaches) console.log(breach)
  console.log(
    breaches.length === 0
      ? 'every import keeps to the rules'
      : `${breaches.length} breaches of the import rules`,
  )
  process.exitCode = breaches.length === 0 ? 0 : 1
}

/**
 * Finds cycles among files: for each group of files that reach each other, one path around, ending with its first file.
 */
function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = []
  const visited = new Set<string>()
  const visit = (file: string, way: string[]): void => {
    const start = way.indexOf(file)
    if (start >= 0) cycles.push([...way.slice(start), file])
    if (start >= 0 || visited.has(file)) return
    for (const next of edges.get(file) ?? []) visit(next, [...way, file])
    visited.add(file)
  }
  for (const file of edges.keys()) visit(file, [])
  return cycles
}
