import type { IncidentWords } from '@podium/contract/incidents'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import { found, Refusal } from '#platform/errors'
import { enqueueJob } from '#platform/jobs'
import type { OfficeScope } from '#platform/scope'
import { refuseTooNew } from '../staff/queries-second.ts'
import { lockOpen, subjectOf } from './commands.ts'
import { toldByMail } from './queries-mail.ts'
import { wordsWhole } from './rules.ts'

export const tellKind = 'incident.tell'

interface Seen {
  id: number
  version: number
}

interface Words {
  en: IncidentWords
  hi: IncidentWords
}

/** Writes what the mails say in both languages; what was asked to be sent before is not this wording. */
export async function saveWords(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, words }: Seen & { words: Words },
): Promise<void> {
  const before = await lockOpen(tx, { id, version })
  await tx
    .updateTable('incidents')
    .set({ words: JSON.stringify(words) })
    .where('id', '=', id)
    .execute()
  await audit(tx, now, scope, 'incident.worded', subjectOf(id), {
    from: before.words as Record<string, unknown>,
    to: words,
  })
}

async function waitingFor(tx: Tx, id: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${toldByMail} where p.incident_id = ${id} and p.told_at is null`.execute(
    tx,
  )
  return rows[0]?.n ?? 0
}

/** Asks that everybody who waits be told by mail; a second person approves it. */
export async function askSending(tx: Tx, scope: OfficeScope, now: Date, seen: Seen): Promise<void> {
  const row = await lockOpen(tx, seen, 'keeps')
  if (row.send_asked_by !== null) throw new Refusal('incident.asked')
  const words = row.words as Partial<Words>
  if (!wordsWhole(words.en) || !wordsWhole(words.hi)) throw new Refusal('incident.words_missing')
  const people = await waitingFor(tx, seen.id)
  if (people === 0) throw new Refusal('incident.nobody_to_tell')
  await tx
    .updateTable('incidents')
    .set({ send_asked_by: scope.staffId, send_asked_at: now, send_approved_by: null, send_approved_at: null })
    .where('id', '=', seen.id)
    .execute()
  await audit(tx, now, scope, 'incident.sending_asked', subjectOf(seen.id), { people })
}

/** Takes back that somebody asked for it. */
export async function withdrawSending(tx: Tx, scope: OfficeScope, now: Date, seen: Seen): Promise<void> {
  const row = await lockOpen(tx, seen)
  if (row.send_asked_by === null) throw new Refusal('incident.not_asked')
  await audit(tx, now, scope, 'incident.sending_withdrawn', subjectOf(seen.id))
}

/** A second person, who was in the office when the first asked, approves the mails; they leave by a job. */
export async function approveSending(tx: Tx, scope: OfficeScope, now: Date, seen: Seen): Promise<string> {
  const row = await lockOpen(tx, seen, 'keeps')
  if (row.send_asked_by === null || row.send_asked_at === null) throw new Refusal('incident.not_asked')
  if (row.send_asked_by === scope.staffId) throw new Refusal('incident.second_person')
  await refuseTooNew(tx, scope, row.send_asked_at)
  const total = await waitingFor(tx, seen.id)
  if (total === 0) throw new Refusal('incident.nobody_to_tell')
  const job = { kind: tellKind, total, input: { incidentId: seen.id }, createdBy: scope.staffId }
  const jobId = await enqueueJob(tx, now, job)
  await sql`
    update incidents set job_id = ${jobId}, send_approved_by = ${scope.staffId}, send_approved_at = ${now}
    where id = ${seen.id}`.execute(tx)
  const asker = found(
    await tx.selectFrom('staff').select('name').where('id', '=', row.send_asked_by).executeTakeFirst(),
  )
  const change = { people: total, askedBy: asker.name }
  await audit(tx, now, scope, 'incident.sending_approved', subjectOf(seen.id), change)
  return jobId
}
