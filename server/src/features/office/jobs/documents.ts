import type { jobStates, OfficeJob } from '@podium/contract/office/calls-settings'
import { workName } from '@podium/contract/office/words-jobs'
import type { FileAnswer } from '#platform/http/http'
import { momentCell, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

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
export const jobsFile = (
  jobs: readonly OfficeJob[],
  show: (typeof jobStates)[number],
  format: SheetFormat,
): FileAnswer['file'] => sheetFile(`Background jobs ${show}`, columns, jobs.map(cells), format)
