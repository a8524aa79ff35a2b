// npm test [-- part …]: runs the parts that were named (lint, types, imports, size, build, specification, bytes, unit, embedded,
// postgres, browser; `check` is all that needs no test file), or all of them in order.
import { type Part, parts } from './test-parts.ts'
import type { Counts } from './test-reporter.ts'

let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (interrupted = true))

function chosen(words: string[]): Part[] {
  const known = new Set(parts.flatMap(({ name, groups }) => [name, ...groups]))
  const unknown = words.filter((word) => !known.has(word))
  if (unknown.length > 0) {
    console.error(`no such part: ${unknown.join(', ')}. There are: ${[...known].join(', ')}`)
    process.exit(2)
  }
  if (words.length === 0) return [...parts]
  return parts.filter(({ name, groups }) => [name, ...groups].some((word) => words.includes(word)))
}

async function runPart(part: Part): Promise<Counts> {
  console.log(`\n── ${part.heading}`)
  const started = performance.now()
  const counts = await part.run().catch((error: Error): Counts => {
    console.log(error.message)
    return { passed: 0, failed: 1, skipped: 0 }
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`── ${part.heading}: ${counts.failed > 0 ? 'FAILED' : 'passed'} in ${seconds} s`)
  return counts
}

const results: [Part, Counts][] = []
for (const part of chosen(process.argv.slice(2))) {
  results.push([part, await runPart(part)])
  if (interrupted) process.exit(130)
}

const sum = (of: keyof Counts) => results.reduce((total, [, counts]) => total + counts[of], 0)
console.log()
for (const [{ heading }, counts] of results) {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  console.log(
    `${counts.failed > 0 ? '✖' : '✔'} ${heading}: ${counts.passed} passed, ${counts.failed} failed${skipped}`,
  )
}
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`)
process.exit(sum('failed') > 0 ? 1 : 0)
