import { className } from '@podium/contract/classes'
import type { FamilyExam, FamilyFoundation } from '@podium/contract/families/calls'
import { formatDay, formatMoment, istDay, istTime } from '@podium/contract/season'
import { hindiClassName } from '@podium/contract/students/rules-class'
import type { Language } from '#platform/mail/mail-templates'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import type { Letterhead } from '#platform/pdf/pdf-text'
import type { TicketData } from './queries.ts'

/** Texts of the enrolment ticket, by the language of the family page. */
const ticketWords = {
  en: {
    title: 'Enrollment Ticket',
    classOf: className,
    section: 'Section',
    rollNo: 'Roll no in class',
    parent: 'Parent',
    school: 'School',
    schoolCode: 'School code',
    venue: 'Exam venue',
    examRollNo: 'Exam roll no',
    noRollNo: 'Not assigned yet',
    noRollNoWhy:
      'You’ll get it once your school’s payment is verified. Then download this ticket again: it isn’t valid for the exam without the number.',
    olympiads: 'Olympiads',
    olympiad: 'Olympiad',
    mode: 'Held',
    when: 'Date',
    sign: 'Invigilator',
    modes: { Online: 'Online', Offline: 'At school' } as Record<string, string>,
    either: (first: string, second: string) => `${first} or ${second}; the school chooses`,
    notFixed: 'Will be announced',
    qr: 'Your page: details and results',
    keep: 'Please note',
    atSchoolNotes: [
      'Bring this ticket, printed or on a phone, to each exam.',
      'Be in the exam room 20 minutes before the time your school gives you.',
      'Bring two pencils and an eraser. Phones, calculators and books are not allowed in the exam room.',
    ],
    onlineNote: 'Keep this ticket at hand during an online exam.',
    mistakeNote: 'If the name, class or school is wrong, tell the class teacher before the exam.',
    follow: (name: string) => `Results, mock tests and dates: follow ${name} on`,
    help: (phone: string, hours: string) => `Help: ${phone}, ${hours}`,
  },
  hi: {
    title: 'नामांकन टिकट',
    classOf: hindiClassName,
    section: 'सेक्शन',
    rollNo: 'कक्षा का रोल नंबर',
    parent: 'अभिभावक',
    school: 'विद्यालय',
    schoolCode: 'विद्यालय कोड',
    venue: 'परीक्षा का स्थान',
    examRollNo: 'परीक्षा रोल नंबर',
    noRollNo: 'अभी नहीं मिला',
    noRollNoWhy:
      'विद्यालय की भेजी फ़ीस की जाँच पूरी होने पर यह मिलता है। तब यह टिकट फिर से डाउनलोड करें: इस नंबर के बिना परीक्षा में प्रवेश नहीं मिलेगा।',
    olympiads: 'ओलंपियाड',
    olympiad: 'ओलंपियाड',
    mode: 'कहाँ',
    when: 'तारीख',
    sign: 'निरीक्षक',
    modes: { Online: 'ऑनलाइन', Offline: 'विद्यालय में' } as Record<string, string>,
    either: (first: string, second: string) => `${first} या ${second}; विद्यालय चुनेगा`,
    notFixed: 'बाद में बताया जाएगा',
    qr: 'आपका पेज: जानकारी, परिणाम',
    keep: 'ध्यान दें',
    atSchoolNotes: [
      'हर परीक्षा में यह टिकट साथ लाएँ, काग़ज़ पर या फ़ोन में।',
      'विद्यालय के बताए समय से 20 मिनट पहले परीक्षा कक्ष में पहुँचें।',
      'दो पेंसिल और रबर लाएँ। फ़ोन, कैलकुलेटर और पुस्तकें बाहर रखें।',
    ],
    onlineNote: 'ऑनलाइन परीक्षा के समय यह टिकट पास रखें।',
    mistakeNote: 'नाम, कक्षा या विद्यालय सही न हो तो परीक्षा से पहले कक्षा शिक्षक को बताएँ।',
    follow: (name: string) => `परिणाम, मॉक टेस्ट और तारीखों के लिए ${name} से जुड़ें:`,
    help: (phone: string, hours: string) => `सहायता: ${phone}, ${hours}`,
  },
} as const

type TicketWords = (typeof ticketWords)[keyof typeof ticketWords]

