import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** The result for test.ts: the counts of a whole run of Node's test runner, as one line of JSON. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Each failed test with its place and reason, for the end of the output */
  failures?: string[]
}

/** A reporter for `node --test` that only outputs the final counts. Counts tests, not suites. */
export default async function* countsOnly(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: string[] = []
  for await (const event of events) {
    if (event.type === 'test:fail') {
      const { name, file, line, details } = event.data
      const { failureType, message } = details.error as Error & { failureType?: string }
      // The failure of a suite adds nothing to that of its test.
      if (failureType !== 'subtestsFailed')
        failures.push(`${name}\n${relative(process.cwd(), file ?? '')}:${line}\n${message}`)
    }
    // The summary of a single file has a name; the one without is that of the run.
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue
    const { tests, passed, skipped, todo } = event.data.counts
    const failed = tests - passed - skipped - todo
    const counts: Counts = { passed, failed, skipped: skipped + todo, failures }
    yield `${JSON.stringify(counts)}\n`
  }
}
