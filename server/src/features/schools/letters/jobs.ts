import { lettersOfPiece } from '@podium/contract/schools/calls-mailings'
import { officerBehind } from '#platform/auth/job-askers'
import type { OfficeScope } from '#platform/auth/scope'
import { sealBytes } from '#platform/auth/secrets'
import type { Deps } from '#platform/deps'
import { dropDayOld, safeName, storeFile } from '#platform/files/files'
import { letterhead } from '#platform/foundation'
import type { Job, JobContext, JobHandlers, RunContext } from '#platform/jobs/jobs'
import { type Prepared, prepareLetters, tellPrinted } from './commands.ts'
import { lettersPdf } from './documents.ts'
import { codesOf, type LettersDone, languagesOf, lettersDone, lettersKind, pieceName } from './queries.ts'

type Parts = Pick<Deps, 'files' | 'keys' | 'settings'>

/** The long work of accounts: letters of invitation for many schools. */
export function accountJobs(parts: Parts): JobHandlers {
  return { [lettersKind]: (job, context) => print(parts, job, context) }
}

/** So many schools are locked at a time. */
const atOnce = 50

async function print(parts: Parts, job: Job, context: RunContext) {
  const { db, clock, progress, checkpoint } = context
  await dropDayOld(db, parts.files, lettersKind, clock())
  const scope = officerBehind(context)
  const ids = job.input.ids as number[]
  const done = lettersDone(job)
  for (let at = done.pieces.length; at * lettersOfPiece < ids.length; at++) {
    const before = at * lettersOfPiece
    const some = ids.slice(before, before + lettersOfPiece)
    await progress(before, ids.length)
    await printPiece(parts, { job, context, scope, ids: some, at, done })
    await checkpoint({ ...done })
    await progress(before + some.length, ids.length)
  }
  return { ...done }
}

interface Work {
  job: Job
  context: JobContext
  scope: OfficeScope
  ids: readonly number[]
  at: number
  done: LettersDone
}

/** Prepares, draws and keeps one PDF. Started again it makes no code anew that it has made already. */
async function printPiece({ files, keys, settings }: Parts, work: Work): Promise<void> {
  const { job, context, scope, ids, at, done } = work
  const { db, clock } = context
  const language = languagesOf(job)
  const letters: Prepared[] = []
  for (let from = 0; from < ids.length; from += atOnce) {
    const preparing = { ids: ids.slice(from, from + atOnce), codes: codesOf(job), startedAt: job.createdAt }
    const some = await db.transaction().execute((tx) => prepareLetters(tx, scope, clock(), keys, preparing))
    letters.push(...some.prepared)
    done.made += some.made
    done.renewed += some.renewed
    done.left += some.left
  }
  if (letters.length === 0) {
    done.pieces.push({ name: '', fileId: '', schools: 0, bytes: 0 })
    return
  }
  const bytes = await lettersPdf(letters, {
    foundation: await letterhead(db, files),
    publicUrl: settings.publicUrl,
    languages: language === 'both' ? ['en', 'hi'] : [language],
    createdAt: clock(),
  })
  const place = (one: Prepared | undefined) => (one ? `${one.school.state} ${one.school.pin_code}` : '')
  const file = safeName(pieceName(at + 1, place(letters[0]), place(letters.at(-1))))
  const content = sealBytes(keys, bytes)
  const fileId = await db.transaction().execute(async (tx) => {
    await tellPrinted(
      tx,
      scope,
      clock(),
      letters.map(({ school }) => school),
      language,
    )
    const kept = { kind: lettersKind, name: file, mediaType: 'application/octet-stream', bytes: content }
    return storeFile(tx, files, clock(), { ...kept, createdBy: scope.staffId })
  })
  done.pieces.push({ name: file, fileId, schools: letters.length, bytes: bytes.length })
}
