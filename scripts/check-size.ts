import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourcePaths } from './source-files.ts'

/** The budget: files that a person can read in one go (docs/decisions/0018). */
const budget = { max: 400, test: 600 }

/** Generated files, data of the demo world and word lists are not read from top to bottom. */
const apart = [/\.generated\./, /^server\/seed\/data/, /\/language\//, /words[\w-]*\.(en|hi)\.ts$/]

/** Measures every source file below `root`; returns one sentence for each one over the budget. */
export function checkSize(root: string): string[] {
  const files = sourcePaths(root).filter((path) => !apart.some((pattern) => pattern.test(path)))
  return files.flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length
    const limit = path.includes('.test.') ? budget.test : budget.max
    return lines > limit ? [`${path} has ${lines} lines, ${limit} are allowed: split it by what it does`] : []
  })
}

if (import.meta.main) {
  const breaches = checkSize(join(import.meta.dirname, '..'))
  for (const breach of breaches) console.log(breach)
  process.exitCode = breaches.length === 0 ? 0 : 1
}
