import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** Backups, and the retention of data. */

const backup = z.object({
  id: z.int(),
  /** 'night', 'office', 'command' */
  madeBy: z.string(),
  /** The officer who started it */
  person: z.string(),
  startedAt: z.string(),
  endedAt: z.nullable(z.string()),
  fileName: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  rows: z.number(),
  files: z.int(),
  /** Contents of files that were missing from the data folder */
  missing: z.int(),
  /** When it was read back completely with every checksum correct */
  verifiedAt: z.nullable(z.string()),
  /** Deleted because of its age */
  deletedAt: z.nullable(z.string()),
  error: z.string(),
})
export type Backup = z.output<typeof backup>

export const backupList = endpoint('GET /api/office/backups/list', {
  summary: 'The latest backups with size and verification, and whether the newest verified one is too old.',
  answer: z.object({
    data: z.array(backup),
    /** When the newest verified backup was made */
    lastGood: z.nullable(z.string()),
    late: z.boolean(),
    /** Whether a backup is made automatically each night */
    nightly: z.boolean(),
    running: z.boolean(),
  }),
})

export const makeBackupNow = endpoint('POST /api/office/backups/backUp', {
  summary: 'Makes a backup now, as a background job.',
  answer: z.object({ job: z.string() }),
})

const retentionClass = z.object({
  /** Name of the kind of data */
  kind: z.string(),
  days: z.int(),
  /** Deleted by the last run; null before the first */
  last: z.nullable(z.int()),
})

const retentionRun = z.object({
  id: z.int(),
  dry: z.boolean(),
  /** Deleted, or to be deleted, by kind of data */
  counts: z.record(z.string(), z.int()),
  person: z.string(),
  startedAt: z.string(),
  endedAt: z.nullable(z.string()),
})
export type RetentionRun = z.output<typeof retentionRun>

export const retentionStatus = endpoint('GET /api/office/backups/retention', {
  summary: 'How long data are kept, and what the last runs have deleted or would delete.',
  answer: z.object({
    classes: z.array(retentionClass),
    runs: z.array(retentionRun),
    nightly: z.boolean(),
    running: z.boolean(),
  }),
})

export const runRetention = endpoint('POST /api/office/backups/runRetention', {
  summary: 'Deletes data past their retention time, or only counts them; a background job.',
  body: z.strictObject({ dry: z.boolean() }),
  answer: z.object({ job: z.string() }),
})
