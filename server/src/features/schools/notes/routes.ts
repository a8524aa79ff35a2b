import * as calls from '@podium/contract/schools/calls-record'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { addedRow, changeRows } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { notFound, Refusal } from '#platform/errors'
import { command, serve, write } from '#platform/http/http'
import { schoolRecord } from '../register/queries-years.ts'
import { notesOf } from './queries.ts'

interface NoteInput {
  kind: calls.NoteKind
  body: string
  /** Empty: no follow-up */
  followUp: string
}

interface NoteVersion {
  noteId: number
  version: number
}

/** Adds a note. Its text is not in the audit line, so that it is deleted with the note. Refuses a merged school. */
async function addNote(tx: Tx, scope: OfficeScope, now: Date, note: NoteInput & { id: number }) {
  const school = await tx
    .selectFrom('schools')
    .select('merged_into')
    .where('id', '=', note.id)
    .forShare()
    .executeTakeFirstOrThrow(notFound)
  if (school.merged_into !== null) throw new Refusal('schools.merged')
  const { id } = await addedRow(tx, 'school_notes', ['id'], {
    school_id: note.id,
    kind: note.kind,
    body: note.body,
    follow_up: note.followUp === '' ? null : note.followUp,
    written_by: scope.staffId,
    written_at: now,
  })
  const change = { kind: note.kind, followUp: note.followUp }
  await audit(tx, now, scope, 'note.added', { kind: 'note', id, schoolId: note.id }, { to: change })
  return { noteId: id }
}

async function lockNote(tx: Tx, { noteId, version }: NoteVersion) {
  const note = await tx
    .selectFrom('school_notes')
    .select(['school_id', 'kind', 'body', 'written_by', 'followed_up_at', 'version'])
    .select(sql<string>`coalesce(follow_up::text, '')`.as('followUp'))
    .where('id', '=', noteId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  if (note.version !== version) throw new Refusal('changed_meanwhile')
  return { ...note, subject: { kind: 'note', id: noteId, schoolId: note.school_id } }
}

async function lockOwn(tx: Tx, scope: OfficeScope, seen: NoteVersion) {
  const note = await lockNote(tx, seen)
  if (note.written_by !== scope.staffId) throw new Refusal('notes.not_own')
  return note
}

/** Changes one of the caller's notes. A new follow-up date reopens a completed follow-up. */
async function changeNote(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  note: NoteInput & NoteVersion,
): Promise<void> {
  const before = await lockOwn(tx, scope, note)
  const { kind, body, followUp } = note
  const otherDay = followUp !== before.followUp
  if (!otherDay && kind === before.kind && body === before.body) return
  await changeRows(tx, 'school_notes', {
    where: { id: note.noteId },
    set: {
      kind,
      body,
      follow_up: followUp === '' ? null : followUp,
      ...(otherDay ? { followed_up_at: null, followed_up_by: null } : {}),
      changed_at: now,
      version: before.version + 1,
    },
  })
  const change = { from: { kind: before.kind, followUp: before.followUp }, to: { kind, followUp } }
  await audit(tx, now, scope, 'note.changed', before.subject, change)
}

/** Deletes one of the caller's notes. */
async function deleteNote(tx: Tx, scope: OfficeScope, now: Date, seen: NoteVersion): Promise<void> {
  const { kind, followUp, subject } = await lockOwn(tx, scope, seen)
  await tx.deleteFrom('school_notes').where('id', '=', seen.noteId).execute()
  await audit(tx, now, scope, 'note.deleted', subject, { from: { kind, followUp } })
}

/** Marks a follow-up as done or open, whoever wrote the note. */
async function followUp(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  seen: NoteVersion & { done: boolean },
): Promise<void> {
  const note = await lockNote(tx, seen)
  if (note.followUp === '') throw new Refusal('notes.no_follow_up')
  if ((note.followed_up_at !== null) === seen.done) return
  await changeRows(tx, 'school_notes', {
    where: { id: seen.noteId },
    set: {
      followed_up_at: seen.done ? now : null,
      followed_up_by: seen.done ? scope.staffId : null,
      version: note.version + 1,
    },
  })
  const action = seen.done ? 'note.followed_up' : 'note.follow_up_reopened'
  await audit(tx, now, scope, action, note.subject, { day: note.followUp })
}

/** Routes for the office's notes and follow-ups on schools. */
export function schoolNoteRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.schoolNotes, 'office:schools.read', async ({ scope, query, now }) => {
    await schoolRecord(db, scope, query.id)
    return notesOf(db, scope, now, query)
  })

  write(app, deps, calls.addSchoolNote, 'office:schools.notes', (tx, { scope, body, now }) =>
    addNote(tx, scope, now, body),
  )

  command(app, deps, calls.changeSchoolNote, 'office:schools.notes', changeNote)
  command(app, deps, calls.deleteSchoolNote, 'office:schools.notes', deleteNote)
  command(app, deps, calls.setFollowedUp, 'office:schools.notes', followUp)
}
