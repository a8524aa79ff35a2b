import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** An import in a file, also of a type, with its line. */
export interface Import {
  specifier: string
  line: number
}

/** A source file as the checks see it: path from the root with forward slashes. */
export interface SourceFile {
  path: string
  lines: number
  imports: Import[]
  /** Names that the file exports where it declares them, with their lines. */
  exports: { name: string; line: number }[]
  /** Every word in the file, also in texts and comments. */
  words: Set<string>
  /** Lines on which the file reads `process.env`. */
  environment: number[]
  /** Lines on which it reads the current time: `new Date()` or `Date.now()`. */
  clock: number[]
}

const places = [
  'contract/src',
  'server/src',
  'server/seed',
  'server/test',
  'web/src',
  'e2e',
  'bench',
  'scripts',
]

/** Returns the paths of all TypeScript sources in the repository, including tests. */
export function sourcePaths(root: string): string[] {
  const patterns = places.map((place) => `${place}/**/*.{ts,tsx}`)
  return globSync(patterns, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/') && !path.endsWith('.d.ts'))
    .sort()
}

const wordsOf = (text: string) => new Set(text.match(/[\w$]+/g))

/** Returns the words of programs that are not sources: what starts the portal, and the build of the web. */
export const wordsOfPrograms = (root: string): Set<string>[] =>
  globSync(['{server/src,scripts}/**/*.mjs', 'web/*.ts'], { cwd: root }).map((path) =>
    wordsOf(readFileSync(join(root, path), 'utf8')),
  )

/** Parses a file. Throws with the path if it is not TypeScript. */
export function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const words = wordsOf(text)
  const file: SourceFile = {
    ...{ path, lines: countLines(text), words },
    ...{ imports: [], exports: [], environment: [], clock: [] },
  }
  const lineAt = (offset: number) => countLines(text.slice(0, offset + 1))
  let program: unknown
  try {
    program = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path)
  } catch (error) {
    throw new Error(`${path} can't be parsed: ${error instanceof Error ? error.message : error}`)
  }
  walk(program, (node) => note(file, node, lineAt))
  return file
}

function countLines(text: string): number {
  const breaks = text.split('\n').length
  return text.endsWith('\n') ? breaks - 1 : breaks
}

type Node = Record<string, unknown> & { type: string; start: number }

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit)
  else if (isNode(value)) {
    visit(value)
    for (const child of Object.values(value)) if (typeof child === 'object') walk(child, visit)
  }
}

const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

function note(file: SourceFile, node: Node, lineAt: (offset: number) => number): void {
  if (importing.has(node.type) && isNode(node.source) && typeof node.source.value === 'string') {
    file.imports.push({ specifier: node.source.value, line: lineAt(node.start) })
  }
  if (node.type === 'ExportNamedDeclaration' && isNode(node.declaration))
    for (const name of declaredNames(node.declaration)) file.exports.push({ name, line: lineAt(node.start) })
  if (isMember(node, 'process', 'env')) file.environment.push(lineAt(node.start))
  const asksTime =
    (node.type === 'NewExpression' && isNamed(node.callee, 'Date') && isEmpty(node.arguments)) ||
    (node.type === 'CallExpression' && isMember(node.callee, 'Date', 'now'))
  if (asksTime) file.clock.push(lineAt(node.start))
}

/** Returns the names that `const a = …, b = …`, a function, class or type declares. */
function declaredNames({ id, declarations = [{ id }] }: Node): string[] {
  return (declarations as { id: unknown }[]).flatMap(({ id }) =>
    isNode(id) && typeof id.name === 'string' ? [id.name] : [],
  )
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0

function isNamed(value: unknown, name: string): boolean {
  return isNode(value) && value.type === 'Identifier' && value.name === name
}

function isMember(value: unknown, object: string, property: string): boolean {
  if (!isNode(value) || value.type !== 'MemberExpression') return false
  return isNamed(value.object, object) && isNamed(value.property, property)
}
