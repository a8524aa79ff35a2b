import { formatDay, istDay } from '@podium/contract/season'
import type { Language } from '#platform/mail-templates'
import { makePdf, type PdfPage } from '#platform/pdf'
import { letterWords } from './documents-letter-words.ts'

interface Letter {
  school: {
    code: string
    name: string
    address: string
    city: string
    district: string
    state: string
    country: string
    pin_code: string
  }
  /** What the QR code opens, without the code */
  link: string
  /** As it is typed, in groups of four */
  code: string
  foundation: { name: string; phone: string; hours: string }
  language: Language
  createdAt: Date
}

type Words = (typeof letterWords)[Language]

const soft = '#4a555f'
const qrSide = 132
/** The part to cut off, from the page's foot up, in points */
const codePart = 176

/** The name under which a school's letter is saved. */
export function letterName(code: string): string {
  return `Invitation ${code}.pdf`
}

/**
 * The letter by which a school is invited, one page: above the QR code of its link, below, to be cut off, its access
 * code. Neither part opens anything without the other.
 */
export function letterPdf(letter: Letter): Promise<Buffer> {
  const { language, foundation, createdAt } = letter
  const words = letterWords[language]
  return makePdf({ title: words.title, createdAt, foundation: foundation.name, language }, (page) => {
    addressee(page, words, letter)
    body(page, words, letter)
    page.at({ x: page.x, y: page.bottom - codePart, width: page.width }, () => codeHalf(page, words, letter))
  })
}

function addressee(page: PdfPage, words: Words, { school, createdAt }: Letter): void {
  const { name, address, city, district, state, country, pin_code } = school
  page.space(10)
  page.beside(
    [3, 1],
    [
      () => {
        page.text(words.to, { size: 10.5, color: soft })
        page.text(name, { size: 13, bold: true })
        page.text(address)
        page.text([city, district === city ? '' : district].filter(Boolean).join(', '))
        page.text([`${state} ${pin_code}`, country === 'India' ? '' : country].filter(Boolean).join(', '))
      },
      () => page.text(formatDay(istDay(createdAt)), { align: 'right' }),
    ],
  )
  page.space(18)
}

function body(page: PdfPage, words: Words, letter: Letter): void {
  const { school, foundation, link } = letter
  page.text(words.greeting, { size: 11 })
  page.space(6)
  page.text(words.invites(foundation.name, school.name), { size: 11 })
  page.space(16)
  page.beside(
    [3, 1.5],
    [
      () => {
        page.subheading(words.steps)
        for (const [at, step] of words.step.entries()) {
          page.text(`${at + 1}. ${step}`, { size: 11 })
          page.space(4)
        }
        page.space(6)
        page.text(words.address, { size: 9, color: soft })
        page.text(link, { size: 9.5, bold: true })
        page.space(4)
        page.text(`${words.schoolCode}: ${school.code}`, { size: 9.5 })
      },
      () => page.qr(link, qrSide, words.qr),
    ],
  )
  page.space(18)
  if (foundation.phone !== '') {
    page.text(words.help(foundation.phone, foundation.hours), { size: 11 })
    page.space(10)
  }
  page.text(words.closing, { size: 11 })
  page.text(foundation.name, { size: 11, bold: true })
}

function codeHalf(page: PdfPage, words: Words, { school, code }: Letter): void {
  page.doc
    .moveTo(0, page.y)
    .lineTo(page.doc.page.width, page.y)
    .dash(3, { space: 3 })
    .lineWidth(0.7)
    .stroke(soft)
    .undash()
  page.space(5)
  page.text(words.cut, { size: 8.5, color: soft, align: 'center' })
  page.space(16)
  page.text(words.accessCode, { size: 10.5, color: soft, align: 'center' })
  page.text(code, { size: 27, bold: true, align: 'center' })
  page.space(4)
  page.text(`${school.name}, ${school.city} · ${school.code}`, { size: 11, bold: true, align: 'center' })
  page.space(8)
  page.text(words.keep, { size: 9.5, align: 'center' })
}
