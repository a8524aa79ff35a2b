import { messages } from '@podium/contract/messages'
import * as calls from '@podium/contract/schools/calls-mailings'
import {
  renewSchoolLink,
  revokeSchoolLink,
  schoolLetter,
  showSchoolCode,
} from '@podium/contract/schools/calls-record'
import { istDay } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit, auditRead } from '#platform/audit'
import { officerScope } from '#platform/auth/job-requesters'
import type { OfficeScope } from '#platform/auth/scope'
import { sealBytes, unsealBytes } from '#platform/auth/secrets'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { dropDayOld, readStored, safeName, storeFile } from '#platform/files/files'
import { joinedSize, zip, zipStream } from '#platform/files/zip'
import { letterhead } from '#platform/foundation'
import { command, serve, write } from '#platform/http/http'
import {
  cancelJob,
  type Job,
  type JobContext,
  type JobHandlers,
  jobOfKind,
  type RunContext,
  readJob,
} from '#platform/jobs/jobs'
import * as commands from './commands.ts'
import { letterName, lettersPdf } from './documents.ts'
import * as queries from './queries.ts'

const zipName = (job: Job) => `Letters ${istDay(job.createdAt)}.zip`

const piecesOf = (job: Job) =>
  queries
    .letterProgress(job)
    .pieces.map((piece, index) => ({ ...piece, piece: index + 1 }))
    .filter(({ fileId }) => fileId !== '')

/** The files to download: finished PDFs and, after a successful job, all of them in one. */
function filesOf(job: Job, now: Date): calls.LetterRun['files'] {
  if (queries.availableUntil(job.createdAt) < now) return []
  const ready = piecesOf(job)
  const files = ready.map(({ fileId: _, ...file }) => file)
  if (job.state !== 'done' || ready.length < 2) return files
  const schools = ready.reduce((sum, item) => sum + item.schools, 0)
  const sizes = ready.map(({ name, bytes }) => zip([{ name, content: Buffer.alloc(0) }]).length + bytes)
  return [{ piece: 0, name: zipName(job), schools, bytes: joinedSize(sizes) }, ...files]
}

function runAnswer(job: Job, by: string, now: Date): calls.LetterRun {
  const { id: jobId, state, done, total, error } = job
  const { made, renewed, left } = queries.letterProgress(job)
  return {
    ...{ jobId, state, done, total, error, by, made, renewed, left },
    language: queries.languagesOf(job),
    codes: queries.codesOf(job),
    at: job.createdAt.toISOString(),
    until: queries.availableUntil(job.createdAt).toISOString(),
    files: filesOf(job, now),
  }
}

/** Routes for invitation letters to many schools: preview, print job, download. */
export function schoolLetterRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files, keys } = deps

  serve(app, deps, calls.letterPlan, 'office:schools.codes', ({ scope, query, now }) =>
    queries.lettersPlan(db, scope, now, query),
  )

  write(app, deps, calls.startLetters, 'office:schools.codes', async (tx, { scope, body, now }) => {
    const { language, codes, schools, ...choice } = body
    const jobId = await commands.startLetters(tx, scope, now, { choice, language, codes, schools })
    await notifyOfExport(tx, scope, now, 'letters with the access codes of schools', schools)
    return { jobId }
  })

  serve(app, deps, calls.letterRuns, 'office:schools.codes', async ({ scope, now }) => {
    const data: calls.LetterRun[] = []
    for (const { id, by } of await queries.letterJobs(db, scope)) {
      const job = await readJob(db, id)
      if (job) data.push(runAnswer(job, by, now))
    }
    return { data }
  })

  write(app, deps, calls.cancelLetters, 'office:schools.codes', async (tx, { scope, body, now }) => {
    const { id } = await jobOfKind(tx, queries.lettersKind, body.jobId)
    if (await cancelJob(tx, now, id))
      await audit(tx, now, scope, 'schools.letters_stopped', { kind: 'schools', id })
    return { message: messages.saved }
  })

  const contentOf = async ({ fileId }: queries.Piece) => {
    const { content } = orNotFound(await readStored(db, files, fileId, { kind: queries.lettersKind }))
    return unsealBytes(keys, content)
  }

  /** All PDFs as one archive, with one of them in memory at a time. */
  async function* archives(pieces: readonly queries.Piece[]) {
    for (const piece of pieces) yield zip([{ name: piece.name, content: await contentOf(piece) }])
  }

  async function whole(job: Job) {
    const content = await zipStream(archives(piecesOf(job)))
    return { name: zipName(job), mediaType: 'application/zip', content }
  }

  serve(app, deps, calls.letterFile, 'office:schools.codes', async ({ scope, body, now }) => {
    const job = await jobOfKind(db, queries.lettersKind, body.jobId)
    if (queries.availableUntil(job.createdAt) < now) throw new Refusal('not_found')
    const offered = orNotFound(filesOf(job, now).find(({ piece }) => piece === body.piece))
    const found = piecesOf(job).find(({ piece }) => piece === body.piece)
    const file = found
      ? { name: found.name, mediaType: 'application/pdf', content: await contentOf(found) }
      : await whole(job)
    const change = { file: offered.name, schools: offered.schools }
    await auditRead(db, now, scope, 'schools.letters_fetched', { kind: 'schools', id: job.id }, change)
    return { file }
  })
}

