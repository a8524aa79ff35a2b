import { className } from '@podium/contract/classes'
import { formatNumber } from '@podium/contract/figures'
import type { CertificateFacts, ShownRank } from '@podium/contract/results/calls-public'
import { formatDay, istDay } from '@podium/contract/season'
import { hindiClassName } from '@podium/contract/students/rules-class'
import { namesIn } from '#features/catalogue/lists/queries'
import { concurrencyLimit, withSlot } from '#platform/concurrency-limit'
import type { Deps } from '#platform/deps'
import { letterhead } from '#platform/foundation'
import type { FileAnswer } from '#platform/http/http'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import { drawMark, markSize } from '#platform/pdf/pdf-parts'
import { addressLine, inks, type Letterhead, type TextStyle } from '#platform/pdf/pdf-text'
import { factsOf, type ReleasedResult } from '../public-results/queries.ts'
import {
  drawFrame,
  drawLaurel,
  drawMedal,
  drawStar,
  drawWatermark,
  type Metal,
  paper,
} from './documents-art.ts'

/** Texts of a certificate in one language, as functions where word order differs. */
interface CertificateWords {
  merit: string
  participation: string
  littleStar: string
  /** Title of a file with several certificates */
  several: string
  certify: string
  /** Under the name: class, school, city. */
  pupil(classId: number, school: string, city: string): string
  tookPart(subject: string, season: string, level: number): string
  reached: string
  /** Under the laurel */
  wellDone: string
  shone(stars: number): string
  metals: Record<Metal, string>
  level(level: number): string
  rankNames: Record<ShownRank['scope'], string>
  /** A rank in a pool, `2 of 38`. */
  of(rank: number, pool: number): string
  firstOf(rank: number, pool: number): string
  number: string
  released: string
  version(n: number): string
  check: string
  genuine: string
}

const ordinalWords = ['First', 'Second', 'Third', 'Fourth', 'Fifth']

