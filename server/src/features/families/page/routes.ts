import {
  closeFamilyPage,
  editFamilyStudent,
  enrolmentTicket,
  getFamilyStudents,
  verifyFamilyCode,
} from '@podium/contract/families/calls'
import { messages } from '@podium/contract/messages'
import type { FastifyInstance } from 'fastify'
import { namesIn } from '#features/catalogue/lists/queries'
import { familyOf } from '#platform/auth/gate'
import { familyMinutes } from '#platform/auth/session'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { foundationLimits, letterhead } from '#platform/foundation'
import { serve } from '#platform/http/http'
import { codeWasRight, countFrom } from '#platform/http/limits'
import { checkCode, closeFamilyPage as close, editStudent, openFamilyPage } from './commands.ts'
import { ticketName, ticketPdf } from './documents-ticket.ts'
import {
  familyFoundation,
  findLink,
  findStudents,
  findTicket,
  isSeasonOf,
  maskedStudent,
  secondsLeft,
} from './queries.ts'

/** The family's page: what is shown before the access code, the code, and the children after it. */
export function familyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, limits, settings } = deps

  serve(app, deps, getFamilyStudents, 'public', async ({ query, now, request }) => {
    const scope = await familyOf(db, now, request.token)
    const foundation = await familyFoundation(db)
    if (scope?.linkId === query.GroupId && isSeasonOf(scope.season, query.FYear)) {
      const data = await findStudents(db, scope)
      if (data.length === 0) throw new Refusal('account.bad_link')
      const expiresIn = await secondsLeft(db, scope, now)
      return { verified: true, fYear: scope.season, expiresIn, foundation, data }
    }
    await limits.take('family-view.per-source', request.source)
    const link = await findLink(db, query.GroupId)
    if (!link || !isSeasonOf(link.season, query.FYear)) throw new Refusal('account.bad_link')
    await limits.giveBack('family-view.per-source', request.source)
    const data = [maskedStudent(link.firstName)]
    return { verified: false, fYear: '', expiresIn: 0, foundation, data }
  })

  serve(app, deps, verifyFamilyCode, 'public', async ({ body, now, request }) => {
    await limits.take('family-code.per-source', request.source)
    const link = await findLink(db, body.groupId)
    if (!link) throw new Refusal('account.bad_link')
    // By the id as the database has it: no other spelling of it has tries of its own.
    const { source, agent } = request
    const { codeTries } = await foundationLimits(db)
    checkCode(
      keys,
      link,
      body.code,
      await countFrom(limits, 'family-code.per-link', link.id, source, codeTries),
    )
    const before = (await familyOf(db, now, request.token))?.session
    const token = await db
      .transaction()
      .execute((tx) => openFamilyPage(tx, now, { linkId: link.id, source, agent, before }))
    await codeWasRight(limits, 'family-code.per-link', link.id, source)
    await limits.giveBack('family-code.per-source', request.source)
    return { token, expiresIn: familyMinutes * 60, message: messages.familyCodeVerified }
  })

  serve(app, deps, editFamilyStudent, 'family', async ({ scope, body, now }) => {
    if (body.groupId !== scope.linkId) throw new Refusal('access.denied')
    await limits.take('family-edit.per-link', scope.linkId)
    const { individualRegId: studentId, classId, fYear: season, version, language = 'en', ...fields } = body
    const edit = { studentId, classId, season, version, language, fields, publicUrl: settings.publicUrl }
    await db.transaction().execute((tx) => editStudent(tx, scope, now, edit))
    deps.nudge()
    return { message: messages.saved }
  })

  serve(app, deps, enrolmentTicket, 'family', async ({ scope, query, now }) => {
    await limits.take('family-document.per-link', scope.linkId)
    const found = orNotFound(await findTicket(db, scope, query.individualRegId))
    const foundation = await letterhead(db, deps.files)
    const { socialLinks } = await familyFoundation(db)
    const language = query.language ?? 'en'
    const nameOf = await namesIn(db, language)
    const exams = found.student.exams.map((exam) => ({ ...exam, subjectName: nameOf(exam.subjectName) }))
    const ticket = { ...found, student: { ...found.student, exams } }
    const page = `${settings.publicUrl}/student?id=${scope.linkId}`
    const content = await ticketPdf(ticket, { foundation, socialLinks, language, page, createdAt: now })
    return { file: { name: ticketName(ticket), mediaType: 'application/pdf', content } }
  })

  serve(app, deps, closeFamilyPage, 'family', async ({ scope, now }) => {
    await close(db, now, scope.session)
    return {}
  })
}
