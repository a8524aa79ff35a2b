import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import { type CallResult, reachAll } from '#test/fuzz/reach'
import { recipes, unreached } from '#test/fuzz/recipes'
import { type Finding, goWild } from '#test/fuzz/wild'
import { aWorldToFuzz, foreignMark, type World } from '#test/fuzz/world'

/** Every call of the contract, with right and wrong input, by every caller (docs/fuzzer.md). */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121)
const calls = Number(process.env.FUZZ_CALLS ?? 6_000)

let world: World
let reached: CallResult[]
before(async () => {
  world = await aWorldToFuzz()
  reached = await reachAll(world)
})

test('every call succeeds with valid input, and one that does not is named', () => {
  const names = new Set(reached.map(({ name }) => name))
  const failed = reached.filter(({ name, succeeded }) => !succeeded && !Object.hasOwn(unreached, name))
  assert.deepEqual(
    failed.map(({ name, detail }) => `${name} reaches no success, give it a recipe: ${detail}`),
    [],
  )
  const stale = [...Object.keys(recipes), ...Object.keys(unreached)].filter((name) => !names.has(name))
  assert.deepEqual(stale, [], 'recipes of calls that no longer exist')
  const reachedAfterAll = reached.filter(({ name, succeeded }) => succeeded && Object.hasOwn(unreached, name))
  assert.deepEqual(
    reachedAfterAll.map(({ name }) => name),
    [],
    'listed as unreached, but reached',
  )
  assert.deepEqual(world.takeFaults(), [])
})

/** Lists the findings, once per call and kind of error, with the request to reproduce each. */
function report(findings: readonly Finding[]): string[] {
  const kinds = Map.groupBy(findings, ({ name, faults, logged }) =>
    [name, faults[0]?.slice(0, 30), logged[0]?.err?.where?.[0]].join(' '),
  )
  return [...kinds.values()].flatMap(([first, ...repeats]) =>
    first ? [`${JSON.stringify(first, null, 1)} and ${repeats.length} more`] : [],
  )
}

test(`${calls} calls with wrong and extreme input get a proper answer: no crash, no internals, no other school's data`, {}, async (step) => {
  const statuses = new Map<number, number>()
  let marked = 0
  const findings = await goWild(world, reached, {
    seed,
    calls,
    heard({ status, text }) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (text.includes(foreignMark)) marked += 1
    },
  })
  const counted = [...statuses].sort().map(([status, count]) => `${status}: ${count}`)
  step.diagnostic(`FUZZ_SEED=${seed}, answers by status: ${counted.join(', ')}`)
  assert.deepEqual(report(findings), [], `FUZZ_SEED=${seed}`)
  // Enough calls must succeed, and show school B to permitted callers, for the rest to mean anything.
  assert.ok((statuses.get(200) ?? 0) > calls / 10, 'too few calls succeed')
  assert.ok(marked > calls / 400, `only ${marked} answers are about school B`)
})

test('the background jobs started on the way end without a crash', async () => {
  await world.server.drain()
  const { rows } = await sql<{ kind: string }>`
    select kind from jobs
    where state = 'failed' and error = ${sentences.jobFailed}`.execute(world.server.deps.db)
  assert.deepEqual(rows, [])
  assert.deepEqual(world.takeFaults(), [])
})
