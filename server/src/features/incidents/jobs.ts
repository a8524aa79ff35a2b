import { emailPattern } from '@podium/contract/fields'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import type { Job, JobContext, JobHandlers } from '#platform/jobs'
import { enqueueMail } from '#platform/outbox'
import { systemScope } from '#platform/scope'
import { subjectOf } from './commands.ts'
import { tellKind } from './commands-send.ts'
import { aboutIncident, letterTo, nextRecipients, type Recipient } from './queries-mail.ts'

const atOnce = 200

/** The mails to those affected by a breach, some at a time. */
export function incidentJobs(): JobHandlers {
  return { [tellKind]: tell }
}

/** Who was told stands in the rows, so a run that was cut off goes on behind it and tells nobody twice. */
async function tell(job: Job, { db, clock, progress, checkpoint }: JobContext) {
  const incidentId = Number(job.input.incidentId)
  const done = {
    people: Number(job.output?.people ?? 0),
    mails: Number(job.output?.mails ?? 0),
    after: Number(job.output?.after ?? 0),
  }
  while (true) {
    const some = await db
      .transaction()
      .execute((tx) => tellSome(tx, clock(), { incidentId, after: done.after }))
    if (some.last === done.after) break
    done.people += some.people
    done.mails += some.mails
    done.after = some.last
    await checkpoint(done)
    await progress(done.people, Math.max(job.total, done.people))
  }
  await db.transaction().execute((tx) =>
    sql`update incidents set send_asked_by = null, send_asked_at = null, version = version + 1
        where id = ${incidentId}`.execute(tx),
  )
  return done
}

async function tellSome(
  tx: Tx,
  now: Date,
  { incidentId, after }: { incidentId: number; after: number },
): Promise<{ people: number; mails: number; last: number }> {
  const { recipients, last } = await nextRecipients(tx, incidentId, after, atOnce)
  const about = await aboutIncident(tx, incidentId)
  let people = 0
  let mails = 0
  for (const to of recipients) {
    const told = await tellOne(tx, now, incidentId, to, async () => letterTo(tx, to, about))
    people += told
    mails += told > 0 ? 1 : 0
  }
  if (people > 0)
    await audit(tx, now, systemScope('Incidents'), 'incident.told', subjectOf(incidentId), { people, mails })
  return { people, mails, last }
}

/** Marks people as told and puts their mail into the outbox; 0 where somebody else has told them or nobody can. */
async function tellOne(
  tx: Tx,
  now: Date,
  incidentId: number,
  to: Recipient,
  letter: () => ReturnType<typeof letterTo>,
): Promise<number> {
  if (!emailPattern.test(to.address)) return 0
  const key = `incident:${incidentId}:${to.personId}`
  const { rows } = await sql`
    update incident_people set told_at = ${now}, told_by_way = 'mail', mail_key = ${key}
    where id = any(${to.people}::bigint[]) and told_at is null returning id`.execute(tx)
  if (rows.length === 0) return 0
  await enqueueMail(tx, now, {
    key,
    kind: 'incident',
    to: { name: to.name, address: to.address },
    ...(await letter()),
  })
  return rows.length
}
