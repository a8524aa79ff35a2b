import { parseSeason } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import { studentState } from '@podium/contract/students/calls'
import { familySlips, mostSlips, renewFamilyLink } from '@podium/contract/students/calls-print-lists'
import {
  renewOfficeFamilyLink,
  revokeFamilyLink,
  sendFamilyLink,
  sendFamilyLinks,
  showFamilyCode as show,
} from '@podium/contract/students/calls-register'
import type { FastifyInstance } from 'fastify'
import { findStudents } from '#features/students/entry/queries'
import { maskEmail } from '#features/students/register/queries'
import { audit } from '#platform/audit'
import { requireOwnSchool } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { Refusal, refuseField } from '#platform/errors'
import { letterhead } from '#platform/foundation'
import { serve, write } from '#platform/http/http'
import {
  mailFamilyLink,
  mailFamilyLinks,
  renewForFamily,
  renewLink,
  revokeForFamily,
  showFamilyCode,
} from './commands-office.ts'
import { findSlips, slipsPdf } from './documents.ts'

/** What a school hands to its families, and takes back. */
export function familySlipRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, settings } = deps

  serve(app, deps, familySlips, 'school', async ({ scope, body, now }) => {
    requireOwnSchool(scope, body)
    const season = parseSeason(body.FYear)
    if (!season) throw refuseField('FYear', sentences.seasonNotValid)
    const { classId, section, studentName: name, subjectName: subject, state, ids } = body
    const chosen = ids && new Set(ids)
    const students = (await findStudents(db, scope, now, { season, classId, section, name, subject })).filter(
      (row) => row.status && (!state || studentState(row) === state) && (!chosen || chosen.has(row.id)),
    )
    const slips = await findSlips(
      db,
      keys,
      scope,
      students.map(({ id }) => id),
    )
    if (slips.length === 0) throw new Refusal('families.no_slips')
    if (slips.length > mostSlips) throw new Refusal('families.too_many_slips')
    const foundation = await letterhead(db, deps.files)
    const school = await db
      .selectFrom('schools')
      .select('name')
      .where('id', '=', scope.schoolId)
      .executeTakeFirstOrThrow()
    const content = await slipsPdf(slips, {
      foundation,
      school: school.name,
      season,
      pageOf: (linkId) => `${settings.publicUrl}/student?id=${linkId}`,
      createdAt: now,
    })
    await db.transaction().execute((tx) =>
      audit(
        tx,
        now,
        scope,
        'family.slips_printed',
        { kind: 'school', id: scope.schoolId, season },
        {
          families: slips.length,
        },
      ),
    )
    return { file: { name: `Access slips ${season}.pdf`, mediaType: 'application/pdf', content } }
  })

  write(app, deps, renewFamilyLink, 'school', async (tx, { scope, body, now }) => ({
    children: await renewLink(tx, keys, scope, now, body.studentId),
  }))
}

/** The link of any child's family, for the office. */
export function officeFamilyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys } = deps
  const { publicUrl } = deps.settings

  write(app, deps, show, 'office:students.codes', (tx, { scope, body, now }) =>
    showFamilyCode(tx, scope, now, keys, { ...body, publicUrl }),
  )

  write(app, deps, sendFamilyLink, 'office:students.codes', async (tx, { scope, body, now }) => {
    const to = await mailFamilyLink(tx, scope, now, { ...body, publicUrl })
    return { to: maskEmail(to) }
  })

  serve(app, deps, sendFamilyLinks, 'office:students.codes', ({ scope, body, now, request }) => {
    const children = { ...body, publicUrl, key: request.idempotencyKey }
    // What was done before a fault is done: its mails leave.
    return mailFamilyLinks(db, scope, now, children).finally(() => deps.nudge())
  })

  write(app, deps, renewOfficeFamilyLink, 'office:students.codes', async (tx, { scope, body, now }) => ({
    children: await renewForFamily(tx, scope, now, keys, body),
  }))

  write(app, deps, revokeFamilyLink, 'office:students.codes', (tx, { scope, body, now }) =>
    revokeForFamily(tx, scope, now, body),
  )
}
