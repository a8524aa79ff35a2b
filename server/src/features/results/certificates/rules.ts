import { className } from '@podium/contract/classes'
import { type CertificateShape, certificateHours } from '@podium/contract/results/calls-certificates-bulk'

export const certificatesKind = 'results.certificates'

/** Whose certificates a job makes. */
export type BulkInput = {
  eventId: number
  /** One school alone */
  schoolId: number | null
  state: string
  classId: number
  action: 'medal' | 'prize' | 'award' | null
  language: 'en' | 'hi'
  as: CertificateShape
  /** Asked for by the office: a ZIP then holds a PDF for each school */
  office: boolean
  subjectName: string
}

/** A file that a job has made; kept in its output. */
export type MadeCertificates = {
  name: string
  certificates: number
  fileId: string
  bytes: number
}

export type BulkOutput = {
  /** The version that they certify */
  setId: number
  files: MadeCertificates[]
}

interface BulkJob {
  input: Record<string, unknown>
  output: Record<string, unknown> | null
}

export const inputOf = ({ input }: Pick<BulkJob, 'input'>) => input as BulkInput

export const outputOf = ({ output }: Pick<BulkJob, 'output'>) => output as BulkOutput | null

/** Until when the files of a job can be fetched. */
export const certificatesUntil = (startedAt: Date) =>
  new Date(startedAt.getTime() + certificateHours * 3_600_000)

export interface Planned {
  studentId: number
  classId: number
  schoolId: number
  schoolCode: string
  schoolName: string
}

export interface PlannedFile {
  name: string
  studentIds: number[]
}

/** So many certificates a PDF holds: what a school's printer takes, and a page's memory. */
export const longestFile = 300

/**
 * The PDFs of a job in their order: by class, or by school in a ZIP of the office; a long one in parts. The same list
 * gives the same files, so that a job which was cut off goes on where it was.
 */
export function plannedFiles(rows: readonly Planned[], input: BulkInput): PlannedFile[] {
  const bySchool = input.office && input.as === 'zip'
  const groups = Map.groupBy(rows, (row) => (bySchool ? row.schoolId : row.classId))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const title = bySchool ? `${first.schoolCode} ${first.schoolName}` : className(first.classId)
    const parts = Math.ceil(group.length / longestFile)
    return Array.from({ length: parts }, (_, part) => ({
      name: `${title}${parts > 1 ? ` (${part + 1} of ${parts})` : ''}.pdf`,
      studentIds: group.slice(part * longestFile, (part + 1) * longestFile).map(({ studentId }) => studentId),
    }))
  })
}
