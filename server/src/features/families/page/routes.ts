import { sentenceOf } from '@podium/contract/errors'
import * as calls from '@podium/contract/families/calls'
import type { FamilyFields } from '@podium/contract/families/schemas'
import { emailPattern } from '@podium/contract/fields'
import type { WrittenLanguage } from '@podium/contract/languages'
import { messages } from '@podium/contract/messages'
import { foldName } from '@podium/contract/names'
import { istDay, type Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { namesIn } from '#features/catalogue/lists/queries'
import { audit } from '#platform/audit'
import { familyOf } from '#platform/auth/gate'
import type { FamilyScope } from '#platform/auth/scope'
import { isCode, type Keys, normalizeCode } from '#platform/auth/secrets'
import { endSession, familyMinutes, openSession } from '#platform/auth/session'
import type { Tx } from '#platform/db/database'
import { changeRows } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { foundationLimits, letterhead, mailSender } from '#platform/foundation'
import { serve, write } from '#platform/http/http'
import { countAttempt, resetCodeAttempts } from '#platform/http/limits'
import { enqueueMail } from '#platform/jobs/outbox'
import { mailWord, renderMail } from '#platform/mail/mail-templates'
import { classNameIn, languageOf } from '#platform/words'
import { ticketName, ticketPdf } from './documents-ticket.ts'
import * as queries from './queries.ts'

/** Routes of the family page: before the access code, checking the code, and the children after it. */
export function familyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, limits, settings } = deps

  serve(app, deps, calls.getFamilyStudents, 'public', async ({ query, now, request }) => {
    const scope = await familyOf(db, now, request.token)
    const foundation = await queries.familyFoundation(db)
    if (scope?.linkId === query.GroupId && queries.isSeasonOf(scope.season, query.FYear)) {
      const data = await queries.findStudents(db, scope)
      if (data.length === 0) throw new Refusal('account.bad_link')
      const expiresIn = await queries.secondsLeft(db, scope, now)
      return { verified: true, fYear: scope.season, expiresIn, foundation, data }
    }
    await limits.take('family-view.per-source', request.source)
    const link = await queries.findLink(db, query.GroupId)
    if (!link || !queries.isSeasonOf(link.season, query.FYear)) throw new Refusal('account.bad_link')
    await limits.giveBack('family-view.per-source', request.source)
    const data = [queries.maskedStudent(link.firstName)]
    return { verified: false, fYear: '', expiresIn: 0, foundation, data }
  })

  serve(app, deps, calls.verifyFamilyCode, 'public', async ({ body, now, request }) => {
    await limits.take('family-code.per-source', request.source)
    const link = await queries.findLink(db, body.groupId)
    if (!link) throw new Refusal('account.bad_link')
    // Counted by the id as stored, so that other spellings get no extra attempts.
    const { source, agent } = request
    const { codeTries } = await foundationLimits(db)
    checkCode(
      keys,
      link,
      body.code,
      await countAttempt(limits, 'family-code.per-link', link.id, source, codeTries),
    )
    const before = (await familyOf(db, now, request.token))?.session
    const token = await db
      .transaction()
      .execute((tx) => openFamilyPage(tx, now, { linkId: link.id, source, agent, before }))
    await resetCodeAttempts(limits, 'family-code.per-link', link.id, source)
    await limits.giveBack('family-code.per-source', request.source)
    return { token, expiresIn: familyMinutes * 60, message: messages.familyCodeVerified }
  })

  serve(app, deps, calls.editFamilyStudent, 'family', async ({ scope, body, now }) => {
    if (body.groupId !== scope.linkId) throw new Refusal('access.denied')
    await limits.take('family-edit.per-link', scope.linkId)
    const { individualRegId: studentId, classId, fYear: season, version, language = 'en', ...fields } = body
    const edit = { studentId, classId, season, version, language, fields, publicUrl: settings.publicUrl }
    await db.transaction().execute((tx) => editStudent(tx, scope, now, edit))
    deps.wake()
    return { message: messages.saved }
  })

  serve(app, deps, calls.enrolmentTicket, 'family', async ({ scope, query, now }) => {
    await limits.take('family-document.per-link', scope.linkId)
    const found = orNotFound(await queries.findTicket(db, scope, query.individualRegId))
    const foundation = await letterhead(db, deps.files)
    const { socialLinks } = await queries.familyFoundation(db)
    const language = query.language ?? 'en'
    const nameOf = await namesIn(db, language)
    const exams = found.student.exams.map((exam) => ({ ...exam, subjectName: nameOf(exam.subjectName) }))
    const ticket = { ...found, student: { ...found.student, exams } }
    const page = `${settings.publicUrl}/student?id=${scope.linkId}`
    const content = await ticketPdf(ticket, { foundation, socialLinks, language, page, createdAt: now })
    return { file: { name: ticketName(ticket), mediaType: 'application/pdf', content } }
  })

  // The phone may be shared.
  write(app, deps, calls.closeFamilyPage, 'family', (tx, { scope, now }) =>
    endSession(tx, now, scope.session),
  )
}

