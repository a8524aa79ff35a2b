import { type OfficeJob, reasonKinds, reasonsForm } from '@podium/contract/office/calls-settings'
import { limitsFrom } from '@podium/contract/office/rules-limits'
import { jobsCalled } from '@podium/contract/office/words-jobs'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'

/** How the foundation presents itself and the limits it has moved; every part as its first version before the first change. */
export async function foundationAsSet(db: Db, _scope: OfficeScope) {
  const row = await db
    .selectFrom('foundation as o')
    .leftJoin('files as f', 'f.id', 'o.logo_file_id')
    .select(['o.id', 'o.name', 'o.support_phone', 'o.support_email', 'o.support_hours', 'o.version'])
    .select(['o.logo_file_id', 'o.colour', 'o.short_name', 'o.postal_address', 'o.website'])
    .select(['o.support_hours_hi', 'o.logo_width', 'o.logo_height', 'o.limits', 'o.identity_version'])
    .select(['o.logo_version', 'o.colour_version', 'o.support_version', 'o.limits_version'])
    .select('f.name as logo_name')
    .executeTakeFirst()
  const id = row?.logo_file_id ?? ''
  return {
    identity: {
      name: row?.name ?? '',
      shortName: row?.short_name ?? '',
      postalAddress: row?.postal_address ?? '',
      website: row?.website ?? '',
      version: row?.identity_version ?? 1,
    },
    logo: {
      address: id === '' ? '' : `/brand/${id}.png`,
      name: row?.logo_name ?? '',
      width: row?.logo_width ?? 0,
      height: row?.logo_height ?? 0,
      version: row?.logo_version ?? 1,
    },
    colour: { colour: row?.colour ?? '', version: row?.colour_version ?? 1 },
    support: {
      phone: row?.support_phone ?? '',
      email: row?.support_email ?? '',
      hours: row?.support_hours ?? '',
      hoursHi: row?.support_hours_hi ?? '',
      version: row?.support_version ?? 1,
    },
    limits: { ...limitsFrom(row?.limits), version: row?.limits_version ?? 1 },
  }
}

/** The sentences that dialogs offer for a reason, a list for each kind of decision. */
export async function standardReasons(db: Db, _scope: OfficeScope) {
  const rows = await db.selectFrom('standard_reasons').select(['kind', 'reasons', 'version']).execute()
  return reasonKinds.flatMap((kind) => {
    const row = rows.find((one) => one.kind === kind)
    return row ? [{ ...row, kind, reasons: reasonsForm.shape.reasons.parse(row.reasons) }] : []
  })
}

const pageSize = 50
const mostCounted = 10_000

const conditions = {
  open: sql`j.state in ('waiting', 'running')`,
  failed: sql`j.state = 'failed'`,
  all: sql`true`,
}

interface Row extends Omit<OfficeJob, 'createdAt' | 'endedAt'> {
  createdAt: Date
  endedAt: Date | null
}

interface Asked {
  state: keyof typeof conditions
  search: string
}

function chosen({ state, search }: Asked): RawBuilder<unknown> {
  if (search === '') return conditions[state]
  return sql`${conditions[state]} and translate(j.kind, '.-', '__') = any(${jobsCalled(search)}::text[])`
}

async function jobsBy(db: Db | Tx, asked: Asked, window: RawBuilder<unknown>): Promise<OfficeJob[]> {
  const { rows } = await sql<Row>`
    select j.id, j.kind, j.state, j.done, j.total, coalesce(j.season, '') as season, coalesce(c.name, '') as "schName",
      coalesce(j.error, '') as error, j.created_at as "createdAt", j.ended_at as "endedAt"
    from (select * from jobs j where ${chosen(asked)} order by j.created_at desc, j.id desc ${window}) j
      left join schools c on c.id = j.school_id
    order by j.created_at desc, j.id desc`.execute(db)
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }))
}

/** The newest long work that the filters leave, as much as the list counts. */
export const jobsForFile = (tx: Tx, _scope: OfficeScope, asked: Asked) =>
  jobsBy(tx, asked, sql`limit ${mostCounted}`)

/** One page of the long work of all features, the newest first. */
export async function allJobs(db: Db, _scope: OfficeScope, asked: Asked & { page: number }) {
  const offset = (Math.min(Math.max(1, asked.page), mostCounted / pageSize) - 1) * pageSize
  const counted = await sql<{ n: number }>`
    select count(*) as n from (select from jobs j where ${chosen(asked)} limit ${mostCounted}) x`.execute(db)
  return {
    data: await jobsBy(db, asked, sql`limit ${pageSize} offset ${offset}`),
    total: counted.rows[0]?.n ?? 0,
    pageSize,
  }
}