function ordinal(n: number): string {
  const word = ordinalWords[n - 1]
  if (word) return word
  const tail = n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${formatNumber(n)}${tail}`
}

const en: CertificateWords = {
  merit: 'Certificate of Merit',
  participation: 'Certificate of Participation',
  littleStar: 'Little Star Certificate',
  several: 'Certificates',
  certify: 'This is to certify that',
  pupil: (classId, school, city) => `of ${className(classId)}, ${school}, ${city}`,
  tookPart: (subject, season, level) =>
    `took part in ${level > 1 ? `level ${level} of ` : ''}the ${subject} Olympiad ${season}`,
  reached: 'and won',
  wellDone: 'with curiosity, courage and work. Well done!',
  shone: (stars) =>
    `and shone with ${['one star', 'two stars', 'three stars', 'four stars', 'five stars'][stars - 1]}`,
  metals: { Gold: 'Gold medal', Silver: 'Silver medal', Bronze: 'Bronze medal' },
  level: (level) => `Qualified for level ${level}`,
  rankNames: { class: 'Class rank', state: 'State rank', zonal: 'Zonal rank', olympiad: 'Olympiad rank' },
  of: (rank, pool) => `${formatNumber(rank)} of ${formatNumber(pool)}`,
  firstOf: (rank, pool) => `${ordinal(rank)} of ${formatNumber(pool)} in the class`,
  number: 'Certificate No.',
  released: 'Result of',
  version: (n) => `Result version ${n}`,
  check: 'Scan to check',
  genuine: 'Computer-generated, no signature needed. Scan the code to check that it is genuine.',
}

const hi: CertificateWords = {
  merit: 'योग्यता प्रमाणपत्र',
  participation: 'सहभागिता प्रमाणपत्र',
  littleStar: 'नन्हा सितारा प्रमाणपत्र',
  several: 'प्रमाणपत्र',
  certify: 'प्रमाणित किया जाता है कि',
  pupil: (classId, school, city) => `${hindiClassName(classId)}, ${school}, ${city}`,
  tookPart: (subject, season, level) =>
    `ने ${subject} ओलंपियाड ${season}${level > 1 ? ` (स्तर ${level})` : ''} में भाग लिया`,
  reached: 'और प्राप्त किया',
  wellDone: 'जिज्ञासा, साहस और परिश्रम के साथ। शाबाश!',
  shone: (stars) => `और ${stars} सितारे पाए`,
  metals: { Gold: 'स्वर्ण पदक', Silver: 'रजत पदक', Bronze: 'कांस्य पदक' },
  level: (level) => `स्तर ${level} के लिए चयनित`,
  rankNames: {
    class: 'कक्षा में स्थान',
    state: 'राज्य में स्थान',
    zonal: 'क्षेत्र में स्थान',
    olympiad: 'ओलंपियाड में स्थान',
  },
  of: (rank, pool) => `${formatNumber(rank)} (${formatNumber(pool)} में से)`,
  firstOf: (rank, pool) => `कक्षा में स्थान ${formatNumber(rank)} (${formatNumber(pool)} में से)`,
  number: 'प्रमाणपत्र संख्या',
  released: 'परिणाम की तिथि',
  version: (n) => `परिणाम संस्करण ${n}`,
  check: 'जाँचने के लिए स्कैन करें',
  genuine: 'कंप्यूटर से बना, बिना हस्ताक्षर के मान्य। कोड बताता है कि यह असली है या नहीं।',
}

const certificateWords = { en, hi } as const

/** The IST day of an instant, `15-Jan-2026`. */
const dayOf = (iso: string) => formatDay(istDay(new Date(iso)))

/** The content of a certificate, with the child's full name, which public pages do not show. */
export interface CertificateData extends CertificateFacts {
  studentName: string
  classId: number
}

/** The content of a released result's certificate with this number. */
export const certifiedOf = (row: ReleasedResult, number: string): CertificateData => ({
  ...factsOf(row, number),
  studentName: row.student_name,
  classId: row.class_id,
})

export interface CertificateIssuer {
  foundation: Letterhead
  /** The address for checking a number; the QR code adds the number */
  checkAt: string
  language: 'en' | 'hi'
  /** Translates a subject, prize or award */
  nameOf: (name: string) => string
}

const soft = '#5a5340'

/** The certificate as a PDF: A4 landscape, one page, the same bytes for the same result. */
export async function certificateFile(of: CertificateData, issuer: CertificateIssuer): Promise<FileAnswer> {
  const title = titleOf(of, certificateWords[issuer.language])
  const content = await sheets(`${title} ${of.number}`, [of], issuer)
  return pdf(`${title} ${issuer.nameOf(of.subjectName)} ${of.fyear} ${of.studentName}.pdf`, content)
}

/** The issuer in this language, for the head and foot of certificates. */
export async function issuerOf(
  { db, files, settings }: Pick<Deps, 'db' | 'files' | 'settings'>,
  language: CertificateIssuer['language'],
): Promise<CertificateIssuer> {
  const foundation = await letterhead(db, files)
  const nameOf = await namesIn(db, language)
  return { foundation, checkAt: `${settings.publicUrl}/verify`, language, nameOf }
}

/** What a file with several certificates of a subject is named after, in their language. */
export const titleOfSeveral = (issuer: CertificateIssuer, subjectName: string, season: string) =>
  `${certificateWords[issuer.language].several} ${issuer.nameOf(subjectName)} ${season}`

export const classNames = { en: className, hi: hindiClassName } as const

/** The certificates of a list in one PDF, a page each, in order. The list must not be empty; `name` describes it. */
export async function certificatesFile(
  all: readonly [CertificateData, ...CertificateData[]],
  issuer: CertificateIssuer,
  name?: string,
): Promise<FileAnswer> {
  const [{ subjectName, fyear }] = all
  const title = name ?? titleOfSeveral(issuer, subjectName, fyear)
  return pdf(`${title}.pdf`, await sheets(title, all, issuer))
}

const turn = concurrencyLimit(2, 20)

/** The same for a call: 150 certificates take seconds of CPU, so only two files are made at a time. */
export const queueCertificatesFile = (...of: Parameters<typeof certificatesFile>): Promise<FileAnswer> =>
  withSlot(turn, () => certificatesFile(...of))

const pdf = (name: string, content: Buffer): FileAnswer => ({
  file: { name, mediaType: 'application/pdf', content },
})

function sheets(title: string, all: readonly CertificateData[], issuer: CertificateIssuer): Promise<Buffer> {
  const options = {
    title,
    createdAt: new Date(all[0]?.releasedAt ?? 0),
    foundation: issuer.foundation,
    language: issuer.language,
    landscape: true,
    bare: true,
  }
  return makePdf(options, async (page) => {
    for (const [index, of] of all.entries()) {
      if (index > 0) page.newPage()
      drawSheet(page, named(of, issuer), issuer)
      await page.pause()
    }
  })
}

/** The content with subject, prize and award in the certificate's language. */
function named(of: CertificateData, { nameOf }: CertificateIssuer): CertificateData {
  return { ...of, subjectName: nameOf(of.subjectName), prize: nameOf(of.prize), award: nameOf(of.award) }
}

function drawSheet(page: PdfPage, of: CertificateData, issuer: CertificateIssuer): void {
  const words = certificateWords[issuer.language]
  drawFrame(page)
  drawWatermark(page)
  drawHead(page, issuer.foundation.name, titleOf(of, words))
  drawChild(page, of, words)
  drawHonours(page, of, words)
  drawRanks(page, of, words)
  drawFoot(page, of, issuer, words)
}

function titleOf(of: CertificateData, words: CertificateWords): string {
  if (of.littleStar) return words.littleStar
  return of.kind === 'merit' ? words.merit : words.participation
}

/** Draws centred text, smaller if too long for one line. Returns the width drawn. */
function centred(page: PdfPage, text: string, y: number, style: TextStyle, width = 660): number {
  const whole = { ...style, align: 'center' as const }
  while (page.painter.width(text, whole) > width && whole.size > 9) whole.size -= 0.5
  const left = (page.doc.page.width - width) / 2
  const lines = page.painter.lines(text, width, whole)
  return page.painter.line(lines[0] ?? '', left, y + (style.size - whole.size) * 0.7, width, whole)
}

function drawHead(page: PdfPage, foundation: string, title: string): void {
  const middle = page.doc.page.width / 2
  drawMark(page, middle - markSize(page, 27).width / 2, 58, 27)
  centred(page, foundation, 90, { size: 12.5, bold: true, color: paper.navy })
  const wide = centred(page, title, 113, { size: 33, bold: true, color: paper.navy }, 520)
  for (const side of [-1, 1]) {
    const inner = middle + side * (wide / 2 + 22)
    page.doc
      .moveTo(inner, 140)
      .lineTo(inner + side * 62, 140)
      .lineWidth(1)
      .stroke(paper.gold)
    drawStar(page, inner + side * 70, 140, 4, paper.gold)
  }
}

function drawChild(page: PdfPage, of: CertificateData, words: CertificateWords): void {
  const middle = page.doc.page.width / 2
  centred(page, words.certify, 171, { size: 12.5, color: soft })
  const wide = centred(page, of.studentName, 190, { size: 31, bold: true, color: inks.primary }, 620)
  const half = Math.max(wide / 2 + 26, 150)
  page.doc
    .moveTo(middle - half, 237)
    .lineTo(middle + half, 237)
    .lineWidth(1.1)
    .stroke(paper.goldLight)
  centred(page, words.pupil(of.classId, of.schoolName, of.city), 243, { size: 13.5 })
  centred(page, words.tookPart(of.subjectName, of.fyear, of.examLevel), 264, { size: 13.5 })
}

interface Line {
  text: string
  style: TextStyle
}

/** The honours, highest first; empty for a certificate of participation. */
function honourLines(of: CertificateData, words: CertificateWords): Line[] {
  const big: TextStyle = { size: 20, bold: true, color: paper.navy }
  const next: TextStyle = { size: 14.5, bold: true, color: inks.text }
  const classRank = of.ranks.find(({ scope }) => scope === 'class')
  const lines: Line[] = []
  if (isMetal(of.medal)) lines.push({ text: words.metals[of.medal], style: big })
  if (isMetal(of.medal) && classRank)
    lines.push({ text: words.firstOf(classRank.rank, classRank.pool), style: { size: 13, color: soft } })
  for (const won of [of.prize, of.award])
    if (won !== '') lines.push({ text: won, style: lines.length === 0 ? big : next })
  if (of.goesOnTo !== null) lines.push({ text: words.level(of.goesOnTo), style: { ...next, size: 13 } })
  return lines
}

const isMetal = (medal: string): medal is Metal => medal in paper.metals

/** Draws the honours in the centre, beside a medal if there is one, with a little star's stars above. */
function drawHonours(page: PdfPage, of: CertificateData, words: CertificateWords): void {
  const lines = honourLines(of, words)
  if (of.stars !== null) {
    centred(page, words.shone(of.stars), 285, { size: 13.5 })
    drawStars(page, of.stars)
    if (lines.length === 0) centred(page, words.wellDone, 374, { size: 12.5, color: soft })
    drawLines(page, lines, of.medal, { top: 370, radius: 17 })
  } else if (of.kind === 'merit') {
    centred(page, words.reached, 285, { size: 13.5 })
    drawLines(page, lines, of.medal, { top: 310, radius: 33 })
  } else {
    const middle = page.doc.page.width / 2
    drawLaurel(page, middle, 333, 36)
    drawStar(page, middle, 331, 15, '#f0bd2c', paper.gold)
    centred(page, lines[0]?.text ?? words.wellDone, 383, { size: 12.5, color: soft })
  }
}

function drawStars(page: PdfPage, stars: number): void {
  const middle = page.doc.page.width / 2
  for (let star = 0; star < 5; star++) {
    const shines = star < stars
    const fill = shines ? '#f0bd2c' : paper.cream
    drawStar(page, middle + (star - 2) * 50, 334, shines ? 21 : 15, fill, paper.gold)
  }
}

function drawLines(
  page: PdfPage,
  lines: readonly Line[],
  medal: string,
  { top, radius }: { top: number; radius: number },
): void {
  let y = top
  const wide = Math.max(0, ...lines.map(({ text, style }) => page.painter.width(text, style)))
  const left = (page.doc.page.width - radius * 2 - 26 - wide) / 2
  if (isMetal(medal)) drawMedal(page, left + radius, top + radius + 3, radius, medal)
  for (const { text, style } of lines) {
    if (isMetal(medal)) page.painter.line(text, left + radius * 2 + 26, y, wide + 4, style)
    else centred(page, text, y, style)
    y += style.size * 1.38
  }
}

/** Draws the ranks side by side between two thin lines. */
function drawRanks(page: PdfPage, of: CertificateData, words: CertificateWords): void {
  if (of.ranks.length === 0) return
  const column = 142
  const top = 417
  const left = (page.doc.page.width - column * of.ranks.length) / 2
  of.ranks.forEach(({ scope, rank, pool }, index) => {
    const x = left + index * column
    page.painter.line(words.rankNames[scope], x, top, column, { size: 9.5, color: soft, align: 'center' })
    page.painter.line(words.of(rank, pool), x, top + 13, column, {
      size: 13,
      bold: true,
      color: paper.navy,
      align: 'center',
    })
    if (index === 0) return
    page.doc
      .moveTo(x, top + 4)
      .lineTo(x, top + 30)
      .lineWidth(0.7)
      .stroke(paper.goldLight)
  })
}

function drawFoot(
  page: PdfPage,
  of: CertificateData,
  issuer: CertificateIssuer,
  words: CertificateWords,
): void {
  const { width, height } = page.doc.page
  const top = height - 140
  const side = 84
  const label: TextStyle = { size: 8.5, color: soft }
  const value: TextStyle = { size: 11.5, bold: true }
  page.at({ x: 58, y: top, width: side }, () => page.qr(`${issuer.checkAt}/${of.number}`, side))
  const x = 58 + side + 12
  page.painter.line(words.number, x, top + 8, 240, label)
  page.painter.line(of.number, x, top + 19, 240, value)
  page.painter.line(words.check, x, top + 42, 240, label)
  page.painter.line(issuer.checkAt.replace(/^https?:\/\//, ''), x, top + 53, 260, value)
  const right = { x: width - 58 - 240, width: 240 }
  page.painter.line(words.released, right.x, top + 8, right.width, { ...label, align: 'right' })
  page.painter.line(dayOf(of.releasedAt), right.x, top + 19, right.width, { ...value, align: 'right' })
  page.painter.line(words.version(of.version), right.x, top + 42, right.width, { ...label, align: 'right' })
  page.painter.line(issuer.foundation.name, right.x, top + 53, right.width, { ...value, align: 'right' })
  const address = addressLine(issuer.foundation)
  if (address !== '')
    page.painter.block(address, right.x, top + 69, right.width, { size: 7.5, color: soft, align: 'right' })
  centred(page, words.genuine, height - 62, { size: 8, color: soft })
}
