import { emailPattern } from '@podium/contract/fields'
import { parseSeason } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import { studentState } from '@podium/contract/students/calls'
import { familySlips, maxSlips, renewFamilyLink } from '@podium/contract/students/calls-print-lists'
import {
  renewOfficeFamilyLink,
  revokeFamilyLink,
  sendFamilyLink,
  sendFamilyLinks,
  showFamilyCode as show,
} from '@podium/contract/students/calls-register'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { findStudents } from '#features/students/entry/queries'
import { maskEmail } from '#features/students/register/queries'
import { audit, auditRead } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import { codeHash, type Keys, newCode, newId, seal, unseal } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { addRow, changeRows, findRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { notFound, orNotFound, Refusal, refuseField } from '#platform/errors'
import { letterhead, mailSender } from '#platform/foundation'
import { command, serve, write } from '#platform/http/http'
import { runBulk } from '#platform/http/idempotency'
import { enqueueMail } from '#platform/jobs/outbox'
import { renderMail } from '#platform/mail/mail-templates'
import { findSlips, slipsPdf } from './documents.ts'

/** Routes for schools: slips for families, and renewing links. */
export function familySlipRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, settings } = deps

  serve(app, deps, familySlips, 'school', async ({ scope, body, now }) => {
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
    if (slips.length > maxSlips) throw new Refusal('families.too_many_slips')
    const foundation = await letterhead(db, deps.files)
    const school = await findRow(db, 'schools', { id: scope.schoolId }, ['name'])
    const content = await slipsPdf(slips, {
      foundation,
      school: school.name,
      season,
      pageOf: (linkId) => `${settings.publicUrl}/student?id=${linkId}`,
      createdAt: now,
    })
    const about = { kind: 'school', id: scope.schoolId, season }
    await auditRead(db, now, scope, 'family.slips_printed', about, { families: slips.length })
    return { file: { name: `Access slips ${season}.pdf`, mediaType: 'application/pdf', content } }
  })

  write(app, deps, renewFamilyLink, 'school', async (tx, { scope, body, now }) => ({
    children: await renewLink(tx, keys, scope, now, body.studentId),
  }))
}

/** Routes for the office: the family link of any student. */
export function officeFamilyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys } = deps
  const { publicUrl } = deps.settings

  write(
    app,
    deps,
    show,
    'office:students.codes',
    (tx, { scope, body, now }) => showFamilyCode(tx, scope, now, keys, { ...body, publicUrl }),
    { confidential: true },
  )

  write(app, deps, sendFamilyLink, 'office:students.codes', async (tx, { scope, body, now }) => {
    const to = await mailFamilyLink(tx, scope, now, { ...body, publicUrl })
    return { to: maskEmail(to) }
  })

  serve(app, deps, sendFamilyLinks, 'office:students.codes', ({ scope, body, now, request }) => {
    const children = { ...body, publicUrl, key: request.idempotencyKey }
    // E-mails of links sent before an error must still leave.
    return mailFamilyLinks(db, scope, now, children).finally(() => deps.wake())
  })

  write(app, deps, renewOfficeFamilyLink, 'office:students.codes', async (tx, { scope, body, now }) => ({
    children: await renewForFamily(tx, scope, now, keys, body),
  }))

  command(app, deps, revokeFamilyLink, 'office:students.codes', revokeForFamily)
}

interface StudentReason {
  id: number
  reason: string
}

