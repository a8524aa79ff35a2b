import { type BookKind, bookKindsOf, bookNames, classes, className } from '@podium/contract/classes'
import * as calls from '@podium/contract/dashboard/calls'
import { formatRupees, rupeesOf } from '@podium/contract/money'
import { formatDay, istDay } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { countListsToEnter } from '#features/exams/attendance/queries'
import { dueItems, entriesOf, moneyAnswer, schoolMoney } from '#features/payments/queries'
import { readFormSchool } from '#features/students/lists/queries'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { letterhead } from '#platform/foundation'
import { serve } from '#platform/http/http'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import type { Letterhead } from '#platform/pdf/pdf-text'
import * as queries from './queries.ts'
import { deadlinesOf, trackOf } from './rules.ts'

const money = (amount: number | null) => (amount === null ? '–' : formatRupees(rupeesOf(amount)))
const spanned = (span: queries.Span | null) =>
  span && span[0] !== span[1] ? `${money(span[0])} to ${money(span[1])}` : money(span?.[0] ?? null)
const spaced = (list: string) => list.replaceAll(/,(?! )/g, ', ')
const day = (text: string | null) => (text === null ? '–' : formatDay(text))

function draw(
  title: string,
  data: queries.FormData,
  issuer: Letterhead,
  now: Date,
  body: (page: PdfPage) => void | Promise<void>,
): Promise<Buffer> {
  const { code } = data.school
  const foot = [code && `School code ${code}`, issuer.phone && `Help: ${issuer.phone}`]
    .filter(Boolean)
    .join('. ')
  return makePdf(
    { title: `${title} ${data.season}`, createdAt: now, foundation: issuer, foot },
    async (page) => {
      page.heading(`${title} ${data.season}`)
      await body(page)
    },
  )
}

function signatures(page: PdfPage): void {
  page.room(56)
  page.space(20)
  const lines = ['Coordinator, name and signature', 'Principal, signature and stamp', 'Date']
  page.beside(
    [4, 4, 2],
    lines.map((label) => () => {
      page.space(18)
      page.rule()
      page.text(label, { size: 9 })
    }),
  )
}

function schoolBlock(page: PdfPage, { school, blank }: queries.FormData): void {
  if (blank) {
    const names = [
      ['School code', school.code],
      ['School name', school.name],
    ] as const
    // A code comes with the registration: until then there is a line for it.
    if (school.code) page.keyValues(names, 2)
    else for (const [label, value] of names) page.blank(label, value)
    return
  }
  page.keyValues(
    [
      ['School code', school.code],
      ['School name', school.name],
      ['Address', school.address],
      ['City', school.city],
      ['District', school.district],
      ['State', school.state],
      ['Country', school.country],
      ['PIN code', school.pin_code],
    ],
    2,
  )
}

/** The school registration form, filled in as far as the data is known, with lines to write on for the rest. */
function schoolForm(data: queries.FormData, issuer: Letterhead, now: Date): Promise<Buffer> {
  return draw('School registration form', data, issuer, now, (page) => {
    const { school } = data
    page.text(
      data.blank
        ? 'Please fill in the form in capital letters.'
        : 'Please check the printed details, correct them by hand where needed, and fill in the rest.',
    )
    page.subheading('School')
    schoolBlock(page, data)
    page.space(6)
    const place = ['Address', 'City, district', 'State, country', 'PIN code'] as const
    if (data.blank) for (const label of place) page.blank(label)
    for (const [label, value] of [
      ['E-mail', school.email],
      ['Phone', school.phone],
      ['Landline', school.landline],
      ['Website', school.website],
      ['Affiliation no.', school.affiliation_no],
      ['UDISE code', school.udise_code],
    ] as const) {
      page.blank(label, value)
    }
    page.subheading('Contact persons')
    page.table({
      columns: [
        { title: 'Designation', weight: 2 },
        { title: 'Name', weight: 3 },
        { title: 'Mobile', weight: 2 },
        { title: 'E-mail', weight: 3 },
      ],
      rows: [
        ...data.contacts.map((c) => [c.designation, `${c.title} ${c.name}`, c.mobile, c.email]),
        ...Array.from({ length: Math.max(0, 3 - data.contacts.length) }, () => ['', '', '', '']),
      ],
      toFillIn: true,
    })
    page.subheading('Olympiads our school takes part in')
    page.table({
      columns: [
        { title: 'Olympiad', weight: 4 },
        { title: 'First date', weight: 2 },
        { title: 'Second date', weight: 2 },
        { title: 'Students', weight: 2, align: 'right' },
        { title: 'Date chosen', weight: 2 },
      ],
      rows: data.subjects.map((subject) => {
        const students = data.counts
          .filter((c) => c.letter === subject.letter)
          .reduce((sum, c) => sum + c.students, 0)
        const online = subject.mode === 'Online'
        return [
          subject.name,
          online ? 'Online' : day(subject.firstDate),
          online ? 'Online' : day(subject.secondDate),
          students === 0 ? '' : String(students),
          subject.chosenDate ? day(subject.chosenDate) : '',
        ]
      }),
      toFillIn: true,
    })
    signatures(page)
  })
}