interface Visit {
  linkId: string
  source: string
  agent: string
  /** Hash of this browser's previous family session, which ends */
  before: string | undefined
}

/** Compares a code with the link's in constant time and refuses a wrong one. The caller counts attempts. */
function checkCode(keys: Keys, link: { id: string; hash: string }, code: string, triesLeft: number): void {
  if (!isCode(keys, link.hash, link.id, normalizeCode(code)))
    throw new Refusal('families.wrong_code', { fields: { triesLeft } })
}

/**
 * Opens the family's session after a correct code and marks the link as opened, which the dashboard counts. Returns the
 * token, which is not available again.
 */
async function openFamilyPage(tx: Tx, now: Date, visit: Visit): Promise<string> {
  const link = await tx
    .updateTable('family_links')
    .set((row) => ({
      first_opened_at: row.fn.coalesce('first_opened_at', row.val(now)),
      last_opened_at: now,
    }))
    .where('id', '=', visit.linkId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(() => new Refusal('account.bad_link'))
  if (visit.before !== undefined) await endSession(tx, now, visit.before)
  const { source, agent } = visit
  return openSession(tx, now, { kind: 'family', familyLinkId: link.id, source, agent })
}

interface FamilyEdit {
  studentId: number
  classId: number
  season: Season
  version: number | undefined
  fields: FamilyFields
  language: WrittenLanguage
  publicUrl: string
}

interface Child extends queries.StudentStatus {
  id: number
  version: number
  class_id: number
  section: string
  roll_no: number
  name: string
  parent_name: string
  parent_mobile: string
  parent_email: string
  school: string
  schoolEmail: string
  schoolActive: boolean
  /** The coordinator's language: schools have none of their own */
  schoolLanguage: string
  schoolId: number
}

/** Reads and locks a child of this family's link, so that payments and the school's changes wait for each other. */
async function lockChild(tx: Tx, scope: FamilyScope, id: number): Promise<Child> {
  const { rows } = await sql<Child>`
    select st.id, st.version, st.class_id, st.section, st.roll_no, st.name, st.parent_name, st.parent_mobile,
      st.parent_email, st.paid, st.locked, s.state as "seasonState", o.name as school, o.email as "schoolEmail", o.active as "schoolActive",
      st.school_id as "schoolId",
      coalesce((select u.language from users u where u.school_id = o.id and u.coordinator and u.disabled_at is null
        order by u.id limit 1), 'en') as "schoolLanguage"
    from students st join schools o on o.id = st.school_id join seasons s on s.label = st.season
    where st.id = ${id} and st.family_link_id = ${scope.linkId} and st.school_id = ${scope.schoolId} and st.active
    for update of st`.execute(tx)
  return orNotFound(rows[0])
}

/**
 * Refuses a mobile number that the school has for another family: carry-over groups children by it, and only the school may
 * merge two families.
 */
async function refuseOthersMobile(tx: Tx, scope: FamilyScope, mobile: string): Promise<void> {
  const { rows } = await sql`
    select from family_links l
    where l.school_id = ${scope.schoolId} and l.season = ${scope.season} and l.id <> ${scope.linkId}
      and l.revoked_at is null and (l.parent_mobile = ${mobile}
        or exists (select from students st where st.family_link_id = l.id and st.active and st.parent_mobile = ${mobile}))
    limit 1`.execute(tx)
  if (rows.length === 0) return
  const message = sentenceOf('families.mobile_elsewhere')
  throw new Refusal('families.mobile_elsewhere', { issues: [{ path: 'mobileNo', message }] })
}

/**
 * Notifies the previous e-mail address and the school of the change, once a day for the same fields. A deactivated school, which
 * has left and can no longer see it, is not told.
 */
async function notifyOfChange(
  tx: Tx,
  now: Date,
  child: Child,
  { changed, to }: queries.Changes,
  edit: FamilyEdit,
) {
  const sender = await mailSender(tx)
  const contact = changed.includes('parent_mobile') || changed.includes('parent_email')
  if (contact && emailPattern.test(child.parent_email)) {
    const mail = renderMail(sender, edit.language, 'family-contact-changed', { school: child.school })
    const key = `family-contact:${child.id}:${child.version}`
    await enqueueMail(tx, now, {
      key,
      kind: 'family',
      to: { name: to.parent_name, address: child.parent_email },
      ...mail,
    })
  }
  if (!child.schoolActive || !emailPattern.test(child.schoolEmail)) return
  const language = languageOf({ language: child.schoolLanguage })
  const inClass = classNameIn(language, child.class_id)
  const mail = renderMail(sender, language, 'family-changed', {
    place: child.section === '-' ? inClass : `${inClass} ${child.section}`,
    rollNo: child.roll_no,
    fields: changed.map((field) => mailWord(language, field)).join(', '),
    list: `${edit.publicUrl}/manage-student/student/entry`,
  })
  const key = `family-changed:${child.id}:${istDay(now)}:${changed.join()}`
  await enqueueMail(tx, now, {
    key,
    kind: 'family',
    to: { name: child.school, address: child.schoolEmail },
    schoolId: child.schoolId,
    ...mail,
  })
}

/**
 * Saves a family's corrections. The link does not change with the mobile number, so a family can neither reach other
 * children nor lose its own. Refuses a child of another link (404), an outdated version or class, and changes that the
 * rules forbid.
 */
async function editStudent(tx: Tx, scope: FamilyScope, now: Date, edit: FamilyEdit): Promise<void> {
  const child = await lockChild(tx, scope, edit.studentId)
  if (edit.classId !== child.class_id || edit.season !== scope.season) throw new Refusal('changed_meanwhile')
  const changes = queries.changesOf(child, edit.fields)
  // Before the version is compared: these may be the family's own changes, whose answer was lost.
  if (changes.changed.length === 0) return
  if (edit.version !== undefined && edit.version !== child.version) throw new Refusal('changed_meanwhile')
  const refusal = queries.refusalOf(child, changes)
  if (refusal) throw new Refusal(refusal.code, { issues: refusal.issues })
  const mobile = changes.audited.to.parentMobile
  if (mobile !== undefined) await refuseOthersMobile(tx, scope, mobile)
  await changeRows(tx, 'students', {
    where: { id: child.id, family_link_id: scope.linkId, version: child.version },
    set: { ...changes.to, name_key: foldName(changes.to.name), updated_at: now, version: sql`version + 1` },
  })
  const subject = { kind: 'student', id: child.id, schoolId: scope.schoolId, season: scope.season }
  await audit(tx, now, scope, 'student.changed_by_family', subject, changes.audited)
  await notifyOfChange(tx, now, child, changes, edit)
}
