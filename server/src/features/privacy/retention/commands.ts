import { parseSeason, seasonYear, startOfDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { addedRow } from '#platform/db/rows'
import { type FileStore, sweepFiles } from '#platform/files/files'
import { longRetainedActions, type RetentionKind, retentionKinds, retentionStart } from './rules.ts'

/** Rows per statement, few enough that no one has to wait. */
const atOnce = 2_000

/** What is deleted: the rows of a table under a condition, or columns of them. */
interface Sweep {
  table: string
  where: RawBuilder<unknown>
  /** Columns to empty instead of deleting the row */
  set?: RawBuilder<unknown>
}

async function seasonsOver(db: Db | Tx, before: Date): Promise<string[]> {
  const { rows } = await sql<{ label: string }>`select label from seasons`.execute(db)
  return rows.flatMap(({ label }) => {
    const season = parseSeason(label)
    return season && startOfDay(`${seasonYear(season) + 1}-04-01`) < before ? [label] : []
  })
}

/** The tables and conditions of a kind of data. */
async function sweepsOf(db: Db, kind: RetentionKind, now: Date): Promise<Sweep[]> {
  const until = retentionStart(now, kind)
  const dayUntil = sql`${until}::timestamptz`
  switch (kind) {
    case 'tickets':
      return [{ table: 'tickets', where: sql`expires_at < ${dayUntil}` }]
    case 'idempotency':
      return [{ table: 'idempotency_keys', where: sql`at < ${dayUntil}` }]
    case 'limits':
      return [{ table: 'rate_limits', where: sql`expire < ${until.getTime()}::bigint` }]
    case 'sessions':
      return [
        {
          table: 'sessions',
          where: sql`least(coalesce(ended_at, expires_at), expires_at, idle_until) < ${dayUntil}`,
        },
      ]
    case 'imports':
      return [
        { table: 'student_imports', where: sql`confirmed_at is null and created_at < ${dayUntil}` },
        {
          table: 'student_imports',
          where: sql`created_at < ${dayUntil} and (sheet is not null or good_rows <> '[]' or preview <> '{}')
            and not exists (select from jobs j where j.id = job_id and j.state in ('waiting', 'running'))`,
          set: sql`sheet = null, settings = '{}', good_rows = '[]', preview = '{}', refused = '[]'`,
        },
        {
          table: 'student_import_changes',
          where: sql`import_id in (select id from student_imports where created_at < ${dayUntil})`,
        },
        {
          table: 'school_imports',
          where: sql`created_at < ${dayUntil}
            and not exists (select from jobs j where j.id = job_id and j.state in ('waiting', 'running'))`,
        },
        {
          table: 'files',
          where: sql`kind = 'school-import' and created_at < ${dayUntil}
            and not exists (select from school_imports i where i.file_id = files.id)`,
        },
      ]
    case 'prints':
      return [
        {
          table: 'files',
          where: sql`kind in ('print', 'exams.papers', 'schools.letters', 'results.certificates')
            and created_at < ${dayUntil}`,
        },
      ]
    case 'exports':
      return [{ table: 'files', where: sql`kind = 'data-export' and created_at < ${dayUntil}` }]
    case 'mails':
      return [
        {
          table: 'outbox',
          where: sql`failed_at < ${dayUntil} and payload <> '{}'`,
          set: sql`payload = '{}'`,
        },
      ]
    case 'mailRecords':
      return [{ table: 'outbox', where: sql`coalesce(done_at, failed_at) < ${dayUntil}` }]
    case 'jobs':
      return [{ table: 'jobs', where: sql`ended_at < ${dayUntil}` }]
    case 'contacts':
      return contactSweeps(now, await seasonsOver(db, until))
    case 'schoolNotes':
      return [
        {
          table: 'school_notes',
          where: sql`coalesce(changed_at, written_at) < ${dayUntil}
            and (follow_up is null or followed_up_at < ${dayUntil})`,
        },
      ]
    case 'changes':
      return [
        {
          table: 'audit',
          where: sql`at < ${dayUntil} and subject_kind <> all(${longRetainedActions}::text[])`,
        },
      ]
    case 'moneyChanges':
      return [{ table: 'audit', where: sql`at < ${dayUntil}` }]
    case 'proofs':
      return [
        {
          table: 'payments',
          where: sql`submitted_at < ${dayUntil} and proof_file_id is not null`,
          set: sql`proof_file_id = null, utr = ''`,
        },
        {
          table: 'files',
          where: sql`kind = 'payment-proof' and created_at < ${dayUntil}
            and not exists (select from payments p where p.proof_file_id = files.id)`,
        },
      ]
    case 'runs':
      return [
        { table: 'retention_runs', where: sql`ended_at < ${dayUntil}` },
        {
          table: 'backups',
          where: sql`ended_at < ${dayUntil} and (deleted_at is not null or file_name = '')`,
        },
      ]
  }
}

/** Parents' contact details and family links of seasons that ended long enough ago. */
function contactSweeps(now: Date, seasons: readonly string[]): Sweep[] {
  return [
    {
      table: 'students',
      where: sql`season = any(${seasons}::text[]) and (parent_name <> '' or parent_email <> '' or parent_mobile <> '')`,
      set: sql`parent_name = '', parent_email = '', parent_mobile = '', version = version + 1`,
    },
    {
      table: 'family_links',
      where: sql`season = any(${seasons}::text[]) and (parent_mobile <> '' or access_code_sealed <> '')`,
      set: sql`parent_mobile = '', access_code_hash = '', access_code_sealed = '', revoked_at = coalesce(revoked_at, ${now}::timestamptz)`,
    },
  ]
}

async function countOf(db: Db, sweep: Sweep): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(sweep.table)} where ${sweep.where}`.execute(db)
  return rows[0]?.n ?? 0
}

async function sweepSome(db: Db, { table, where, set }: Sweep): Promise<number> {
  const some = sql`ctid = any(array(select ctid from ${sql.table(table)} where ${where} limit ${atOnce}))`
  const done = await (set
    ? sql`update ${sql.table(table)} set ${set} where ${some}`
    : sql`delete from ${sql.table(table)} where ${some}`
  ).execute(db)
  return Number(done.numAffectedRows ?? 0)
}

/**
 * Deletes data past its retention period in batches, or only counts it when `dry`. Reports progress between batches and can
 * be restarted. Returns how much of each kind was deleted.
 */
async function deleteExpired(
  db: Db,
  files: FileStore,
  now: Date,
  dry: boolean,
  progress: (done: number, total: number) => Promise<void>,
): Promise<Record<RetentionKind, number>> {
  const counts = Object.fromEntries(retentionKinds.map((kind) => [kind, 0])) as Record<RetentionKind, number>
  for (const [index, kind] of retentionKinds.entries()) {
    await progress(index, retentionKinds.length)
    for (const sweep of await sweepsOf(db, kind, now)) {
      if (dry) {
        counts[kind] += await countOf(db, sweep)
        continue
      }
      for (;;) {
        const gone = await sweepSome(db, sweep)
        counts[kind] += gone
        if (gone < atOnce) break
        await progress(index, retentionKinds.length)
      }
    }
  }
  if (!dry) await sweepFiles(db, files, now)
  return counts
}

/** Runs the retention (or a dry run) and records the counts by kind of data, with an audit line if anything was deleted. */
export async function runOfRetention(
  db: Db,
  files: FileStore,
  clock: () => Date,
  { dry, staffId }: { dry: boolean; staffId: number | null },
  progress: (done: number, total: number) => Promise<void>,
): Promise<Record<string, number>> {
  const started = clock()
  const counts = await deleteExpired(db, files, started, dry, progress)
  await db.transaction().execute(async (tx) => {
    const { id } = await addedRow(tx, 'retention_runs', ['id'], {
      dry,
      counts: JSON.stringify(counts),
      staff_id: staffId,
      started_at: started,
      ended_at: clock(),
    })
    const went = Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0))
    if (!dry && Object.keys(went).length > 0)
      await audit(tx, started, systemScope('Retention'), 'retention.run', { kind: 'retention', id }, went)
  })
  return counts
}