const upper: BookKind[] = ['cb', 'pyqp', 'geneX']
const little: BookKind[] = ['tb', 'wb']

/** The book order form: a grid of subjects and kinds for each group of classes, with prices and room for quantities. */
function bookOrderForm(data: queries.FormData, issuer: Letterhead, now: Date): Promise<Buffer> {
  return draw('Book order form', data, issuer, now, (page) => {
    schoolBlock(page, data)
    if (data.library.length > 0) orderedSoFar(page, data.library)
    for (const [title, kinds, isLittle] of [
      ['Class 1 to Class 12', upper, false],
      ['Nursery, LKG and UKG', little, true],
    ] as const) {
      page.subheading(title)
      page.table({
        columns: [
          { title: 'Subject', weight: 3.4 },
          { title: 'Class', weight: 1.3 },
          ...kinds.flatMap((kind) => [
            { title: bookNames[kind], weight: 2.8, align: 'right' as const },
            { title: 'Copies', weight: 1.3, align: 'right' as const },
          ]),
        ],
        rows: data.subjects
          .filter((subject) => subject.littleStar === isLittle)
          .map((subject) => [
            subject.name,
            '',
            ...kinds.flatMap((kind) => [
              spanned(subject.prices[kind.toLowerCase() as Lowercase<BookKind>]),
              '',
            ]),
          ]),
        toFillIn: true,
      })
    }
    page.text(
      'Prices are for one copy. This form is for library copies; books for individual students are ordered with their entries.',
      { size: 9 },
    )
    signatures(page)
  })
}

/** The library copies ordered so far, with their total. */
function orderedSoFar(page: PdfPage, lines: queries.FormData['library']): void {
  const sum = (of: (line: queries.FormData['library'][number]) => number) =>
    lines.reduce((total, line) => total + of(line), 0)
  page.subheading('Ordered so far')
  page.table({
    columns: [
      { title: 'Class', weight: 2 },
      { title: 'Subject', weight: 4 },
      { title: 'Book', weight: 4 },
      { title: 'Copies', weight: 1.5, align: 'right' },
      { title: 'Price', weight: 2, align: 'right' },
      { title: 'Amount', weight: 2, align: 'right' },
    ],
    rows: lines.map(({ classId, subject, kind, copies, price }) => [
      className(classId),
      subject,
      bookNames[kind],
      String(copies),
      money(price),
      money(copies * price),
    ]),
    foot: ['', 'Total', '', String(sum(({ copies }) => copies)), '', money(sum((l) => l.copies * l.price))],
  })
}

