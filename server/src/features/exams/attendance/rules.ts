import { type PaperKind, type PaperShape, paperHours } from '@podium/contract/exams/calls-attendance'

export const papersKind = 'exams.papers'

/** A file that a job has made; kept in its output. */
export interface MadeFile {
  classId: number
  name: string
  students: number
  fileId: string
  bytes: number
}

/** Some schools of a ZIP, an archive of their own until they are fetched. */
export interface MadeArchive {
  fileId: string
  students: number
  bytes: number
}

interface PapersJob {
  input: Record<string, unknown>
  output: Record<string, unknown> | null
}

export const shapeOf = ({ input }: Pick<PapersJob, 'input'>): PaperShape =>
  input.as === 'schools' ? 'schools' : 'classes'

export const kindOf = ({ input }: Pick<PapersJob, 'input'>) => input.kind as PaperKind

export const madeFiles = ({ output }: Pick<PapersJob, 'output'>): MadeFile[] =>
  (output as { files?: MadeFile[] } | null)?.files ?? []

export const madeArchives = ({ output }: Pick<PapersJob, 'output'>): MadeArchive[] =>
  (output as { archives?: MadeArchive[] } | null)?.archives ?? []

/** The schools of a ZIP that is being made, in their order. */
export const plannedSchools = ({ output }: Pick<PapersJob, 'output'>): number[] | undefined =>
  (output as { ids?: number[] } | null)?.ids

/** Until when the files of a job can be fetched. */
export const keptUntil = (startedAt: Date) => new Date(startedAt.getTime() + paperHours * 3_600_000)
