import {
  addSchoolNote,
  changeSchoolNote,
  deleteSchoolNote,
  schoolNotes,
  setFollowedUp,
} from '@podium/contract/schools/calls-notes'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import { schoolRecord } from '../register/queries-years.ts'
import { addNote, changeNote, deleteNote, followUp } from './commands.ts'
import { notesOf } from './queries.ts'

/** What the office notes on schools, and what it follows up. */
export function schoolNoteRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, schoolNotes, 'office:schools.read', async ({ scope, query, now }) => {
    await schoolRecord(db, scope, query.id)
    return notesOf(db, scope, now, query)
  })

  write(app, deps, addSchoolNote, 'office:schools.notes', (tx, { scope, body, now, request }) =>
    once(tx, now, `office:${scope.staffId}`, request.idempotencyKey, body, () =>
      addNote(tx, scope, now, body),
    ),
  )

  write(app, deps, changeSchoolNote, 'office:schools.notes', (tx, { scope, body, now }) =>
    changeNote(tx, scope, now, body),
  )

  write(app, deps, deleteSchoolNote, 'office:schools.notes', (tx, { scope, body, now }) =>
    deleteNote(tx, scope, now, body),
  )

  write(app, deps, setFollowedUp, 'office:schools.notes', (tx, { scope, body, now }) =>
    followUp(tx, scope, now, body),
  )
}
