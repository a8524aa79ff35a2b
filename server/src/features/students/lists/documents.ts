import { type BookKind, bookKindsOf, bookNames, classCode, hindiBookNames } from '@podium/contract/classes'
import { formatRupees, type Paise, rupees } from '@podium/contract/money'
import { formatDay, istDay } from '@podium/contract/season'
import type { StudentRow } from '@podium/contract/students/calls'
import { hindiClassName } from '@podium/contract/students/rules-class'
import type { OfferedEvent } from '#features/catalogue/queries'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import type { Letterhead } from '#platform/pdf/pdf-text'
import {
  type Group,
  grossOf,
  groupName,
  groupsOf,
  headOf,
  type PaperDates,
  type PaperSchool,
  schoolShareOf,
  statusText,
  sumsOf,
} from './queries.ts'

interface FamilyFormOptions {
  foundation: Letterhead
  school: PaperSchool
  season: string
  language: FamilyLanguage
  now: Date
  offerTo: (classId: number) => readonly OfferedEvent[]
  dates: readonly PaperDates[]
  progress: (done: number) => Promise<void>
}

type FormOptions = Omit<FamilyFormOptions, 'progress'>

/** Forms drawn between progress updates; other requests get a turn after each. */
const piece = 10

/** A one-page form for each student's family, filled in with known data and the chosen subjects and books marked. */
export function familyFormsPdf(students: readonly StudentRow[], making: FamilyFormOptions): Promise<Buffer> {
  return makePdf(options(making), async (page) => {
    for (const [index, child] of students.entries()) {
      if (index > 0) page.newPage()
      drawForm(page, child.classId, child, making)
      await page.pause()
      if ((index + 1) % piece === 0 || index + 1 === students.length) await making.progress(index + 1)
    }
  })
}

/** The same form, blank except for the class's offer. */
export function blankFamilyForm(classId: number, making: FormOptions): Promise<Buffer> {
  return makePdf(options(making), (page) => drawForm(page, classId, undefined, making))
}

function options({ foundation, season, language, now, school }: FormOptions) {
  const w = familyWords[language]
  return {
    title: `${w.title} ${season}`,
    createdAt: now,
    foundation,
    language,
    unnumbered: true,
    foot: headOf(school, w.schoolCode, false),
  }
}

function drawForm(page: PdfPage, classId: number, child: StudentRow | undefined, making: FormOptions): void {
  const { school, season, language } = making
  const w = familyWords[language]
  page.heading(`${w.title} ${season}`)
  page.text(headOf(school, w.schoolCode, true), { bold: true })
  page.text(w.intro, { size: 9 })
  page.subheading(w.child)
  page.blank(w.name, child?.studentName)
  page.beside(
    [2, 1, 1],
    [
      () =>
        page.blank(w.class, language === 'hi' && classId > 12 ? hindiClassName(classId) : classCode(classId)),
      () => page.blank(w.section, child && child.section !== '-' ? child.section : ''),
      () => page.blank(w.rollNo, child ? String(child.rollNo) : ''),
    ],
  )
  page.blank(w.parent, child?.parentName)
  page.boxes(w.mobile, Math.max(10, child?.parentMobileNo.length ?? 0), child?.parentMobileNo)
  page.blank(w.email, child?.parentEmailId)
  page.subheading(w.choice)
  choiceTable(page, classId, child, making)
  page.blank(w.amount, child ? formatRupees(child.regAmount + child.bookAmount) : '')
  page.space(4)
  page.text(w.consent(making.foundation.name), { size: 9 })
  page.room(56)
  page.space(22)
  page.beside(
    [4, 2, 4],
    [w.signature, w.date, w.received].map((label) => () => {
      page.rule()
      page.text(label, { size: 9 })
    }),
  )
}

/** The mark for a choice. */
const mark = 'X'
const shortNames: Record<BookKind, string> = { cb: 'CB', pyqp: 'PTP', geneX: 'OEG', tb: 'TB', wb: 'WB' }
type EventName = (event: Pick<OfferedEvent, 'letter' | 'name'>) => string
const money = (amount: Paise) => formatRupees(rupees(amount))
const listed = (joined: string) => new Set(joined.split(',').filter(Boolean))

