import { type BookKind, bookKindsOf, bookNames, classCode } from '@podium/contract/classes'
import { formatRupees, type Paise, rupees } from '@podium/contract/money'
import { formatDay } from '@podium/contract/season'
import type { StudentRow } from '@podium/contract/students/calls'
import { hindiClassName } from '@podium/contract/students/rules-class'
import type { OfferedEvent } from '#features/catalogue/queries'
import type { Letterhead } from '#platform/pdf/letterhead'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import { type FamilyLanguage, familyWords } from './documents.ts'
import type { PaperDates, PaperSchool } from './queries.ts'

export interface FamilyMaking {
  foundation: Letterhead
  school: PaperSchool
  season: string
  language: FamilyLanguage
  now: Date
  offerTo: (classId: number) => readonly OfferedEvent[]
  dates: readonly PaperDates[]
  progress: (done: number) => Promise<void>
}

/** So many forms are drawn before the count moves on; others have their turn after each. */
const piece = 10

/** A form for each child's family, a page each: filled with what is known, with the subjects and books that are chosen marked. */
export function familyFormsPdf(students: readonly StudentRow[], making: FamilyMaking): Promise<Buffer> {
  return makePdf(options(making), async (page) => {
    for (const [index, child] of students.entries()) {
      if (index > 0) page.newPage()
      drawForm(page, child.classId, child, making)
      await page.pause()
      if ((index + 1) % piece === 0 || index + 1 === students.length) await making.progress(index + 1)
    }
  })
}

/** The same form with nothing filled in but what the class is offered. */
export function blankFamilyForm(classId: number, making: Omit<FamilyMaking, 'progress'>): Promise<Buffer> {
  return makePdf(options(making), (page) => drawForm(page, classId, undefined, making))
}

function options({ foundation, season, language, now, school }: Omit<FamilyMaking, 'progress'>) {
  const w = familyWords[language]
  return {
    title: `${w.title} ${season}`,
    createdAt: now,
    foundation,
    language,
    unnumbered: true,
    foot: `${school.name}, ${school.city}. ${w.schoolCode} ${school.code}`,
  }
}

function drawForm(
  page: PdfPage,
  classId: number,
  child: StudentRow | undefined,
  making: Omit<FamilyMaking, 'progress'>,
): void {
  const { school, season, language } = making
  const w = familyWords[language]
  page.heading(`${w.title} ${season}`)
  page.text(`${school.name}, ${school.city}. ${w.schoolCode} ${school.code}`, { bold: true })
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

/** What marks a choice, by hand and in print. */
const mark = 'X'
const shortNames: Record<BookKind, string> = { cb: 'CB', pyqp: 'PTP', geneX: 'OEG', tb: 'TB', wb: 'WB' }
const hindiBooks: Record<BookKind, string> = {
  cb: 'व्यापक पुस्तक',
  pyqp: 'पिछला प्रश्नपत्र',
  geneX: 'ओलंपियाड उत्कृष्टता गाइड',
  tb: 'पाठ्यपुस्तक',
  wb: 'अभ्यास पुस्तिका',
}
type Named = (event: Pick<OfferedEvent, 'letter' | 'name'>) => string
const money = (amount: Paise) => formatRupees(rupees(amount))
const listed = (joined: string) => new Set(joined.split(',').filter(Boolean))

/** Subjects down, what they cost across; a cross in the narrow column behind a price is what the family wants. */
function choiceTable(
  page: PdfPage,
  classId: number,
  child: StudentRow | undefined,
  { language, offerTo, dates }: Omit<FamilyMaking, 'progress'>,
): void {
  const w = familyWords[language]
  const offer = offerTo(classId)
  const known = new Map(dates.map((one) => [one.letter, one]))
  const named: Named = ({ letter, name }) => (language === 'hi' && known.get(letter)?.nameHi) || name
  const kinds = bookKindsOf(classId).filter((kind) => offer.some(({ books }) => books[kind]))
  const letters = listed(child?.eventLetter ?? '')
  const chosen = (kind: BookKind) => listed((kind === 'geneX' ? child?.genex : child?.[kind]) ?? '')
  const day = (letter: string) => {
    const one = known.get(letter)
    if (one?.online) return w.online
    return one?.days.map(formatDay).join(' / ') ?? ''
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
    .map((kind) => `${shortNames[kind]} ${language === 'hi' ? hindiBooks[kind] : bookNames[kind]}`)
    .join(', ')
  if (legend !== '') page.text(legend, { size: 8.5 })
  for (const line of lateLines(offer, language, named)) page.text(line, { size: 8.5 })
}

/** What the family has to know of late fees: a line for each day and amount. */
function lateLines(offer: readonly OfferedEvent[], language: FamilyLanguage, named: Named): string[] {
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
