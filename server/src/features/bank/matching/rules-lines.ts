import { Attempt } from './rules.ts'
import { type BankLine, type Found, type Match, Pointers, type World } from './rules-candidates.ts'

/**
 * What each line of money is for. Pure: the same lines and the same world give the same matches, whatever the order of
 * the lines. No item is given to two lines. Made in steps: each `yield` is a place to pause, for a large statement takes
 * longer than others may wait. docs/algorithms/bank-lines.md
 */
export function* matching(
  lines: readonly BankLine[],
  world: World,
): Generator<undefined, Map<number, Match>> {
  const pointers = yield* Pointers.of(world)
  const inOrder = [...lines].sort((one, other) =>
    one.day === other.day ? one.id - other.id : one.day < other.day ? -1 : 1,
  )
  const found: { line: BankLine; its: Found }[] = []
  for (const line of inOrder) {
    found.push({ line, its: pointers.find(line) })
    yield
  }
  const matches = new Map<number, Match>()
  const taken = new Map<string, number>()
  const credits = new Map(world.credits)
  // What is certain first: a line that only seems to fit never takes an item from one that names it.
  for (const wanted of ['exact', 'already', 'likely', 'duplicate', 'unknown'] as const) {
    for (const { line, its } of found) {
      if (matches.has(line.id)) continue
      const match = new Attempt(line, world, taken, credits, its).run()
      yield
      if (match.state !== wanted && wanted !== 'unknown') continue
      // A proposal that became possible only now is still the best there is.
      matches.set(line.id, match)
      for (const { key } of match.parts) taken.set(key, line.id)
      const { schoolId, creditUsed } = match
      if (schoolId !== null && creditUsed > 0)
        credits.set(schoolId, (credits.get(schoolId) ?? 0) - creditUsed)
    }
  }
  return matches
}

/** The same without a pause. */
export function matchLines(lines: readonly BankLine[], world: World): Map<number, Match> {
  const steps = matching(lines, world)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
