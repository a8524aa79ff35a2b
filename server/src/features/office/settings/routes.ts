import * as calls from '@podium/contract/office/calls-settings'
import { type OfficeJob, reasonKinds, reasonsForm } from '@podium/contract/office/calls-settings'
import { limitsFrom } from '@podium/contract/office/rules-limits'
import { findJobKeys, jobName } from '@podium/contract/office/words'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { instant, pageOf } from '#platform/db/list-queries'
import type { Deps } from '#platform/deps'
import { letterhead, readBranding, readLogo } from '#platform/foundation'
import { command, serve, write } from '#platform/http/http'
import type { Branding, BrandingSource } from '#platform/http/pages'
import { makePdf } from '#platform/pdf/pdf'
import { drawMark } from '#platform/pdf/pdf-parts'
import { addressLine, helpLine, type Letterhead, reachLine } from '#platform/pdf/pdf-text'
import { type ListColumn, sheetFile, timestampCell } from '#platform/sheets/spreadsheet-write'
import * as commands from './commands.ts'

/** The foundation's settings and changed limits; before the first change every part has version 1. */
async function foundationAsSet(db: Db, _scope: OfficeScope) {
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

/** The standard reasons, a list for each kind of decision. */
async function standardReasons(db: Db, _scope: OfficeScope) {
  const rows = await db.selectFrom('standard_reasons').select(['kind', 'reasons', 'version']).execute()
  return reasonKinds.flatMap((kind) => {
    const row = rows.find((row) => row.kind === kind)
    return row ? [{ ...row, kind, reasons: reasonsForm.shape.reasons.parse(row.reasons) }] : []
  })
}

const pageSize = 50
const maxCounted = 10_000

const conditions = {
  open: sql`j.state in ('waiting', 'running')`,
  failed: sql`j.state = 'failed'`,
  all: sql`true`,
}

interface JobQuery {
  state: keyof typeof conditions
  search: string
}

function chosen({ state, search }: JobQuery): RawBuilder<unknown> {
  if (search === '') return conditions[state]
  return sql`${conditions[state]} and translate(j.kind, '.-', '__') = any(${findJobKeys(search)}::text[])`
}

async function jobsBy(db: Db | Tx, query: JobQuery, window: RawBuilder<unknown>): Promise<OfficeJob[]> {
  const { rows } = await sql<OfficeJob>`
    select j.id, j.kind, j.state, j.done, j.total, coalesce(j.season, '') as season, coalesce(c.name, '') as "schName",
      coalesce(j.error, '') as error, ${instant('j.created_at')} as "createdAt",
      ${instant('j.ended_at')} as "endedAt"
    from (select * from jobs j where ${chosen(query)} order by j.created_at desc, j.id desc ${window}) j
      left join schools c on c.id = j.school_id
    order by j.created_at desc, j.id desc`.execute(db)
  return rows
}

/** The newest jobs that match the filters, as many as the list counts. */
const jobsForFile = (tx: Tx, _scope: OfficeScope, query: JobQuery) =>
  jobsBy(tx, query, sql`limit ${maxCounted}`)

/** One page of the jobs of all features, newest first. */
async function allJobs(db: Db, _scope: OfficeScope, query: JobQuery & { page: number }) {
  const page = Math.min(query.page, maxCounted / pageSize)
  const counted = await sql<{ n: number }>`
    select count(*) as n from (select from jobs j where ${chosen(query)} limit ${maxCounted}) x`.execute(db)
  return { data: await jobsBy(db, query, pageOf(page, pageSize)), total: counted.rows[0]?.n ?? 0, pageSize }
}

const columns: readonly ListColumn<OfficeJob>[] = [
  { title: 'Job', width: 32, value: (job) => jobName(job.kind) },
  { title: 'School', width: 36, value: (job) => job.schName },
  { title: 'Status', value: (job) => states[job.state] },
  { title: 'Done', kind: 'number', value: (job) => job.done },
  { title: 'Of', kind: 'number', value: (job) => job.total },
  { title: 'Season', value: (job) => job.season },
  { title: 'Started', width: 22, value: (job) => timestampCell(job.createdAt) },
  { title: 'Ended', width: 22, value: (job) => timestampCell(job.endedAt) },
  { title: 'Error', width: 60, value: (job) => job.error },
]

const states = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Stopped',
} as const

