import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourcePaths } from './source-files.ts'

/**
 * The budget: files of a size that a person reads at one go. The hard limits count every line; the median and the 90th
 * percentile count lines of code, without blank lines, comments and imports (docs/decisions/0007).
 */
const budget = { median: 60, p90: 200, max: 300, test: 500 }

/** Generated files, data of the demo world and word lists are not read from top to bottom. */
const apart = [/\.generated\./, /^server\/seed\/data/, /\/language\//, /words[\w-]*\.(en|hi)\.ts$/]

/** How many lines of a text are code. */
export function codeLines(text: string): number {
  const bare = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*(?:\/\/|--).*$/gm, '')
    .replace(/^import\b[^'"]*['"][^'"]*['"];?$/gm, '')
  return bare.split('\n').filter((line) => line.trim() !== '').length
}

export interface Sizes {
  median: number
  p90: number
  breaches: string[]
}

/** Measures every source file below `root` against the budget. */
export function checkSize(root: string): Sizes {
  const files = sourcePaths(root)
    .filter((path) => !apart.some((pattern) => pattern.test(path)))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, lines: text.trimEnd().split('\n').length, code: codeLines(text) }
    })
  const isTest = (path: string) => path.includes('.test.')
  const sources = files.filter(({ path }) => !isTest(path))
  const sorted = sources.map(({ code }) => code).sort((a, b) => a - b)
  const share = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0
  const [median, p90] = [share(0.5), share(0.9)]
  const breaches = files.flatMap(({ path, lines }) => {
    const limit = isTest(path) ? budget.test : budget.max
    return lines > limit ? [`${path} has ${lines} lines, ${limit} are allowed: split it by what it does`] : []
  })
  if (median > budget.median)
    breaches.push(`the median file has ${median} lines of code, ${budget.median} are allowed`)
  if (p90 > budget.p90)
    breaches.push(`the 90th percentile is ${p90} lines of code, ${budget.p90} are allowed`)
  return { median, p90, breaches }
}

if (import.meta.main) {
  const { median, p90, breaches } = checkSize(join(import.meta.dirname, '..'))
  for (const breach of breaches) console.log(breach)
  console.log(
    `lines of code of a file: median ${median} of ${budget.median}, 90th percentile ${p90} of ${budget.p90}`,
  )
  process.exitCode = breaches.length === 0 ? 0 : 1
}
