import {
  addSchoolNote,
  changeSchoolNote,
  deleteSchoolNote,
  schoolNotes,
  setFollowedUp,
} from '@podium/contract/schools/calls-notes'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
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

  serve(app, deps, addSchoolNote, 'office:schools.notes', ({ scope, body, now, request }) =>
    db
      .transaction()
      .execute((tx) =>
        once(tx, now, `office:${scope.staffId}`, request.idempotencyKey, body, () =>
          addNote(tx, scope, now, body),
        ),
      ),
  )

  serve(app, deps, changeSchoolNote, 'office:schools.notes', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => changeNote(tx, scope, now, body))
    return {}
  })

  serve(app, deps, deleteSchoolNote, 'office:schools.notes', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => deleteNote(tx, scope, now, body))
    return {}
  })

  serve(app, deps, setFollowedUp, 'office:schools.notes', async ({ scope, body, now }) => {
    await db.transaction().execute((tx) => followUp(tx, scope, now, body))
    return {}
  })
}
