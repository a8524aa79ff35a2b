// What the database and the mail server hold after a run, against what was acknowledged.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Cluster } from './database.ts'
import type { Kind, Write } from './load.ts'
import type { Portals } from './portals.ts'
import { folder, until } from './processes.ts'

export interface Found {
  kind: Kind
  sent: number
  acknowledged: number
  lost: number
  doubled: number
  /** Never acknowledged, and there all the same: the answer was lost and not the write */
  unanswered: number
}

/** How often each mark stands in the database, with what must stand beside it. */
const questions: Readonly<Record<Kind, string>> = {
  student: `
    select s.name as mark, count(*)::int as times from students s
    join audit a on a.subject_kind = 'student' and a.subject_id = s.id::text and a.action = 'student.added' group by 1`,
  contact: `
    select c.name as mark, count(*)::int as times from contacts c
    join audit a on a.subject_kind = 'contact' and a.subject_id = c.id::text and a.action = 'contact.asked_for' group by 1`,
  payment: `
    select p.remarks as mark, count(*)::int as times from payments p
    join audit a on a.subject_kind = 'payment' and a.subject_id = p.id::text and a.action = 'payment.submitted' group by 1`,
  verification: `
    select p.id::text as mark, count(*)::int as times from payments p
    join audit a on a.subject_kind = 'payment' and a.subject_id = p.id::text and a.action = 'payment.verified'
    where p.state = 'verified' and p.receipt_no is not null group by 1`,
}

export async function checkWrites(cluster: Cluster, writes: readonly Write[]): Promise<Found[]> {
  const found: Found[] = []
  for (const kind of Object.keys(questions) as Kind[]) {
    const rows = await cluster.ask<{ mark: string; times: number }>(questions[kind])
    const times = new Map(rows.map(({ mark, times: n }) => [mark, n]))
    const own = writes.filter((write) => write.kind === kind)
    const marks = new Set(own.map(({ mark }) => mark))
    const acknowledged = new Set(own.filter((write) => write.acknowledged).map(({ mark }) => mark))
    found.push({
      kind,
      sent: marks.size,
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter((mark) => !times.has(mark)).length,
      doubled: [...times.values()].filter((n) => n > 1).length,
      unanswered: [...times.keys()].filter((mark) => !acknowledged.has(mark)).length,
    })
  }
  return found
}

/** What must hold whatever happened, each with how often it does not. */
const invariants: Readonly<Record<string, string>> = {
  'students without their line in the record of changes': `
    select from students s where not exists (
      select from audit a where a.subject_kind = 'student' and a.subject_id = s.id::text and a.action = 'student.added')`,
  'payments whose lines are not their sum': `
    select from payments p where p.payable <> (
      select sum(l.gross - l.retained) from payment_lines l where l.payment_id = p.id)`,
  'students of a verified payment who are not paid, or paid without one': `
    select from students s where s.paid <> exists (
      select from payment_lines l join payments p on p.id = l.payment_id
      where l.student_id = s.id and p.state = 'verified')`,
  'receipt numbers that are missing between the first and the last': `
    select from (
      select substring(receipt_no from '\\d+$')::int as n,
        lag(substring(receipt_no from '\\d+$')::int) over (order by substring(receipt_no from '\\d+$')::int) as before
      from payments where receipt_no is not null) numbered
    where n <> before + 1`,
}

export async function checkInvariants(cluster: Cluster): Promise<Array<[what: string, times: number]>> {
  const broken: Array<[string, number]> = []
  for (const [what, text] of Object.entries(invariants)) {
    const rows = await cluster.ask<{ n: number }>(`select count(*)::int as n from (${text}) as broken`)
    broken.push([what, rows[0]?.n ?? -1])
  }
  const files = await cluster.ask<{ sha256: string }>('select distinct sha256 from files')
  // s3rver keeps an object as a file of its name with an ending.
  const inBucket = readdirSync(join(folder, 'bucket'), { recursive: true, encoding: 'utf8' })
  const kept = new Set(inBucket.map((path) => basename(path).split('.')[0]))
  broken.push(['files whose content is missing', files.filter(({ sha256 }) => !kept.has(sha256)).length])
  return broken
}

/** Waits until the outbox is empty: a mail of an instance that was killed is another's after five minutes. */
export async function mailsLeft(cluster: Cluster): Promise<void> {
  await until(
    'every mail has left',
    async () => {
      const rows = await cluster.ask('select from outbox where done_at is null and failed_at is null')
      return rows.length === 0 || undefined
    },
    420,
  )
}

export async function checkMails(cluster: Cluster, mails: Portals['mails']) {
  const rows = await cluster.ask<{ key: string; failed: boolean }>(
    'select key, failed_at is not null as failed from outbox',
  )
  const idOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32)
  const keys = rows.map(({ key }) => idOf(key))
  const known = new Set(keys)
  return {
    written: rows.length,
    lost: keys.filter((id) => !mails.has(id)).length,
    givenUp: rows.filter(({ failed }) => failed).length,
    doubled: [...mails.values()].filter((times) => times > 1).length,
    unknown: [...mails.keys()].filter((id) => !known.has(id)).length,
  }
}
