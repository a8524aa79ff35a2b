import { formatRupees } from '@podium/contract/money'
import { formatDay, istDay } from '@podium/contract/season'
import type { StudentRow } from '@podium/contract/students/calls'
import type { Letterhead } from '#platform/pdf/letterhead'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import type { PaperSchool } from './queries.ts'
import { type Group, grossOf, groupName, groupsOf, keptOf, standing, sumsOf } from './rules.ts'

export interface ListMaking {
  foundation: Letterhead
  school: PaperSchool
  season: string
  /** Name of the subject that the list is narrowed to, or '' */
  subject: string
  now: Date
  /** Called between the groups: how many students are drawn */
  progress: (done: number) => Promise<void>
}

function begin(title: string, { foundation, school, season, now }: ListMaking, landscape: boolean) {
  const foot = `${school.name}, school code ${school.code}. Printed on ${formatDay(istDay(now))}.`
  return { title: `${title} ${season}`, createdAt: now, foundation, foot, landscape }
}

const titled = (title: string, subject: string) => (subject === '' ? title : `${title}, ${subject}`)

/** Each class and section begins where a teacher can cut: on a page of its own, once the list has more than one. */
async function eachGroup(
  page: PdfPage,
  students: readonly StudentRow[],
  making: ListMaking,
  draw: (group: Group) => void,
): Promise<void> {
  let done = 0
  for (const [index, group] of groupsOf(students).entries()) {
    if (index > 0) page.newPage()
    draw(group)
    done += group.students.length
    await page.pause()
    await making.progress(done)
  }
}

/** The class list: a sheet for each class and section, with a column to tick. */
export function classListPdf(students: readonly StudentRow[], making: ListMaking): Promise<Buffer> {
  const title = titled('Class list', making.subject)
  return makePdf(begin(title, making, false), (page) =>
    eachGroup(page, students, making, (group) => {
      page.heading(groupName(group))
      page.text(`${making.school.name}. ${title}. ${countText(group.students.length)}.`)
      page.space(4)
      page.table({
        columns: [
          { title: 'Roll no', weight: 1.3, align: 'right' },
          { title: 'Student name', weight: 4 },
          { title: 'Parent', weight: 3 },
          { title: 'Mobile', weight: 2 },
          { title: 'Subjects', weight: 1.9 },
          { title: 'Books', weight: 1.2, align: 'right' },
          { title: 'Note', weight: 1.8 },
        ],
        rows: group.students.map((row) => [
          String(row.rollNo),
          row.studentName,
          row.parentName,
          row.parentMobileNo,
          row.eventLetter.replaceAll(',', ', '),
          row.bookCount === 0 ? '' : String(row.bookCount),
          '',
        ]),
        toFillIn: true,
        size: 9,
      })
    }),
  )
}

const countText = (n: number) => (n === 1 ? '1 student' : `${n} students`)

/**
 * The list for who collects the money: for each child what is to be paid, and a place for the parent's signature; below
 * each class what was to be collected, what the school keeps of it, and what goes to the foundation.
 */
export function feeListPdf(students: readonly StudentRow[], making: ListMaking): Promise<Buffer> {
  const title = titled('Fee collection list', making.subject)
  return makePdf(begin(title, making, true), async (page) => {
    await eachGroup(page, students, making, (group) => {
      page.heading(`${groupName(group)}, fee collection`)
      page.text(`${making.school.name}. ${title}. ${countText(group.students.length)}.`)
      page.space(4)
      feeTable(page, group)
    })
    total(page, students)
  })
}

/** A late fee in it is named: the family asks for it. */
const registration = ({ regAmount, lateFee }: StudentRow) =>
  lateFee > 0
    ? `${formatRupees(regAmount)}, late fee ${formatRupees(lateFee)} in it`
    : formatRupees(regAmount)

function feeTable(page: PdfPage, { students }: Group): void {
  const sums = sumsOf(students)
  page.table({
    columns: [
      { title: 'Roll no', weight: 0.9, align: 'right' },
      { title: 'Student name', weight: 3.4 },
      { title: 'Subjects', weight: 1.7 },
      { title: 'Registration', weight: 1.5, align: 'right' },
      { title: 'Books', weight: 1.4, align: 'right' },
      { title: 'To collect', weight: 1.5, align: 'right' },
      { title: 'School keeps', weight: 1.5, align: 'right' },
      { title: 'State', weight: 1.5 },
      { title: 'Collected on, signature', weight: 3.2 },
    ],
    rows: students.map((row) => [
      String(row.rollNo),
      row.studentName,
      row.eventLetter.replaceAll(',', ', '),
      registration(row),
      row.bookAmount === 0 ? '–' : formatRupees(row.bookAmount),
      formatRupees(grossOf(row)),
      formatRupees(keptOf(row)),
      standing(row),
      '',
    ]),
    foot: ['', 'Total', '', '', '', formatRupees(sums.gross), formatRupees(sums.kept), '', ''],
    toFillIn: true,
    size: 9,
  })
}

function total(page: PdfPage, students: readonly StudentRow[]): void {
  const { gross, kept, payable, paid } = sumsOf(students)
  page.room(150)
  page.subheading(`All of this list, ${countText(students.length)}`)
  page.keyValues(
    [
      ['To collect', formatRupees(gross)],
      ['School keeps', formatRupees(kept)],
      ['To the foundation', formatRupees(payable)],
      ['Of it paid already', formatRupees(paid)],
    ],
    2,
  )
  page.space(22)
  page.beside(
    [4, 4, 2],
    ['Collected by, name and signature', 'Received by, name and signature', 'Date'].map((label) => () => {
      page.rule()
      page.text(label, { size: 9 })
    }),
  )
}
