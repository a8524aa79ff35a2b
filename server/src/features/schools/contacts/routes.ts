import { messages } from '@podium/contract/messages'
import {
  getContacts,
  getDesignations,
  getTitles,
  saveContact as save,
  setContactStatus,
} from '@podium/contract/schools/calls-contacts'
import type { FastifyInstance } from 'fastify'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { saveContact, switchContact } from './commands.ts'
import { findContacts, listNames } from './queries.ts'

const wanted = { true: true, false: false, '': undefined }

/** The school's contact persons and the lists they are described by. */
export function contactRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, getDesignations, 'school', async ({ scope }) => ({
    data: await listNames(db, scope, 'designations'),
  }))
  serve(app, deps, getTitles, 'school', async ({ scope }) => ({
    data: await listNames(db, scope, 'titles'),
  }))

  serve(app, deps, getContacts, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return { data: await findContacts(db, scope, query.FYear, wanted[query.status]) }
  })

  write(app, deps, save, 'school', async (tx, { scope, body, now }) => {
    requireOwnSchool(scope, body)
    const contact = { ...body, season: body.fyear }
    const id = await saveContact(tx, scope, now, contact)
    return { id, message: messages.saved }
  })

  write(app, deps, setContactStatus, 'school', async (tx, { scope, body, now }) => {
    await switchContact(tx, scope, now, body)
    return { message: messages.saved }
  })
}
