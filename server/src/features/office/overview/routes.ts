import * as calls from '@podium/contract/office/calls-overview'
import type { FastifyInstance } from 'fastify'
import { findAnything } from '#features/office/search/queries'
import { countStale } from '#features/shipping/orders/commands-needs'
import { auditRead } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { type ListColumn, sheetFile, timestampCell } from '#platform/sheets/spreadsheet-write'
import { isStale, planCount, sendReminders } from './commands-figures.ts'
import { allToRemind, lastFigures, schoolsToRemind, waitingFor } from './queries.ts'

/** Amounts in rupees, empty for roles that may not read payments. */
const columns: readonly ListColumn<calls.ReminderRow>[] = [
  { title: 'School code', width: 12, value: (row) => row.schCode },
  { title: 'School', width: 36, value: (row) => row.schName },
  { title: 'City', value: (row) => row.city },
  { title: 'State', value: (row) => row.state },
  { title: 'Next step', width: 20, value: (row) => steps[row.step] },
  { title: 'Until', kind: 'date', value: (row) => row.until },
  { title: 'Days left', kind: 'number', value: (row) => row.daysLeft },
  { title: 'Students', kind: 'number', value: (row) => row.students },
  { title: 'Fees due', kind: 'money', value: (row) => row.due },
  { title: 'Accounts', kind: 'number', value: (row) => row.people },
  { title: 'Last reminder', width: 18, value: (row) => timestampCell(row.lastReminder?.at ?? null) },
  { title: 'Last reminded by', width: 24, value: (row) => row.lastReminder?.by ?? '' },
]

const steps = { enrol: 'Enter students', pay: 'Pay', 'choose-dates': 'Choose exam dates' } as const

/** Routes for the office's overview (open work, season progress, reminders) and the search in the header. */
export function overviewRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads, settings } = deps

  serve(app, deps, calls.officeWaiting, 'office:signed-in', async ({ scope, now }) => {
    // The packing lists do this too, so that both show the same numbers.
    if (mayDo(scope.role, 'dispatch.read')) await countStale(db, now)
    return reads.caughtUp((tx) => waitingFor(tx, scope, now))
  })

  serve(app, deps, calls.officeSearch, 'office:signed-in', async ({ scope, query }) => ({
    data: await reads.caughtUp((tx) => findAnything(tx, scope, query.search)),
  }))

  serve(app, deps, calls.seasonProgress, 'office:signed-in', async ({ scope, query, now }) => {
    const last = await lastFigures(db, scope, query.FYear)
    const counting = last === undefined || isStale(now, last.takenAt, last.students)
    if (counting) {
      await planCount(db, now, query.FYear)
      deps.wake()
    }
    return { figures: last?.shown ?? null, counting }
  })

  serve(app, deps, calls.reminderList, 'office:schools.read', ({ scope, query, now }) =>
    schoolsToRemind(db, scope, now, query),
  )

  serve(app, deps, calls.exportReminderList, 'office:schools.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const subject = { kind: 'reminder', id: 'all', season: body.FYear }
    const schools = await reads.caughtUp((tx) => allToRemind(tx, scope, now, filters))
    const change = { format, schools: schools.length, filters }
    await auditRead(db, now, scope, 'reminder.exported', subject, change)
    return { file: sheetFile(`Schools to remind ${body.FYear}`, columns, schools, format) }
  })

  write(app, deps, calls.sendReminders, 'office:reminders.send', (tx, { scope, body, now }) =>
    sendReminders(tx, scope, now, settings.publicUrl, body),
  )
}
