import type { FamilyExam, FamilyFoundation } from '@podium/contract/families/calls'
import type { WrittenLanguage } from '@podium/contract/languages'
import { formatDay, formatMoment, istDay, istTime } from '@podium/contract/season'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import type { Letterhead } from '#platform/pdf/pdf-text'
import { classNameIn, defineWords, type Translate } from '#platform/words'
import en from '#words/en/ticket.json' with { type: 'json' }
import hi from '#words/hi/ticket.json' with { type: 'json' }
import type { TicketData } from './queries.ts'

const wordsIn = defineWords({ en, hi })

type TicketWords = Translate<keyof typeof en>

interface TicketOptions {
  foundation: Letterhead
  socialLinks: FamilyFoundation['socialLinks']
  language: WrittenLanguage
  /** The address of the family page without the code, for the QR code */
  page: string
  createdAt: Date
}

const soft = '#4a555f'

/** The file name of a ticket, with the child's name so that a parent finds it again. */
export function ticketName({ student, season }: TicketData): string {
  return `Enrollment Ticket ${student.studentName} ${season}.pdf`
}

/** A child's enrolment ticket, usually one page; readable in black and white. */
export function ticketPdf(ticket: TicketData, making: TicketOptions): Promise<Buffer> {
  const { foundation, language, createdAt } = making
  const t = wordsIn(language)
  const { phone, hours } = foundation
  return makePdf(
    {
      title: `${t('title')} ${ticket.season}`,
      createdAt,
      foundation,
      language,
      foot: phone && hours ? t('help', { phone, hours: hours[language] }) : '',
    },
    (page) => {
      page.heading(`${t('title')} ${ticket.season}`)
      child(page, t, ticket, making)
      rollNumber(page, t, ticket.student.examRollNo)
      olympiads(page, t, ticket.student.exams)
      notes(page, t, ticket.student.exams, making)
    },
  )
}

const qrSide = 104

function child(page: PdfPage, t: TicketWords, { student, school }: TicketData, making: TicketOptions): void {
  const place = [school.address, school.city, `${school.state} ${school.pin_code}`].join(', ')
  const venue = [t('venue'), place] as const
  page.room(220)
  page.beside(
    [4, 1.2],
    [
      () => {
        page.text(student.studentName, { size: 18, bold: true })
        const section = student.section === '-' ? '' : `, ${t('section')} ${student.section}`
        page.text(`${classNameIn(making.language, student.classId)}${section}`, { size: 12 })
        page.space(8)
        page.keyValues([
          [t('rollNo'), String(student.rollNo)],
          [t('parent'), student.m_F_Name],
          [t('school'), school.name],
          [t('schoolCode'), school.code],
          ...(student.exams.some(({ examMode }) => examMode === 'Offline') ? [venue] : []),
        ])
      },
      () => page.qr(making.page, qrSide, t('qr')),
    ],
  )
  page.space(10)
}

function rollNumber(page: PdfPage, t: TicketWords, rollNo: string): void {
  page.panel(rollNo === '' ? 78 : 58, () => {
    page.text(t('examRollNo'), { size: 9.5, color: soft })
    page.text(rollNo === '' ? t('noRollNo') : rollNo, { size: rollNo === '' ? 13 : 19, bold: true })
    if (rollNo === '') page.text(t('noRollNoWhy'), { size: 9.5 })
  })
}

function when(t: TicketWords, exam: FamilyExam): string {
  if (exam.examFrom !== null && exam.examTo !== null) {
    const [from, to] = [new Date(exam.examFrom), new Date(exam.examTo)]
    const last = istDay(from) === istDay(to) ? istTime(to) : formatMoment(to)
    return `${formatMoment(from)} – ${last}`
  }
  if (exam.examDate !== null) return formatDay(exam.examDate)
  const [first, second] = [exam.firstDate, exam.secondDate].filter((day) => day !== null).map(formatDay)
  if (first === undefined) return t('notFixed')
  return second === undefined ? first : t('either', { first, second })
}

function olympiads(page: PdfPage, t: TicketWords, exams: readonly FamilyExam[]): void {
  page.subheading(t('olympiads'))
  page.table({
    columns: [
      { title: t('olympiad'), weight: 3 },
      { title: t('mode'), weight: 1.6 },
      { title: t('when'), weight: 4 },
      { title: t('sign'), weight: 2 },
    ],
    rows: exams.map((exam) => [
      `${exam.subjectName} (${exam.eventLetter})`,
      exam.examMode === 'Online' || exam.examMode === 'Offline' ? t(exam.examMode) : exam.examMode,
      when(t, exam),
      '',
    ]),
    toFillIn: true,
  })
}

/** What applies to all exams, and to those at school or online only if there are such. */
function notes(
  page: PdfPage,
  t: TicketWords,
  exams: readonly FamilyExam[],
  { foundation, socialLinks }: TicketOptions,
): void {
  const isHeld = (mode: string) => exams.some(({ examMode }) => examMode === mode)
  const notes = [
    ...(isHeld('Offline') ? ([1, 2, 3] as const).map((n) => t(`at-school-${n}`)) : []),
    ...(isHeld('Online') ? [t('onlineNote')] : []),
    t('mistakeNote'),
  ]
  page.space(6)
  page.subheading(t('keep'))
  for (const [index, note] of notes.entries()) page.text(`${index + 1}. ${note}`)
  if (socialLinks.length === 0) return
  page.space(8)
  page.text(t('follow', { name: foundation.name }), { color: soft })
  for (const link of socialLinks) page.link(`${link.name}: ${link.url}`, link.url)
}