/** Draws subjects by rows and prices by columns; a cross in the narrow column after a price is the family's choice. */
function choiceTable(
  page: PdfPage,
  classId: number,
  child: StudentRow | undefined,
  { language, offerTo, dates }: FormOptions,
): void {
  const w = familyWords[language]
  const offer = offerTo(classId)
  const known = new Map(dates.map((date) => [date.letter, date]))
  const named: EventName = ({ letter, name }) => (language === 'hi' && known.get(letter)?.nameHi) || name
  const kinds = bookKindsOf(classId).filter((kind) => offer.some(({ books }) => books[kind]))
  const letters = listed(child?.eventLetter ?? '')
  const chosen = (kind: BookKind) => listed((kind === 'geneX' ? child?.genex : child?.[kind]) ?? '')
  const day = (letter: string) => {
    const event = known.get(letter)
    if (event?.online) return w.online
    return event?.days.map(formatDay).join(' / ') ?? ''
  }
  page.table({
    columns: [
      { title: w.subject, weight: 10 },
      { title: w.examDate, weight: 12.5 },
      { title: w.fee, weight: 4.4, align: 'right' },
      { title: mark, weight: 2.4, align: 'center' },
      ...kinds.flatMap((kind) => [
        { title: shortNames[kind], weight: 4.4, align: 'right' as const },
        { title: mark, weight: 2.4, align: 'center' as const },
      ]),
    ],
    rows: offer.map(({ letter, name, price, books }) => [
      named({ letter, name }),
      day(letter),
      money(price),
      letters.has(letter) ? mark : '',
      ...kinds.flatMap((kind) => {
        const book = books[kind]
        if (!book) return ['–', '–']
        return [money(book.price), chosen(kind).has(name) ? mark : '']
      }),
    ]),
    toFillIn: true,
    size: 8.5,
  })
  const legend = kinds
    .map((kind) => `${shortNames[kind]} ${language === 'hi' ? hindiBookNames[kind] : bookNames[kind]}`)
    .join(', ')
  if (legend !== '') page.text(legend, { size: 8.5 })
  for (const line of lateLines(offer, language, named)) page.text(line, { size: 8.5 })
}

/** Notes on late fees for the family: a line for each day and amount. */
function lateLines(offer: readonly OfferedEvent[], language: FamilyLanguage, named: EventName): string[] {
  const w = familyWords[language]
  const groups = new Map<string, OfferedEvent[]>()
  for (const event of offer) {
    const { lateRule, closesOn } = event
    if (!lateRule || lateRule.from > closesOn) continue
    const key = `${lateRule.from} ${lateRule.fee} ${event.late}`
    groups.set(key, [...(groups.get(key) ?? []), event])
  }
  return [...groups.values()].flatMap((events) => {
    const [{ lateRule, late } = { lateRule: null, late: 0 }] = events
    if (!lateRule) return []
    const names = events.length === offer.length ? w.allSubjects : events.map(named).join(', ')
    const fee = money(lateRule.fee)
    return [late > 0 ? w.lateNow(names, fee) : w.late(names, fee, formatDay(lateRule.from))]
  })
}

interface ListOptions {
  foundation: Letterhead
  school: PaperSchool
  season: string
  /** Name of the subject filter, or '' */
  subject: string
  now: Date
  /** Called between groups with the number of students drawn */
  progress: (done: number) => Promise<void>
}

const footOf = ({ school, now }: ListOptions) =>
  `${school.name}, school code ${school.code}. Printed on ${formatDay(istDay(now))}.`

function begin(title: string, { foundation, season, now }: ListOptions, landscape: boolean) {
  return { title: `${title} ${season}`, createdAt: now, foundation, landscape }
}

const titled = (title: string, subject: string) => (subject === '' ? title : `${title}, ${subject}`)

/** Starts each class and section on a new page, so that a teacher can separate them. */
async function eachGroup(
  page: PdfPage,
  students: readonly StudentRow[],
  making: ListOptions,
  title: string,
  draw: (group: Group, last: boolean) => void,
): Promise<void> {
  let done = 0
  for (const [index, group] of groupsOf(students).entries()) {
    if (index > 0) page.newPage()
    page.numberFromHere(`${groupName(group)}, ${footOf(making)}`)
    page.heading(groupName(group))
    page.text(`${making.school.name}. ${title}. ${countText(group.students.length)}.`)
    page.space(4)
    done += group.students.length
    draw(group, done === students.length)
    await page.pause()
    await making.progress(done)
  }
}

/** The class list: a sheet for each class and section, with a column for ticks. */
export function classListPdf(students: readonly StudentRow[], making: ListOptions): Promise<Buffer> {
  const title = titled('Class list', making.subject)
  return makePdf(begin(title, making, false), (page) =>
    eachGroup(page, students, making, title, (group) =>
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
      }),
    ),
  )
}

const countText = (n: number) => (n === 1 ? '1 student' : `${n} students`)

/**
 * The fee collection list: the amount due for each student with space for the parent's signature; below each class the amount
 * to collect, the school's share, and the amount for the foundation.
 */
export function feeListPdf(students: readonly StudentRow[], making: ListOptions): Promise<Buffer> {
  const title = titled('Fee collection list', making.subject)
  return makePdf(begin(title, making, true), async (page) => {
    await eachGroup(page, students, making, title, (group, last) =>
      feeTable(page, group, last ? totalHeight + 8 : 0),
    )
    total(page, students)
  })
}

/** The registration fee, naming an included late fee, because families ask about it. */
const registration = ({ regAmount, lateFee }: StudentRow) =>
  lateFee > 0
    ? `${formatRupees(regAmount)}, including late fee ${formatRupees(lateFee)}`
    : formatRupees(regAmount)

