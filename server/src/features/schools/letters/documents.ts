import { formatDay, istDay } from '@podium/contract/season'
import { concurrencyLimit, withSlot } from '#platform/concurrency-limit'
import type { Language } from '#platform/mail/mail-templates'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import { drawMark } from '#platform/pdf/pdf-parts'
import { addressLine, inks, type Letterhead, reachLine } from '#platform/pdf/pdf-text'
import type { LetterSchool } from './queries.ts'

/** Texts of the invitation letter, in both languages. */
const letterWords = {
  en: {
    language: 'en',
    title: 'Invitation',
    to: 'To the Principal',
    greeting: 'Dear Principal,',
    invites: (foundation: string, school: string) =>
      `${foundation} invites ${school} to take part in its olympiads. Your school has a place in our portal: there you enrol students, order books, choose exam dates, pay fees and see results.`,
    steps: 'How your school signs in',
    step: [
      "Point a phone's camera at the code, or type the address into a browser.",
      'Enter the access code from the lower part of this sheet.',
      'Create your account with your e-mail, or sign in. It is linked to your school at once.',
    ],
    address: 'Address',
    schoolCode: 'School code',
    help: (phone: string, hours: string) => `Questions? Please call ${phone} (${hours}).`,
    closing: 'With kind regards',
    cut: 'Cut here and keep this part separate from the letter',
    accessCode: 'Access code',
    keep: 'For your school’s staff only. We never ask for it by phone. If it is lost, we can send you a new one.',
    qr: 'Opens your school’s sign-in',
    phone: 'Phone',
  },
  hi: {
    language: 'hi',
    title: 'निमंत्रण',
    to: 'सेवा में, प्रधानाचार्य',
    greeting: 'आदरणीय प्रधानाचार्य,',
    invites: (foundation: string, school: string) =>
      `${foundation} अपने ओलंपियाड में भाग लेने के लिए ${school} को आमंत्रित करता है। हमारे पोर्टल में आपके विद्यालय का स्थान बना है: वहाँ आप विद्यार्थियों का नामांकन करते हैं, पुस्तकें मँगाते हैं, परीक्षा तिथियाँ चुनते हैं, शुल्क भरते हैं और परिणाम देखते हैं।`,
    steps: 'आपका विद्यालय कैसे साइन इन करे',
    step: [
      'फ़ोन का कैमरा इस कोड पर रखें, या ब्राउज़र में यह पता लिखें।',
      'इस पेज के निचले हिस्से का एक्सेस कोड डालें।',
      'अपने ई-मेल से खाता बनाएँ, या साइन इन करें। खाता तुरंत आपके विद्यालय का हो जाता है।',
    ],
    address: 'पता',
    schoolCode: 'विद्यालय कोड',
    help: (phone: string, hours: string) => `कोई प्रश्न? कृपया ${phone} पर फ़ोन करें (${hours})।`,
    closing: 'सादर',
    cut: 'यहाँ से काटें और इस हिस्से को पत्र से अलग रखें',
    accessCode: 'एक्सेस कोड',
    keep: 'यह केवल आपके विद्यालय के कर्मचारियों के पास हो। फ़ाउंडेशन का कोई व्यक्ति इसे फ़ोन पर नहीं पूछता। खो जाए तो हम नया बनाते हैं।',
    qr: 'आपके विद्यालय का साइन-इन खोलता है',
    phone: 'फ़ोन',
  },
} as const

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
  languages: readonly Language[]
  createdAt: Date
}

type Words = (typeof letterWords)[Language]

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
  const { title } = letterWords[language]
  const of = { title, createdAt, foundation, language, bare: true, unnumbered: true }
  return withSlot(letterTurn, () =>
    makePdf(of, async (page) => {
      let first = true
      for (const letter of letters)
        for (const language of languages) {
          if (!first) page.newPage()
          first = false
          drawLetter(page, letterWords[language], letter, options)
          await page.pause()
        }
    }),
  )
}

function drawLetter(page: PdfPage, words: Words, letter: PrintedLetter, options: LetterOptions): void {
  const { width, height } = page.doc.page
  const column = { x: edge, width: width - edge - right }
  page.at({ ...column, y: 14 * mm }, () => letterHead(page, words, options))
  page.at(window, () => addressee(page, words, letter, options))
  const date = { x: width - right - 120, y: window.y + 14, width: 120 }
  page.at(date, () => page.text(formatDay(istDay(options.createdAt)), { align: 'right' }))
  folds(page)
  page.at({ ...column, y: 97 * mm }, () => body(page, words, letter, options))
  page.at({ ...column, y: height - 18 - codePart }, () => codeHalf(page, words, letter))
}

function letterHead(page: PdfPage, words: Words, { foundation }: LetterOptions): void {
  const { x, y, width } = page
  const left = drawMark(page, x, y, 30) + 12
  page.at({ x: x + left, y: y - 3, width: width - left }, () => {
    const address = addressLine(foundation)
    page.text(foundation.name, { size: address === '' ? 16 : 14, bold: true })
    for (const line of [address, reachLine(foundation, words.phone)].filter(Boolean))
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
function addressee(
  page: PdfPage,
  words: Words,
  { school }: PrintedLetter,
  { foundation }: LetterOptions,
): void {
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
    page.painter.height(words.to, page.width, { size }) +
    page.painter.height(name, page.width, { size: size + 0.5, bold: true }) +
    page.painter.height(rest, page.width, { size })
  const size = sizes.find((size) => tall(size) <= room) ?? 6
  page.text(words.to, { size })
  page.text(name, { size: size + 0.5, bold: true })
  page.text(rest, { size })
}

function body(page: PdfPage, words: Words, { school, linkId }: PrintedLetter, options: LetterOptions): void {
  const { foundation, publicUrl } = options
  const link = `${publicUrl}/login?id=${linkId}`
  page.text(words.greeting, { size: 10.5 })
  page.space(4)
  page.text(words.invites(foundation.name, school.name), { size: 10.5 })
  page.space(10)
  page.beside(
    [3, 1.5],
    [
      () => {
        page.subheading(words.steps)
        for (const [index, step] of words.step.entries()) {
          page.text(`${index + 1}. ${step}`, { size: 10.5 })
          page.space(3)
        }
        page.space(4)
        page.text(words.address, { size: 9, color: inks.soft })
        page.text(link, { size: 9.5, bold: true })
        page.space(3)
        page.text(`${words.schoolCode}: ${school.code}`, { size: 9.5 })
      },
      () => page.qr(link, qrSide, words.qr),
    ],
  )
  page.space(10)
  if (foundation.phone && foundation.hours) {
    page.text(words.help(foundation.phone, foundation.hours[words.language]), { size: 10.5 })
    page.space(6)
  }
  page.text(words.closing, { size: 10.5 })
  page.text(foundation.name, { size: 10.5, bold: true })
}

function codeHalf(page: PdfPage, words: Words, { school, code }: PrintedLetter): void {
  page.doc
    .moveTo(0, page.y)
    .lineTo(page.doc.page.width, page.y)
    .dash(3, { space: 3 })
    .lineWidth(0.7)
    .stroke(inks.soft)
    .undash()
  page.space(5)
  page.text(words.cut, { size: 8.5, color: inks.soft, align: 'center' })
  page.space(16)
  page.text(words.accessCode, { size: 10.5, color: inks.soft, align: 'center' })
  page.text(code, { size: 27, bold: true, align: 'center' })
  page.space(4)
  page.text(`${school.name}, ${school.city} · ${school.code}`, { size: 11, bold: true, align: 'center' })
  page.space(8)
  page.text(words.keep, { size: 9.5, align: 'center' })
}