async function studentWithLink(tx: Tx, id: number) {
  return tx
    .selectFrom('students as st')
    .innerJoin('schools as o', 'o.id', 'st.school_id')
    .leftJoin('family_links as l', (join) =>
      join.onRef('l.id', '=', 'st.family_link_id').on('l.revoked_at', 'is', null),
    )
    .select([
      'st.id',
      'st.school_id',
      'st.season',
      'st.active',
      'st.parent_name',
      'st.parent_email',
      'st.family_link_id',
    ])
    .select([
      'o.name as school',
      'l.id as link',
      'l.created_at as linkedAt',
      'l.access_code_sealed as sealed',
    ])
    .where('st.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

const subjectOf = (student: Awaited<ReturnType<typeof studentWithLink>>) => ({
  kind: 'student',
  id: student.id,
  schoolId: student.school_id,
  season: student.season,
})

const pageOf = (publicUrl: string, link: string) => `${publicUrl}/student?id=${link}`

/** Returns link and access code in clear. The viewing is logged, the code is not. Refuses with `families.no_link`. */
async function showFamilyCode(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  keys: Keys,
  { id, publicUrl }: { id: number; publicUrl: string },
) {
  const student = await studentWithLink(tx, id)
  if (student.link === null || student.sealed === null) throw new Refusal('families.no_link')
  await audit(tx, now, scope, 'family.code_shown', subjectOf(student))
  const code = unseal(keys, student.sealed).replace(/.{4}(?=.)/g, '$& ')
  return { address: pageOf(publicUrl, student.link), code }
}

const tenMinutes = 600_000

/** Whether this link was sent to this address within these ten minutes, for this child or a sibling. */
async function justSent(tx: Tx, link: string, address: string, turn: number): Promise<boolean> {
  await tx.selectFrom('family_links').select('id').where('id', '=', link).forUpdate().execute()
  const { rows } = await sql`
    select 1 from students m join outbox x on x.key = 'family-link:' || m.id || ':' || ${link}::text || ':' || ${turn}::text
    where m.family_link_id = ${link} and lower(m.parent_email) = ${address.toLowerCase()} limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * Sends the link, never the code, to the student's e-mail address, at most once in ten minutes. Refuses with
 * `families.no_link`, `families.no_address`, `families.just_sent`.
 */
async function mailFamilyLink(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, publicUrl }: { id: number; publicUrl: string },
): Promise<string> {
  const student = await studentWithLink(tx, id)
  if (student.link === null || !student.active) throw new Refusal('families.no_link')
  if (!emailPattern.test(student.parent_email)) throw new Refusal('families.no_address')
  const turn = Math.floor(now.getTime() / tenMinutes)
  if (await justSent(tx, student.link, student.parent_email, turn)) throw new Refusal('families.just_sent')
  const sent = await enqueueMail(tx, now, {
    key: `family-link:${id}:${student.link}:${turn}`,
    kind: 'family',
    to: { name: student.parent_name, address: student.parent_email },
    ...renderMail(await mailSender(tx), 'en', 'family-link', {
      name: student.parent_name,
      school: student.school,
      page: pageOf(publicUrl, student.link),
    }),
  })
  if (!sent) throw new Refusal('families.just_sent')
  await audit(tx, now, scope, 'family.link_mailed', subjectOf(student))
  return student.parent_email
}

interface Children {
  ids: readonly number[]
  publicUrl: string
  /** Idempotency key: a repeated request gets the first answer */
  key: string | undefined
}

/** Sends the family links of several students independently. Returns who received one, who did not, and why. */
function mailFamilyLinks(db: Db, scope: OfficeScope, now: Date, { ids, publicUrl, key }: Children) {
  const children = ids.map((id) => ({ id, publicUrl }))
  return runBulk(db, now, { scope, key }, children, async (tx, child) => ({
    id: child.id,
    to: maskEmail(await mailFamilyLink(tx, scope, now, child)),
  }))
}

/**
 * Creates a new link and code for the family of a student of any school; the old ones stop working. Returns the number of
 * children on the link. If two officers renew the same link at once, the second is refused with `changed_meanwhile`,
 * because the first may already have printed it.
 */
async function renewForFamily(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  keys: Keys,
  { id, createdAt, reason }: StudentReason & { createdAt?: string | undefined },
): Promise<number> {
  const student = await studentWithLink(tx, id)
  if (!student.active) throw new Refusal('enrolment.deleted')
  if (student.linkedAt?.toISOString() !== createdAt) throw new Refusal('changed_meanwhile')
  // Revoked links count too: with two renewals at once, the second finds the link of the first.
  const seen = { link: student.family_link_id, reason }
  return renewLink(tx, keys, { ...scope, schoolId: student.school_id }, now, id, seen)
}

/** Revokes the family's link and ends its sessions. Refuses with `families.no_link`. */
async function revokeForFamily(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, reason }: StudentReason,
): Promise<void> {
  const student = await studentWithLink(tx, id)
  if (student.link === null) throw new Refusal('families.no_link')
  const [ended] = await changeRows(tx, 'family_links', {
    where: { id: student.link, revoked_at: null },
    set: { revoked_at: now },
    returning: ['id'],
  })
  orNotFound(ended, 'changed_meanwhile')
  await audit(tx, now, scope, 'family.link_revoked', subjectOf(student), { reason })
}

/**
 * Revokes a link and returns the mobile number the school has for the family; '' if it was already revoked. Waits for, and
 * blocks, concurrent additions of children to the link.
 */
async function takeBack(tx: Tx, now: Date, id: string): Promise<string> {
  const link = await findRow(tx, 'family_links', { id }, ['parent_mobile', 'revoked_at'], { lock: true })
  if (link.revoked_at !== null) return ''
  await tx.updateTable('family_links').set({ revoked_at: now }).where('id', '=', id).execute()
  return link.parent_mobile
}

/**
 * Replaces the link and access code of a student's family, for example after a slip was lost. The old link's sessions end.
 * The new link keeps the mobile number entered by the school, whatever the family has entered, because children and
 * results of earlier seasons are matched by it. Returns the number of children moved. Another school's student is not
 * found; `changed_meanwhile` if the link was just renewed. The office does the same for any school, with a reason.
 */
async function renewLink(
  tx: Tx,
  keys: Keys,
  scope: SchoolScope | (OfficeScope & { readonly schoolId: number }),
  now: Date,
  studentId: number,
  seen?: { link: string | null; reason: string },
): Promise<number> {
  const student = await tx
    .selectFrom('students')
    .select(['family_link_id', 'season'])
    .where('id', '=', studentId)
    .where('school_id', '=', scope.schoolId)
    .where('active', '=', true)
    .executeTakeFirst()
  const { family_link_id, season } = orNotFound(student)
  const before = seen ? seen.link : family_link_id
  const parent_mobile = before === null ? '' : await takeBack(tx, now, before)
  const id = newId()
  const code = newCode(8)
  await addRow(tx, 'family_links', {
    id,
    school_id: scope.schoolId,
    season,
    parent_mobile,
    access_code_hash: codeHash(keys, id, code),
    access_code_sealed: seal(keys, code),
    created_at: now,
  })
  const moved = await tx
    .updateTable('students')
    .set({ family_link_id: id })
    .where('school_id', '=', scope.schoolId)
    .where((row) =>
      before === null
        ? row.and([row('id', '=', studentId), row('family_link_id', 'is', null)])
        : row('family_link_id', '=', before),
    )
    .returning(['id', 'active'])
    .execute()
  if (moved.length === 0) throw new Refusal('changed_meanwhile')
  const subject = { kind: 'student', id: studentId, schoolId: scope.schoolId, season }
  await audit(tx, now, scope, 'family.link_renewed', subject, seen ? { reason: seen.reason } : {})
  return moved.filter(({ active }) => active).length
}
