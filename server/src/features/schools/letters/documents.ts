import type { WrittenLanguage } from '@podium/contract/languages'
import { formatDay, istDay } from '@podium/contract/season'
import { concurrencyLimit, withSlot } from '#platform/concurrency-limit'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import { drawMark } from '#platform/pdf/pdf-parts'
import { addressLine, inks, type Letterhead, reachLine } from '#platform/pdf/pdf-text'
import { defineWords, type Translate } from '#platform/words'
import en from '#words/en/school-letter.json' with { type: 'json' }
import hi from '#words/hi/school-letter.json' with { type: 'json' }
import type { LetterSchool } from './queries.ts'

const wordsIn = defineWords({ en, hi })

interface PrintedLetter {
  school: LetterSchool
  linkId: string
  /** As entered, in groups of four */
  code: string
}

interface LetterOptions {
  foundation: Letterhead
  publicUrl: string
  /** Each school gets one letter in each of these */
  languages: readonly WrittenLanguage[]
  createdAt: Date
}

type Words = Translate<keyof typeof en>

const mm = 72 / 25.4
const edge = 20 * mm
const right = 15 * mm
const qrSide = 132
/** Height of the tear-off part at the foot of the page, in points */
const codePart = 176
/** The window of an envelope (DIN 5008 B, for DL envelopes), in points */
const window = { x: 20 * mm, y: 45 * mm, width: 85 * mm, height: 45 * mm }

/** The file name of a school's letter. */
export function letterName(code: string): string {
  return `Invitation ${code}.pdf`
}

/** Thousands of letters take minutes of CPU, so only one file is made at a time. */
const letterTurn = concurrencyLimit(1, 20)

/**
 * Invitation letters, one page each: letterhead and address placed for a window envelope, the QR code of the school's link
 * and, to tear off below, its access code. Neither part works without the other.
 */
export function lettersPdf(letters: readonly PrintedLetter[], options: LetterOptions): Promise<Buffer> {
  const { languages, createdAt, foundation } = options
  const [language = 'en'] = languages
  const of = {
    title: wordsIn(language)('title'),
    createdAt,
    foundation,
    language,
    bare: true,
    unnumbered: true,
  }
  return withSlot(letterTurn, () =>
    makePdf(of, async (page) => {
      let first = true
      for (const letter of letters)
        for (const language of languages) {
          if (!first) page.newPage()
          first = false
          drawLetter(page, language, letter, options)
          await page.pause()
        }
    }),
  )
}

function drawLetter(
  page: PdfPage,
  language: WrittenLanguage,
  letter: PrintedLetter,
  options: LetterOptions,
): void {
  const t = wordsIn(language)
  const { width, height } = page.doc.page
  const column = { x: edge, width: width - edge - right }
  page.at({ ...column, y: 14 * mm }, () => letterHead(page, t, options))
  page.at(window, () => addressee(page, t, letter, options))
  const date = { x: width - right - 120, y: window.y + 14, width: 120 }
  page.at(date, () => page.text(formatDay(istDay(options.createdAt)), { align: 'right' }))
  folds(page)
  page.at({ ...column, y: 97 * mm }, () => body(page, language, letter, options))
  page.at({ ...column, y: height - 18 - codePart }, () => codeHalf(page, t, letter))
}

function letterHead(page: PdfPage, t: Words, { foundation }: LetterOptions): void {
  const { x, y, width } = page
  const left = drawMark(page, x, y, 30) + 12
  page.at({ x: x + left, y: y - 3, width: width - left }, () => {
    const address = addressLine(foundation)
    page.text(foundation.name, { size: address === '' ? 16 : 14, bold: true })
    for (const line of [address, reachLine(foundation, t('phone'))].filter(Boolean))
      page.text(line, { size: address === '' ? 9 : 8, color: inks.soft })
  })
  const line = y + 42
  page.doc
    .moveTo(x, line)
    .lineTo(x + width, line)
    .lineWidth(0.9)
    .stroke(foundation.colour || inks.primary)
}

/** Draws fold marks at the edge of the sheet. */
function folds(page: PdfPage): void {
  for (const y of [105 * mm, 210 * mm]) page.doc.moveTo(8, y).lineTo(20, y).lineWidth(0.5).stroke(inks.line)
}

/** Draws the address as large as the window allows. */
function addressee(page: PdfPage, t: Words, { school }: PrintedLetter, { foundation }: LetterOptions): void {
  const { name, address, city, district, state, country, pin_code } = school
  const rest = [
    address,
    [city, district === city ? '' : district].filter(Boolean).join(', '),
    [`${state} ${pin_code}`, country === 'India' ? '' : country.toUpperCase()].filter(Boolean).join(', '),
  ].join('\n')
  const sender = [foundation.shortName ?? foundation.name, addressLine(foundation)].filter(Boolean).join(', ')
  page.text(sender, { size: 6.5, color: inks.soft })
  page.space(2)
  const room = window.y + window.height - page.y
  const sizes = [11, 10, 9, 8, 7]
  const tall = (size: number) =>
    page.painter.height(t('to'), page.width, { size }) +
    page.painter.height(name, page.width, { size: size + 0.5, bold: true }) +
    page.painter.height(rest, page.width, { size })
  const size = sizes.find((size) => tall(size) <= room) ?? 6
  page.text(t('to'), { size })
  page.text(name, { size: size + 0.5, bold: true })
  page.text(rest, { size })
}

function body(
  page: PdfPage,
  language: WrittenLanguage,
  { school, linkId }: PrintedLetter,
  options: LetterOptions,
) {
  const t = wordsIn(language)
  const { foundation, publicUrl } = options
  const link = `${publicUrl}/login?id=${linkId}`
  page.text(t('greeting'), { size: 10.5 })
  page.space(4)
  page.text(t('invites', { foundation: foundation.name, school: school.name }), { size: 10.5 })
  page.space(10)
  page.beside(
    [3, 1.5],
    [
      () => {
        page.subheading(t('steps'))
        for (const n of [1, 2, 3] as const) {
          page.text(`${n}. ${t(`step-${n}`)}`, { size: 10.5 })
          page.space(3)
        }
        page.space(4)
        page.text(t('address'), { size: 9, color: inks.soft })
        page.text(link, { size: 9.5, bold: true })
        page.space(3)
        page.text(`${t('schoolCode')}: ${school.code}`, { size: 9.5 })
      },
      () => page.qr(link, qrSide, t('qr')),
    ],
  )
  page.space(10)
  if (foundation.phone && foundation.hours) {
    page.text(t('help', { phone: foundation.phone, hours: foundation.hours[language] }), { size: 10.5 })
    page.space(6)
  }
  page.text(t('closing'), { size: 10.5 })
  page.text(foundation.name, { size: 10.5, bold: true })
}

function codeHalf(page: PdfPage, t: Words, { school, code }: PrintedLetter): void {
  page.doc
    .moveTo(0, page.y)
    .lineTo(page.doc.page.width, page.y)
    .dash(3, { space: 3 })
    .lineWidth(0.7)
    .stroke(inks.soft)
    .undash()
  page.space(5)
  page.text(t('cut'), { size: 8.5, color: inks.soft, align: 'center' })
  page.space(16)
  page.text(t('accessCode'), { size: 10.5, color: inks.soft, align: 'center' })
  page.text(code, { size: 27, bold: true, align: 'center' })
  page.space(4)
  page.text(`${school.name}, ${school.city} · ${school.code}`, { size: 11, bold: true, align: 'center' })
  page.space(8)
  page.text(t('keep'), { size: 9.5, align: 'center' })
}
