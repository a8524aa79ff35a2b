import type { TestEvent } from 'node:test/reporters'

/** Written for test.ts: the counts of a whole run of node's test runner, as one line of JSON. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** A reporter for `node --test` whose only output is the final counts. Suites do not count, tests do. */
export default async function* countsOnly(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    // The summary of a single file carries its name; the one without is that of the run.
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue
    const { tests, passed, skipped, todo } = event.data.counts
    const counts: Counts = { passed, failed: tests - passed - skipped - todo, skipped: skipped + todo }
    yield `${JSON.stringify(counts)}\n`
  }
}
