import { brandSheet } from '@podium/contract/brand'
import { type OfficeJob, reasonKinds, reasonsForm } from '@podium/contract/office/calls-settings'
import { limitsFrom } from '@podium/contract/office/rules-limits'
import { jobsCalled } from '@podium/contract/office/words-jobs'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { type FileStore, readStored } from '#platform/files/files'
import type { Logo } from '#platform/files/images'
import type { Sender } from '#platform/mail/mail-templates'
import type { Letterhead } from '#platform/pdf/letterhead'

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

/** What holds before the office has set anything; the name is that of the product. */
const builtIn = {
  name: 'Podium',
  short_name: '',
  postal_address: '',
  website: '',
  support_phone: '',
  support_email: '',
  support_hours: 'Monday to Friday, 9 AM to 5 PM',
  support_hours_hi: 'सोमवार से शुक्रवार, सुबह 9 से शाम 5 बजे',
  receipt_prefix: 'PD',
  social_links: [],
  logo_file_id: null,
  logo_width: 0,
  logo_height: 0,
  colour: '',
  limits: {},
  demo: false,
}

/**
 * The foundation as it presents itself: its names, how to reach it, how it looks, its pages; `demo` tells a demo world
 * from a real one. One row by its key, read whenever it is needed: so every process shows a change at once.
 */
export async function readFoundation(db: Db | Tx) {
  return (
    (await db
      .selectFrom('foundation')
      .select(['id', 'name', 'support_phone', 'support_email', 'support_hours', 'receipt_prefix'])
      .select(['social_links', 'demo', 'version', 'logo_file_id', 'colour', 'short_name', 'postal_address'])
      .select(['website', 'support_hours_hi', 'logo_width', 'logo_height', 'limits', 'identity_version'])
      .select(['logo_version', 'colour_version', 'support_version', 'limits_version'])
      .executeTakeFirst()) ?? builtIn
  )
}

type Foundation = Awaited<ReturnType<typeof readFoundation>>

/** The support hours in both languages; in Hindi as in English where there is no Hindi text. */
export const hoursOf = ({ support_hours: en, support_hours_hi: hi }: Foundation) => ({ en, hi: hi || en })

/** The name where room is short: heads of pages, slips. */
const shortNameOf = ({ name, short_name: short }: Foundation): string => short || name

/** What every mail says of its sender. */
export async function mailSender(db: Db | Tx): Promise<Sender> {
  const foundation = await readFoundation(db)
  return {
    foundation: foundation.name,
    shortName: shortNameOf(foundation),
    supportPhone: foundation.support_phone,
    supportEmail: foundation.support_email,
    supportHours: hoursOf(foundation),
    postalAddress: foundation.postal_address,
    website: foundation.website,
  }
}

/** The logo's picture; undefined where there is none, or its content is lost: a paper without it is better than none. */
async function logoOf(db: Db | Tx, files: FileStore, foundation: Foundation): Promise<Logo | undefined> {
  const { logo_file_id: id, logo_width: width, logo_height: height } = foundation
  if (id === null) return undefined
  const stored = await readStored(db, files, id, { kind: 'logo' }).catch(() => undefined)
  return stored && { bytes: stored.content, width, height }
}

/** The head of papers. */
export async function letterhead(db: Db | Tx, files: FileStore): Promise<Letterhead> {
  const foundation = await readFoundation(db)
  return {
    name: foundation.name,
    shortName: shortNameOf(foundation),
    postalAddress: foundation.postal_address,
    website: foundation.website,
    phone: foundation.support_phone,
    email: foundation.support_email,
    hours: hoursOf(foundation),
    logo: await logoOf(db, files, foundation),
    colour: foundation.colour,
  }
}

/** How the web entries present the foundation; `sheet` is empty for the built-in colour. */
export async function readLook(db: Db) {
  const foundation = await readFoundation(db)
  const { logo_file_id: id, logo_width: width, logo_height: height, colour } = foundation
  return {
    name: shortNameOf(foundation),
    logo: id === null ? undefined : { id, width, height },
    sheet: colour === '' ? '' : brandSheet(colour),
  }
}

/** The logo's PNG by the id that pages name; undefined for any other file. */
export async function readLogo(db: Db, files: FileStore, id: string): Promise<Buffer | undefined> {
  const foundation = await readFoundation(db)
  if (foundation.logo_file_id !== id) return undefined
  return (await logoOf(db, files, foundation))?.bytes
}
