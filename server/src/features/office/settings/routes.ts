import type { jobStates, OfficeJob } from '@podium/contract/office/calls-settings'
import * as calls from '@podium/contract/office/calls-settings'
import { workName } from '@podium/contract/office/words-jobs'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { letterhead, readLogo, readLook } from '#platform/foundation'
import { type FileAnswer, serve } from '#platform/http/http'
import type { Look, LookSource } from '#platform/http/pages'
import { addressLine, helpLine, type Letterhead, reachLine } from '#platform/pdf/letterhead'
import { makePdf } from '#platform/pdf/pdf'
import { drawMark } from '#platform/pdf/pdf-frame'
import { momentCell, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'
import * as commands from './commands.ts'
import { allJobs, foundationAsSet, jobsForFile, standardReasons } from './queries.ts'

const columns: readonly SheetColumn[] = [
  { title: 'Job', width: 32 },
  { title: 'School', width: 36 },
  { title: 'State' },
  { title: 'Done', kind: 'number' },
  { title: 'Of', kind: 'number' },
  { title: 'Season' },
  { title: 'Started', width: 22 },
  { title: 'Ended', width: 22 },
  { title: 'Error', width: 60 },
]

const states = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Stopped',
} as const

const cells = (job: OfficeJob): SheetValue[] => [
  ...[workName(job.kind), job.schName, states[job.state], job.done, job.total, job.season],
  ...[momentCell(job.createdAt), momentCell(job.endedAt), job.error],
]

/** Long work in a state as a file; moments in India. */
const jobsFile = (
  jobs: readonly OfficeJob[],
  show: (typeof jobStates)[number],
  format: SheetFormat,
): FileAnswer['file'] => sheetFile(`Background jobs ${show}`, columns, jobs.map(cells), format)

/** A sheet in the form of the office's papers, to see how name, logo, colour and addresses come out of a printer. */
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

/** How the foundation presents itself, its limits, and the long work of all features. */
export function settingsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, files } = deps
  const within = async (write: (tx: Tx) => Promise<void>) => {
    await db.transaction().execute(write)
    return {}
  }

  serve(app, deps, calls.foundationSettings, 'office:signed-in', ({ scope }) => foundationAsSet(db, scope))

  serve(app, deps, calls.saveIdentity, 'office:settings.write', ({ scope, body, now }) =>
    within((tx) => commands.saveIdentity(tx, scope, now, body)),
  )

  serve(app, deps, calls.saveSupport, 'office:settings.write', ({ scope, body, now }) =>
    within((tx) => commands.saveSupport(tx, scope, now, body)),
  )

  serve(app, deps, calls.saveColour, 'office:settings.write', ({ scope, body, now }) =>
    within((tx) => commands.saveColour(tx, scope, now, body)),
  )

  serve(app, deps, calls.saveLimits, 'office:settings.write', ({ scope, body, now }) =>
    within((tx) => commands.saveLimits(tx, scope, now, body)),
  )

  serve(
    app,
    deps,
    calls.saveLogo,
    'office:settings.write',
    async ({ scope, query, upload, now }) => {
      const sent = await commands.readSentLogo(files, upload, query.version)
      return within((tx) => commands.saveLogo(tx, scope, now, files, sent))
    },
    {
      async guard({ query }) {
        await commands.refuseOtherLogo(db, query.version)
        return undefined
      },
    },
  )

  serve(app, deps, calls.removeLogo, 'office:settings.write', ({ scope, body, now }) =>
    within((tx) => commands.removeLogo(tx, scope, now, body.version)),
  )

  serve(app, deps, calls.standardReasons, 'office:signed-in', async ({ scope }) => ({
    data: await standardReasons(db, scope),
  }))

  serve(app, deps, calls.saveReasons, 'office:settings.write', ({ scope, body, now }) =>
    within((tx) => commands.saveReasons(tx, scope, now, body)),
  )

  serve(app, deps, calls.specimen, 'office:signed-in', async ({ now }) => ({
    file: {
      name: 'Specimen.pdf',
      mediaType: 'application/pdf',
      content: await specimenPdf(await letterhead(db, files), now),
    },
  }))

  serve(app, deps, calls.officeJobs, 'office:jobs.read', ({ scope, query }) => allJobs(db, scope, query))

  serve(app, deps, calls.exportJobs, 'office:jobs.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const jobs = await db.transaction().execute(async (tx) => {
      const chosen = await jobsForFile(tx, scope, filters)
      const told = { format, jobs: chosen.length, filters }
      await audit(tx, now, scope, 'job.exported', { kind: 'job', id: 'all' }, told)
      return chosen
    })
    return { file: jobsFile(jobs, body.state, format) }
  })

  serve(app, deps, calls.stopJob, 'office:jobs.cancel', ({ scope, body, now }) =>
    within((tx) => commands.stopJob(tx, scope, now, body.id)),
  )
}

/** A page waits so long for the database and is then shown as it looked last, in milliseconds. */
const patience = 1_000
const builtIn: Look = { name: 'Podium', logo: undefined, sheet: '' }

/** How pages look, read for each of them; while the database is away, as it was read last. */
export function pageLook({ db, files, log }: Pick<Deps, 'db' | 'files' | 'log'>): LookSource {
  let last = builtIn
  return {
    async look() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<Look>((resolve) => {
        timer = setTimeout(() => resolve(last), patience)
      })
      const read = readLook(db).then(
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
