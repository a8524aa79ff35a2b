import { type PaperKind, type PaperShape, paperHours } from '@podium/contract/exams/calls-attendance'
import { formatDay, formatMoment, istTime } from '@podium/contract/season'
import { concurrencyLimit, withSlot } from '#platform/concurrency-limit'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import type { Letterhead } from '#platform/pdf/pdf-text'
import type { PaperGroup, PaperStudent } from './queries.ts'

export const papersKind = 'exams.papers'

/** A file created by a job, listed in its output. */
export interface MadeFile {
  classId: number
  name: string
  students: number
  fileId: string
  bytes: number
}

/** Part of a ZIP with some of the schools, stored separately until downloaded. */
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

/** The schools of a ZIP in progress, in order. */
export const plannedSchools = ({ output }: Pick<PapersJob, 'output'>): number[] | undefined =>
  (output as { ids?: number[] } | null)?.ids

/** When the files of a job expire. */
export const availableUntil = (startedAt: Date) => new Date(startedAt.getTime() + paperHours * 3_600_000)

export const paperTitles: Record<PaperKind, string> = {
  attendance: 'Attendance sheet',
  answers: 'Answer sheet list',
  admit: 'Admit card',
}

/** What all papers of a job have in common. */
export interface SheetOptions {
  kind: PaperKind
  foundation: Letterhead
  season: string
  subject: string
  mode: string
  createdAt: Date
}

/** The lists of a whole state take minutes of CPU, so only two files are made at a time. */
const paperTurn = concurrencyLimit(2, 10)

/** Papers for groups of students (one class of one school each). Groups may arrive in parts; drawn pages are flushed. */
export function papersPdf(
  groups: AsyncIterable<readonly PaperGroup[]> | Iterable<readonly PaperGroup[]>,
  making: SheetOptions,
): Promise<Buffer> {
  const { kind, foundation, createdAt, season } = making
  const title = `${paperTitles[kind]} ${season}`
  return withSlot(paperTurn, () =>
    makePdf({ title, createdAt, foundation, bare: kind === 'admit' }, async (page) => {
      let first = true
      let place = 0
      for await (const part of groups)
        for (const group of part) {
          if (kind === 'admit') place = await drawCards(page, group, making, place)
          else drawSheet(page, group, making, first)
          first = false
          await page.pause()
        }
    }),
  )
}

const dateOf = (group: PaperGroup, { mode }: SheetOptions) =>
  group.examDate ? formatDay(group.examDate) : mode === 'Online' ? 'Online, at each student’s own time' : ''

const columnsOf = {
  attendance: [
    { title: 'No.', weight: 0.7, align: 'right' },
    { title: 'Exam Roll No', weight: 2.4 },
    { title: 'Name', weight: 3.6 },
    { title: 'Section', weight: 1.1 },
    { title: 'Present', weight: 1.1 },
    { title: 'Signature', weight: 2.6 },
  ],
  answers: [
    { title: 'No.', weight: 0.7, align: 'right' },
    { title: 'Exam Roll No', weight: 2.4 },
    { title: 'Name', weight: 3.6 },
    { title: 'Section', weight: 1.1 },
    { title: 'Answer sheet no', weight: 2.4 },
    { title: 'Handed in', weight: 1.3 },
  ],
} as const

/** Height of what the invigilator fills in below a sheet */
const signatures = 48

/** Draws one class of one school, starting on a new page. */
function drawSheet(page: PdfPage, group: PaperGroup, making: SheetOptions, first: boolean): void {
  const { kind, subject, season } = making
  if (kind === 'admit') return
  if (!first) page.newPage()
  page.numberFromHere(`${group.school.name} (${group.school.code}), ${subject}, ${group.className}`)
  page.heading(`${paperTitles[kind]} · ${subject} · ${group.className}`)
  page.keyValues(
    [
      ['School', `${group.school.name} (${group.school.code})`],
      ['Place', `${group.school.city}, ${group.school.state}`],
      ['Season', season],
      ['Exam date', dateOf(group, making)],
      ['Students', String(group.students.length)],
      ['Room', ''],
    ],
    2,
  )
  page.space(8)
  page.table({
    columns: columnsOf[kind],
    rows: group.students.map((student, index) => [
      String(index + 1),
      student.examRollNo,
      student.name,
      student.section === '-' ? '' : student.section,
      '',
      '',
    ]),
    below: signatures,
    toFillIn: true,
  })
  page.room(signatures - 8)
  page.beside(
    [1, 1, 1.4],
    [
      () => page.blank(kind === 'attendance' ? 'Present' : 'Handed in'),
      () => page.blank(kind === 'attendance' ? 'Absent' : 'Missing'),
      () => page.blank('Invigilator’s signature'),
    ],
  )
}

const mm = 72 / 25.4
const card = { left: 10 * mm, top: 12 * mm, width: 93 * mm, height: 66 * mm, gapX: 4 * mm, gapY: 3 * mm }
const cardsOfSheet = 8
const soft = '#4a555f'
const qrSide = 62

/** Draws cards, eight to a sheet, yielding after each sheet (a class takes 0.1 s). Returns the next position. */
async function drawCards(
  page: PdfPage,
  group: PaperGroup,
  making: SheetOptions,
  from: number,
): Promise<number> {
  let place = from
  for (const student of group.students) {
    if (place === cardsOfSheet) {
      page.newPage()
      place = 0
    }
    drawCard(page, place, student, group, making)
    place++
    await page.pause()
  }
  return place
}

function whenOf(student: PaperStudent, group: PaperGroup): string {
  if (student.from && student.to) return `${formatMoment(student.from)} – ${istTime(student.to)}`
  return group.examDate ? formatDay(group.examDate) : 'To be announced'
}

function drawCard(
  page: PdfPage,
  place: number,
  student: PaperStudent,
  group: PaperGroup,
  making: SheetOptions,
): void {
  const x = card.left + (place % 2) * (card.width + card.gapX)
  const y = card.top + Math.floor(place / 2) * (card.height + card.gapY)
  page.doc.roundedRect(x, y, card.width, card.height, 4).lineWidth(0.7).stroke('#8a949c')
  const inner = { x: x + 10, y: y + 9, width: card.width - 20 }
  page.at({ ...inner, width: inner.width - qrSide - 6 }, () => {
    page.text(`${making.foundation.shortName ?? making.foundation.name} · Admit card ${making.season}`, {
      size: 7.5,
      color: soft,
    })
    page.text(student.name, { size: student.name.length > 30 ? 10 : 12, bold: true })
    const section = student.section === '-' ? '' : `, Section ${student.section}`
    page.text(`${group.className}${section}, Roll No ${student.rollNo}`, { size: 9 })
    page.space(3)
    page.text('Exam Roll No', { size: 7.5, color: soft })
    page.text(student.examRollNo, { size: 13, bold: true })
  })
  page.at({ ...inner, y: inner.y + 84 }, () => {
    page.text(`${making.subject} · ${whenOf(student, group)}`, { size: 9.5, bold: true })
    page.text(`${group.school.name} (${group.school.code})`, { size: 8.5 })
    page.text(`${group.school.city}, ${group.school.state}`, { size: 8, color: soft })
  })
  page.at({ x: x + card.width - qrSide - 8, y: y + 6, width: qrSide }, () =>
    page.qr(student.examRollNo, qrSide),
  )
}