/** The student registration form: a list for each class, with the students entered so far and free lines below. */
function studentForm(data: queries.FormData, issuer: Letterhead, now: Date): Promise<Buffer> {
  return draw('Student registration form', data, issuer, now, async (page) => {
    schoolBlock(page, data)
    page.text(
      data.subjects.map((subject) => `${subject.letter} ${subject.name} ${spanned(subject.fee)}`).join(', '),
      { size: 9 },
    )
    const known = new Set(data.students.map((student) => student.classId))
    const listed = known.size === 0 ? classes : classes.filter((c) => known.has(c.classId))
    for (const { classId } of listed) {
      const kinds = bookKindsOf(classId).map((kind) => bookNames[kind])
      page.room(160)
      page.subheading(className(classId))
      page.table({
        columns: [
          { title: 'Section', weight: 1.4 },
          { title: 'Roll no', weight: 1.3, align: 'right' },
          { title: 'Student name', weight: 4 },
          { title: 'Subjects (letters)', weight: 3 },
          { title: `Books (${kinds.join(', ')})`, weight: 4 },
        ],
        rows: [
          ...data.students
            .filter((student) => student.classId === classId)
            .map((s) => [s.section, String(s.rollNo), s.name, spaced(s.letters), spaced(s.books)]),
          ...Array.from({ length: data.blank ? 8 : 4 }, () => ['', '', '', '', '']),
        ],
        toFillIn: true,
        size: 9,
      })
      await page.pause()
    }
    signatures(page)
  })
}

const forms = { school: schoolForm, books: bookOrderForm, students: studentForm }
const names = {
  school: 'School registration form',
  books: 'Book order form',
  students: 'Student registration form',
}

/** The school's dashboard: totals, dates, the season's steps, the chart and the forms to download. */
export function dashboardRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.dashboardSummary, 'school', ({ scope, query }) =>
    queries.countTotals(db, scope, query.FYear),
  )

  serve(app, deps, calls.olympiadDates, 'account', async ({ query }) => ({
    data: await queries.findDates(db, query.FYear),
    forms: await queries.hasForms(db, query.FYear),
  }))

  serve(app, deps, calls.olympiadFees, 'account', async ({ query, now }) => ({
    data: await queries.findFees(db, query.FYear, now),
  }))

  serve(app, deps, calls.seasonTrack, 'school', async ({ scope, query, now }) => {
    const season = query.FYear
    const facts = orNotFound(await queries.readTrackFacts(db, scope, season, now))
    const money = await schoolMoney(db, scope, season)
    const registration = money.due.find(({ purpose, pending }) => purpose === 'registration' && !pending)
    const dueEntries = registration ? (await entriesOf(db, scope, registration.ids)).entries : 0
    const today = istDay(now)
    const attendance =
      facts.examsFrom !== null && facts.examsFrom <= today
        ? await countListsToEnter(db, scope, season, now)
        : 0
    return trackOf({ ...facts, money: moneyAnswer(money), due: money.due, dueEntries, attendance }, today)
  })

  serve(app, deps, calls.studentsBySubject, 'school', async ({ scope, query }) => ({
    data: await queries.countBySubject(db, scope, query.FYear),
  }))

  serve(app, deps, calls.studentsByClass, 'school', async ({ scope, query }) => ({
    data: await queries.countByClass(db, scope, query.FYear),
  }))

  serve(app, deps, calls.deadlines, 'school', async ({ scope, query, now }) => {
    const facts = await queries.readDeadlineFacts(db, scope, query.FYear, now)
    // The season's due date applies to student fees; a library order has none.
    const due = (await dueItems(db, scope, query.FYear)).filter((item) => item.purpose !== 'library')
    const payable = due.reduce((total, item) => total + item.gross - item.retained, 0)
    return { data: deadlinesOf({ ...facts, payable }, istDay(now)) }
  })

  serve(app, deps, calls.downloadForm, 'account', async ({ scope, query, now }) => {
    const season = query.FYear
    // Before the school is registered nothing is known to fill in.
    const blank = query.blank === '1' || scope.kind !== 'school'
    const data = orNotFound(
      blank
        ? await queries.readBlankForm(db, await readFormSchool(db, scope), season)
        : await queries.readFormData(db, scope, season),
    )
    const content = await forms[query.form](data, await letterhead(db, deps.files), now)
    const named = [names[query.form], blank && 'blank', data.school.code, season]
    const name = `${named.filter(Boolean).join(' ')}.pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })
}
