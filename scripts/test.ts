// npm test [-- part …]: runs the named parts (lint, types, imports, size, build, specification, security, bytes, unit,
// server, world, browser; `check` is everything without test files; or test files by their paths), or all of them, stage
// by stage. The output of parts that run in parallel is held until each has ended.
import { existsSync } from 'node:fs'
import { type Output, type Part, parts, partsOfFiles, type Stage, stages } from './test-parts.ts'
import type { Counts } from './test-reporter.ts'

let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (interrupted = true))

function chooseParts(words: string[]): Part[] {
  const selectors = new Set(parts.flatMap(({ name, groups }) => [name, ...groups]))
  const files = words.filter((word) => word.endsWith('.test.ts') && existsSync(word))
  const unknown = words.filter((word) => !selectors.has(word) && !files.includes(word))
  if (unknown.length > 0) {
    console.error(`no such part or test file: ${unknown.join(', ')}. Parts: ${[...selectors].join(', ')}`)
    process.exit(2)
  }
  if (words.length === 0) return [...parts]
  const named = parts.filter(({ name, groups }) => [name, ...groups].some((word) => words.includes(word)))
  return [...new Set([...named, ...partsOfFiles(files)])]
}

/** Runs a part and prints its output as one block, or immediately if it runs alone. */
async function runPart(part: Part, alone: boolean): Promise<Counts> {
  const chunks: Buffer[] = []
  const output: Output = alone ? undefined : (bytes) => void chunks.push(bytes)
  if (alone) console.log(`\n── ${part.heading}`)
  const started = performance.now()
  const counts = await part.run(output).catch((error: Error): Counts => {
    chunks.push(Buffer.from(`${error.message}\n`))
    return { passed: 0, failed: 1, skipped: 0 }
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (!alone) console.log(`\n── ${part.heading}`)
  process.stdout.write(Buffer.concat(chunks))
  console.log(`── ${part.heading}: ${counts.failed > 0 ? 'FAILED' : 'passed'} in ${seconds} s`)
  return counts
}

async function runStage(group: Part[], atOnce: number): Promise<void> {
  const running = new Map<string, Promise<Counts>>()
  const waiting = [...group]
  if (group.length > 1)
    console.log(`\n── Beside each other: ${group.map(({ heading }) => heading).join(', ')}`)
  async function runNext(): Promise<void> {
    for (let part = waiting.shift(); part && !interrupted; part = waiting.shift()) {
      // The part it waits for comes earlier in the list, so that one has started.
      if (part.after) await running.get(part.after)
      const counts = runPart(part, group.length === 1)
      running.set(part.name, counts)
      results.set(part, await counts)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runNext))
}

const results = new Map<Part, Counts>()
const selected = chooseParts(process.argv.slice(2))
for (const [stage, atOnce] of Object.entries(stages) as [Stage, number][]) {
  await runStage(
    selected.filter((part) => part.stage === stage),
    atOnce,
  )
  if (interrupted) process.exit(130)
}

const counted = selected.flatMap((part) => {
  const counts = results.get(part)
  return counts ? [{ heading: part.heading, counts }] : []
})
const sum = (outcome: 'passed' | 'failed' | 'skipped') =>
  counted.reduce((total, { counts }) => total + counts[outcome], 0)
console.log()
for (const { heading, counts } of counted) {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  console.log(
    `${counts.failed > 0 ? '✖' : '✔'} ${heading}: ${counts.passed} passed, ${counts.failed} failed${skipped}`,
  )
}
for (const { heading, counts } of counted)
  for (const failure of counts.failures ?? []) console.log(`\n✖ ${heading}: ${failure.trim()}`)
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`)
process.exit(sum('failed') > 0 ? 1 : 0)