/** A specimen page, to check how name, logo, colour and addresses print. */
function specimenPdf(foundation: Letterhead, createdAt: Date): Promise<Buffer> {
  return makePdf({ title: 'Specimen', createdAt, foundation, foot: helpLine(foundation) }, (page) => {
    page.heading('Specimen')
    page.text('Receipts, statements, lists and forms have this head and this foot.')
    page.space(16)
    page.room(80)
    drawMark(page, page.x, page.y, 60)
    page.space(76)
    page.keyValues([
      ['Name', foundation.name],
      ['Short name', foundation.shortName ?? ''],
      ['Postal address', addressLine(foundation)],
      ['How to reach us', reachLine(foundation)],
      ['Support hours', foundation.hours?.en ?? ''],
      ['In Hindi', foundation.hours?.hi ?? ''],
    ])
  })
}

/** Routes for the foundation's settings and limits, and for background jobs. */
export function settingsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps
  serve(app, deps, calls.foundationSettings, 'office:signed-in', ({ scope }) => foundationAsSet(db, scope))

  command(app, deps, calls.saveIdentity, 'office:settings.write', commands.saveIdentity)
  command(app, deps, calls.saveSupport, 'office:settings.write', commands.saveSupport)
  command(app, deps, calls.saveColour, 'office:settings.write', commands.saveColour)
  command(app, deps, calls.saveLimits, 'office:settings.write', commands.saveLimits)

  serve(
    app,
    deps,
    calls.saveLogo,
    'office:settings.write',
    async ({ scope, query, upload, now }) => {
      const sent = await commands.readSentLogo(files, upload, query.version)
      await db.transaction().execute((tx) => commands.saveLogo(tx, scope, now, files, sent))
      return {}
    },
    {
      async guard({ query }) {
        await commands.refuseOtherLogo(db, query.version)
        return undefined
      },
    },
  )

  write(app, deps, calls.removeLogo, 'office:settings.write', (tx, { scope, body, now }) =>
    commands.removeLogo(tx, scope, now, body.version),
  )

  serve(app, deps, calls.standardReasons, 'office:signed-in', async ({ scope }) => ({
    data: await standardReasons(db, scope),
  }))

  command(app, deps, calls.saveReasons, 'office:settings.write', commands.saveReasons)

  serve(app, deps, calls.specimen, 'office:signed-in', async ({ now }) => ({
    file: {
      name: 'Specimen.pdf',
      mediaType: 'application/pdf',
      content: await specimenPdf(await letterhead(db, files), now),
    },
  }))

  serve(app, deps, calls.officeJobs, 'office:jobs.read', ({ scope, query }) => allJobs(db, scope, query))

  write(app, deps, calls.exportJobs, 'office:jobs.read', async (tx, { scope, body, now }) => {
    const { format, ...filters } = body
    const jobs = await jobsForFile(tx, scope, filters)
    const change = { format, jobs: jobs.length, filters }
    await audit(tx, now, scope, 'job.exported', { kind: 'job', id: 'all' }, change)
    return { file: sheetFile(`Background jobs ${body.state}`, columns, jobs, format) }
  })

  write(app, deps, calls.stopJob, 'office:jobs.cancel', (tx, { scope, body, now }) =>
    commands.stopJob(tx, scope, now, body.id),
  )
}

/** Milliseconds a page waits for the database before it uses the last known look. */
const patience = 1_000
const builtIn: Branding = { name: 'Podium', logo: undefined, sheet: '' }

/** Reads the foundation's look for every page; while the database is unavailable, the last one read is used. */
export function brandingSource({ db, files, log }: Pick<Deps, 'db' | 'files' | 'log'>): BrandingSource {
  let last = builtIn
  return {
    async read() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<Branding>((resolve) => {
        timer = setTimeout(() => resolve(last), patience)
      })
      const read = readBranding(db).then(
        (now) => {
          last = now
          return now
        },
        (error: unknown) => {
          log.warn({ err: error }, 'the look of pages could not be read')
          return last
        },
      )
      return Promise.race([read, late]).finally(() => clearTimeout(timer))
    },
    logo: (id) => readLogo(db, files, id),
  }
}
