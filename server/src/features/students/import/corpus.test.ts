import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { importStudents } from '@podium/contract/students/calls-import'
import type { ImportPreview } from '@podium/contract/students/calls-import-preview'
import { aDay, thisSeason } from '#test/factories'
import { type TestServer, testServer } from '#test/server'
import { aTeacherInSeason } from '#test/students-factories'
import { sheetFiles } from '../../../../../e2e/fixtures/sheets.ts'
import type { Outcome, SheetFile } from '../../../../../e2e/fixtures/sheets-table.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const mebibyte = 1024 * 1024
const largeBytes = 10_000

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

function outcomeOf(expected: Exclude<Outcome, { refused: string }>, found: ImportPreview): Outcome {
  const { field, suggestions } = found.errors[0] ?? { field: '', suggestions: [] }
  const meant = suggestions[0]
  return {
    good: found.goodCount,
    ...(found.badCount > 0 ? { bad: found.badCount } : {}),
    ...(found.askedCount > 0 ? { asked: found.askedCount } : {}),
    ...(expected.fault ? { fault: meant === undefined ? [field] : [field, meant] } : {}),
    ...(expected.name ? { name: found.sample[0]?.studentName ?? '' } : {}),
  }
}

async function sent(token: string, { fileName, outcome }: SheetFile, bytes: Buffer): Promise<Outcome> {
  const file = { name: fileName, bytes: new Uint8Array(bytes) }
  const { status, body } = await server.call(
    importStudents,
    { query: { FYear: thisSeason } },
    { token, file },
  )
  if (status !== 200) return { refused: body.code ?? String(status) }
  return 'refused' in outcome ? { good: body.goodCount } : outcomeOf(outcome, body)
}

/** Between the files of one school, as people send them: two schools at a time. */
async function sentAll(files: readonly SheetFile[]): Promise<{ outcomes: Outcome[]; most: number }> {
  const outcomes: Outcome[] = []
  const teachers = [await aTeacherInSeason(), await aTeacherInSeason()]
  let next = 0
  let most = 0
  await Promise.all(
    teachers.map(async ({ token }) => {
      for (let at = next++; at < files.length; at = next++) {
        const file = files[at]
        if (!file) continue
        const bytes = file.bytes()
        outcomes[at] = await sent(token, file, bytes)
        most = Math.max(most, process.memoryUsage.rss())
        // What making a large file has left is the test's own; a collection takes as long as the import of a small one.
        if (bytes.length > largeBytes) collectGarbage()
      }
    }),
  )
  return { outcomes, most }
}

test('every file of the corpus comes out as it should; the server goes on and its memory stays small', async () => {
  assert.ok(sheetFiles.length >= 60, `${sheetFiles.length} files`)
  const before = process.memoryUsage.rss()
  const { outcomes, most } = await sentAll(sheetFiles)
  const otherwise = sheetFiles.flatMap(({ about, outcome }, at) =>
    isDeepStrictEqual(outcomes[at], outcome) ? [] : [{ about, expected: outcome, found: outcomes[at] }],
  )
  assert.deepEqual(otherwise, [])
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
  // A file that is unpacked whole takes gigabytes; bench/import.ts has the figure of an honest one.
  assert.ok(most - before < 512 * mebibyte, `grown by ${Math.round((most - before) / mebibyte)} MB`)
})
