import { join } from 'node:path'
import { findCycles } from './import-cycles.ts'
import { kinds, nounOf, nouns, placeOf, type Resolver, resolver } from './import-places.ts'
import { verdict } from './import-rules.ts'
import { readSource, type SourceFile, sourcePaths } from './source-files.ts'

/**
 * Looks at every source file below `root` and returns one sentence for each breach of the house's rules: who may
 * import whom, which files a feature may have, no cycles, one reader of the environment, the clock as a parameter.
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
  return [...perFile, ...checkCycles(files, resolve)]
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

/** Of the contract: the file of a noun that server and web meet in. */
const contractFile =
  /^contract\/src\/[^/]+\/(calls|schemas|rules|errors|messages|words|paths)(-[a-z0-9-]+)?(\.en|\.test)?\.ts$/

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