interface TicketOptions {
  foundation: Letterhead
  socialLinks: FamilyFoundation['socialLinks']
  language: Language
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
  const words = ticketWords[language]
  const { phone, hours } = foundation
  return makePdf(
    {
      title: `${words.title} ${ticket.season}`,
      createdAt,
      foundation,
      language,
      foot: phone && hours ? words.help(phone, hours[language]) : '',
    },
    (page) => {
      page.heading(`${words.title} ${ticket.season}`)
      child(page, words, ticket, making.page)
      rollNumber(page, words, ticket.student.examRollNo)
      olympiads(page, words, ticket.student.exams)
      notes(page, words, ticket.student.exams, making)
    },
  )
}

const qrSide = 104

function child(page: PdfPage, words: TicketWords, { student, school }: TicketData, address: string): void {
  const place = [school.address, school.city, `${school.state} ${school.pin_code}`].join(', ')
  const venue = [words.venue, place] as const
  page.room(220)
  page.beside(
    [4, 1.2],
    [
      () => {
        page.text(student.studentName, { size: 18, bold: true })
        const section = student.section === '-' ? '' : `, ${words.section} ${student.section}`
        page.text(`${words.classOf(student.classId)}${section}`, { size: 12 })
        page.space(8)
        page.keyValues([
          [words.rollNo, String(student.rollNo)],
          [words.parent, student.m_F_Name],
          [words.school, school.name],
          [words.schoolCode, school.code],
          ...(student.exams.some(({ examMode }) => examMode === 'Offline') ? [venue] : []),
        ])
      },
      () => page.qr(address, qrSide, words.qr),
    ],
  )
  page.space(10)
}

function rollNumber(page: PdfPage, words: TicketWords, rollNo: string): void {
  page.panel(rollNo === '' ? 78 : 58, () => {
    page.text(words.examRollNo, { size: 9.5, color: soft })
    page.text(rollNo === '' ? words.noRollNo : rollNo, { size: rollNo === '' ? 13 : 19, bold: true })
    if (rollNo === '') page.text(words.noRollNoWhy, { size: 9.5 })
  })
}

function when(words: TicketWords, exam: FamilyExam): string {
  if (exam.examFrom !== null && exam.examTo !== null) {
    const [from, to] = [new Date(exam.examFrom), new Date(exam.examTo)]
    const last = istDay(from) === istDay(to) ? istTime(to) : formatMoment(to)
    return `${formatMoment(from)} – ${last}`
  }
  if (exam.examDate !== null) return formatDay(exam.examDate)
  const [first, second] = [exam.firstDate, exam.secondDate].filter((day) => day !== null).map(formatDay)
  if (first === undefined) return words.notFixed
  return second === undefined ? first : words.either(first, second)
}

function olympiads(page: PdfPage, words: TicketWords, exams: readonly FamilyExam[]): void {
  page.subheading(words.olympiads)
  page.table({
    columns: [
      { title: words.olympiad, weight: 3 },
      { title: words.mode, weight: 1.6 },
      { title: words.when, weight: 4 },
      { title: words.sign, weight: 2 },
    ],
    rows: exams.map((exam) => [
      `${exam.subjectName} (${exam.eventLetter})`,
      words.modes[exam.examMode] ?? exam.examMode,
      when(words, exam),
      '',
    ]),
    toFillIn: true,
  })
}

/** What applies to all exams, and to those at school or online only if there are such. */
function notes(
  page: PdfPage,
  words: TicketWords,
  exams: readonly FamilyExam[],
  { foundation, socialLinks }: TicketOptions,
): void {
  const isHeld = (mode: string) => exams.some(({ examMode }) => examMode === mode)
  const notes = [
    ...(isHeld('Offline') ? words.atSchoolNotes : []),
    ...(isHeld('Online') ? [words.onlineNote] : []),
    words.mistakeNote,
  ]
  page.space(6)
  page.subheading(words.keep)
  for (const [index, note] of notes.entries()) page.text(`${index + 1}. ${note}`)
  if (socialLinks.length === 0) return
  page.space(8)
  page.text(words.follow(foundation.name), { color: soft })
  for (const link of socialLinks) page.link(`${link.name}: ${link.url}`, link.url)
}