/** Routes for the office to manage a school's link and access code. */
export function schoolLinkRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, settings } = deps

  write(
    app,
    deps,
    showSchoolCode,
    'office:schools.codes',
    (tx, { scope, body, now }) => commands.showCode(tx, scope, now, keys, body),
    { confidential: true },
  )

  write(app, deps, renewSchoolLink, 'office:schools.codes', (tx, { scope, body, now }) =>
    commands.renewSchoolLink(tx, scope, now, keys, body),
  )

  command(app, deps, revokeSchoolLink, 'office:schools.codes', commands.revokeSchoolLink)

  serve(app, deps, schoolLetter, 'office:schools.codes', async ({ scope, body, now }) => {
    const { school, code, linkId } = await db
      .transaction()
      .execute((tx) => commands.prepareLetter(tx, scope, now, keys, body))
    const content = await lettersPdf([{ school, code, linkId }], {
      foundation: await letterhead(db, deps.files),
      publicUrl: settings.publicUrl,
      languages: [body.language],
      createdAt: now,
    })
    return { file: { name: letterName(school.code), mediaType: 'application/pdf', content } }
  })
}

type Parts = Pick<Deps, 'files' | 'keys' | 'settings'>

/** Jobs that print invitation letters for many schools. */
export function accountJobs(parts: Parts): JobHandlers {
  return { [queries.lettersKind]: (job, context) => print(parts, job, context) }
}

/** Schools locked at a time. */
const atOnce = 50

async function print(parts: Parts, job: Job, context: RunContext) {
  const { db, clock, progress, checkpoint } = context
  await dropDayOld(db, parts.files, queries.lettersKind, clock())
  const scope = officerScope(context)
  const ids = job.input.ids as number[]
  const done = queries.letterProgress(job)
  for (let piece = done.pieces.length; piece * calls.lettersPerPdf < ids.length; piece++) {
    const before = piece * calls.lettersPerPdf
    const some = ids.slice(before, before + calls.lettersPerPdf)
    await progress(before, ids.length)
    await printPiece(parts, { job, context, scope, ids: some, piece, done })
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
  /** Index of the PDF among those of the job */
  piece: number
  done: queries.LetterProgress
}

/** Prepares, draws and stores one PDF. After a restart, codes already created are not renewed. */
async function printPiece({ files, keys, settings }: Parts, work: Work): Promise<void> {
  const { job, context, scope, ids, piece, done } = work
  const { db, clock } = context
  const language = queries.languagesOf(job)
  const letters: commands.PreparedLetter[] = []
  for (let from = 0; from < ids.length; from += atOnce) {
    const preparing = {
      ids: ids.slice(from, from + atOnce),
      codes: queries.codesOf(job),
      startedAt: job.createdAt,
    }
    const some = await db
      .transaction()
      .execute((tx) => commands.prepareLetters(tx, scope, clock(), keys, preparing))
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
  const place = (item: commands.PreparedLetter | undefined) =>
    item ? `${item.school.state} ${item.school.pin_code}` : ''
  const file = safeName(queries.pieceName(piece + 1, place(letters[0]), place(letters.at(-1))))
  const content = sealBytes(keys, bytes)
  const fileId = await db.transaction().execute(async (tx) => {
    await commands.logPrinted(
      tx,
      scope,
      clock(),
      letters.map(({ school }) => school),
      language,
    )
    const zipFile = {
      kind: queries.lettersKind,
      name: file,
      mediaType: 'application/octet-stream',
      bytes: content,
    }
    return storeFile(tx, files, clock(), { ...zipFile, createdBy: scope.staffId })
  })
  done.pieces.push({ name: file, fileId, schools: letters.length, bytes: bytes.length })
}