function feeTable(page: PdfPage, { students }: Group, below: number): void {
  const sums = sumsOf(students)
  page.table({
    columns: [
      { title: 'Roll no', weight: 0.9, align: 'right' },
      { title: 'Student name', weight: 3.4 },
      { title: 'Subjects', weight: 1.7 },
      { title: 'Registration', weight: 1.5, align: 'right' },
      { title: 'Books', weight: 1.4, align: 'right' },
      { title: 'To collect', weight: 1.5, align: 'right' },
      { title: 'School’s share', weight: 1.5, align: 'right' },
      { title: 'Status', weight: 1.5 },
      { title: 'Collected on, signature', weight: 3.2 },
    ],
    rows: students.map((row) => [
      String(row.rollNo),
      row.studentName,
      row.eventLetter.replaceAll(',', ', '),
      registration(row),
      row.bookAmount === 0 ? '–' : formatRupees(row.bookAmount),
      formatRupees(grossOf(row)),
      formatRupees(schoolShareOf(row)),
      statusText(row),
      '',
    ]),
    foot: ['', 'Total', '', '', '', formatRupees(sums.gross), formatRupees(sums.schoolShare), '', ''],
    below,
    toFillIn: true,
    size: 9,
  })
}

const totalHeight = 105

function total(page: PdfPage, students: readonly StudentRow[]): void {
  const { gross, schoolShare, payable, paid } = sumsOf(students)
  page.room(totalHeight)
  page.subheading(`Total for ${countText(students.length)}`)
  page.keyValues(
    [
      ['To collect', formatRupees(gross)],
      ['School’s share', formatRupees(schoolShare)],
      ['To the foundation', formatRupees(payable)],
      ['Already paid', formatRupees(paid)],
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

/** Texts of the family form, in both languages. */
const familyWords = {
  en: {
    title: 'Registration and book order form',
    intro:
      'Please check the printed details, correct them by hand where needed, and fill in the rest. Put a cross (X) next to the price of each subject and book you want, and return the form to the class teacher.',
    schoolCode: 'School code',
    child: 'Child',
    name: 'Child’s name',
    class: 'Class',
    section: 'Section',
    rollNo: 'Roll no',
    parent: 'Parent’s name',
    mobile: 'Parent’s mobile',
    email: 'E-mail',
    choice: 'Subjects and books',
    subject: 'Subject',
    examDate: 'Exam date',
    online: 'online',
    fee: 'Fee',
    amount: 'Amount to pay',
    late: (names: string, fee: string, day: string) =>
      `${names}: a student entered on ${day} or later pays a late fee of ${fee} for each subject.`,
    lateNow: (names: string, fee: string) => `${names}: the fee includes a late fee of ${fee}.`,
    allSubjects: 'All subjects',
    consent: (foundation: string) =>
      `My child takes part in the olympiads marked above. The school may share these details with ${foundation}, only for exams, results and certificates.`,
    signature: 'Parent’s signature',
    date: 'Date',
    received: 'Received by the class teacher',
  },
  hi: {
    title: 'पंजीकरण और पुस्तक ऑर्डर फ़ॉर्म',
    intro:
      'कृपया यहाँ छपी जानकारी जाँचें और हाथ से सुधारें; बाकी भरें। जो विषय और पुस्तकें चाहिए, उनके मूल्य के आगे क्रॉस (X) लगाएँ और फ़ॉर्म कक्षा अध्यापक को लौटा दें।',
    schoolCode: 'विद्यालय कोड',
    child: 'विद्यार्थी',
    name: 'विद्यार्थी का नाम',
    class: 'कक्षा',
    section: 'सेक्शन',
    rollNo: 'रोल नंबर',
    parent: 'अभिभावक का नाम',
    mobile: 'अभिभावक का मोबाइल',
    email: 'ई-मेल',
    choice: 'विषय और पुस्तकें',
    subject: 'विषय',
    examDate: 'परीक्षा तिथि',
    online: 'ऑनलाइन',
    fee: 'शुल्क',
    amount: 'देय राशि',
    late: (names: string, fee: string, day: string) =>
      `${names}: ${day} या उसके बाद की प्रविष्टि पर हर विषय का विलंब शुल्क ${fee} लगेगा।`,
    lateNow: (names: string, fee: string) => `${names}: शुल्क में ${fee} विलंब शुल्क शामिल है।`,
    allSubjects: 'सभी विषय',
    consent: (foundation: string) =>
      `मेरा बच्चा ऊपर चिह्नित ओलंपियाड में भाग लेगा। विद्यालय यह जानकारी ${foundation} को दे सकता है, जो इसे केवल परीक्षा, परिणाम और प्रमाणपत्र के लिए काम में लेगा।`,
    signature: 'अभिभावक के हस्ताक्षर',
    date: 'तिथि',
    received: 'कक्षा अध्यापक को मिला',
  },
} as const

type FamilyLanguage = keyof typeof familyWords
