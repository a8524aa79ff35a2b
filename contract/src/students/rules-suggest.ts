import type { OfferedSubject } from '../catalogue/rules-fee.ts'
import { classes, className, sections } from '../classes.ts'
import { emailPattern, latinDigits, normaliseMobile } from '../fields.ts'
import { editDistance } from '../fuzzy-match.ts'
import { classIdOf } from './rules-class.ts'

/** Suggests what someone may have meant by an invalid text: other texts for the same cell, likeliest first. */

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(
  ' ',
)
const hindiOrdinals = 'पहली दूसरी तीसरी चौथी पांचवी छठी सातवीं आठवीं नौवीं दसवीं ग्यारहवीं बारहवीं'.split(' ')

/** Reads the day and month of what spreadsheets make of `5-1`: `2026-01-05`, `5-Jan`, `05-01-2026`, `46027`. */
export function dateParts(text: string): { day: number; month: number } | undefined {
  const iso = /^\d{4}-(\d\d)-(\d\d)(?:T.*)?$/.exec(text)
  if (iso) return { day: Number(iso[2]), month: Number(iso[1]) }
  const named = /^(\d{1,2})[-/. ]([a-z]{3})[a-z]*(?:[-/. ,]+\d{2,4})?$/i.exec(text)
  if (named) return monthDay(named[2], named[1])
  const turned = /^([a-z]{3})[a-z]*[-/. ](\d{1,2})$/i.exec(text)
  if (turned) return monthDay(turned[1], turned[2])
  const figures = /^(\d{1,2})[-/.](\d{1,2})[-/.](?:\d{2}|\d{4})$/.exec(text)
  if (figures) return { day: Number(figures[1]), month: Number(figures[2]) }
  if (/^4[3-9]\d{3}$/.test(text)) {
    // Days since 30 December 1899, the epoch of spreadsheets.
    const date = new Date(Date.UTC(1899, 11, 30) + Number(text) * 86_400_000)
    return { day: date.getUTCDate(), month: date.getUTCMonth() + 1 }
  }
  return undefined
}

function monthDay(name: string | undefined, day: string | undefined) {
  const month = months.indexOf((name ?? '').toLowerCase()) + 1
  return month > 0 ? { day: Number(day), month } : undefined
}

const isClassNumber = (n: number) => Number.isInteger(n) && n >= 1 && n <= 12
const formatClasses = (ids: readonly (number | undefined)[]) =>
  [...new Set(ids.filter((id) => id !== undefined))].map((id) => className(id))

export function suggestClass(text: string): string[] {
  const date = dateParts(text)
  if (date) return formatClasses([date.day, date.month].filter(isClassNumber))
  const plain = latinDigits(text.normalize('NFKC')).toLowerCase().trim()
  const bare = plain.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '')
  const word = bare.replace(/^(?:class|clas|clss|cls|cl|std|standard|grade|gr|कक्षा)[\s.:-]*/, '')
  const index = ordinals.findIndex((name) => editDistance(name, word, 1) <= 1)
  if (index >= 0) return formatClasses([index + 1])
  const hindi = hindiOrdinals.findIndex((name) => editDistance(name, word, 1) <= 1)
  if (hindi >= 0) return formatClasses([hindi + 1])
  // People type 1, l or a bar for an I in Roman numerals.
  const roman = classIdOf(word.replace(/[1l|!]/g, 'i'))
  if (/^[ivxl1|!]+$/.test(word) && roman !== undefined) return formatClasses([roman])
  const numbers = [...new Set(bare.match(/\d+/g)?.map(Number))].filter(isClassNumber)
  if (numbers.length > 0) return formatClasses(numbers.slice(0, 2))
  const [head = ''] = word.split(/[\s/(-]+/)
  const byHead = head === word ? undefined : classIdOf(head)
  if (byHead !== undefined) return formatClasses([byHead])
  if (/^(?:kg|k\.?g\.?|kinder\s?garten|prep|pre[\s-]?primary|प्री)$/.test(word)) return formatClasses([13, 14])
  const near = classes.filter(
    ({ className: name }) =>
      name.length < 8 && editDistance(name.toLowerCase(), word, 2) <= (word.length > 4 ? 2 : 1),
  )
  return word.length > 1 ? formatClasses(near.slice(0, 2).map(({ classId }) => classId)) : []
}

const hindiLetters: Readonly<Record<string, string>> = {
  अ: 'A',
  ए: 'A',
  ब: 'B',
  बी: 'B',
  स: 'C',
  सी: 'C',
  द: 'D',
  डी: 'D',
}

export function suggestSection(text: string): string[] {
  if (dateParts(text)) return []
  const plain = latinDigits(text.normalize('NFKC')).trim()
  if (/^(?:none|nil|na|n\/a|no|0|--+|—|–|_)$/i.test(plain)) return ['-']
  const hindi = hindiLetters[plain]
  if (hindi) return [hindi]
  const number = Number(plain)
  if (/^\d{1,2}$/.test(plain)) return number >= 1 && number <= 26 ? [sections[number] ?? '-'] : []
  const bare = plain
    .replace(/^(?:section|sec|division|div|class|अनुभाग)[\s.:-]*/i, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
  if (/^[a-z]$/i.test(bare)) return [bare.toUpperCase()]
  // «7A», «A1»: the only letter in it.
  const letters = bare.match(/[a-z]/gi)
  return letters?.length === 1 && /^(?:\d{1,2}(?:st|nd|rd|th)?[a-z]|[a-z]\d)$/i.test(bare)
    ? [letters[0].toUpperCase()]
    : []
}

export function suggestRollNo(text: string): string[] {
  if (dateParts(text)) return []
  const plain = latinDigits(text.normalize('NFKC')).trim()
  const grouped = plain.replace(/(?<=\d)[,\s](?=\d)/g, '')
  const misread = /^[\doOlI|]+$/.test(grouped)
    ? grouped.replace(/[oO]/g, '0').replace(/[lI|]/g, '1')
    : grouped
  const numbers = misread.match(/\d+/g) ?? []
  const number = Number(numbers[0])
  return numbers.length === 1 && number >= 1 && number <= 999_999 ? [String(number)] : []
}

export function suggestMobile(text: string): string[] {
  const plain = latinDigits(text.normalize('NFKC'))
  const mobiles = plain
    .split(/[/,;&|\n]| or | and |\s{2,}/)
    .map((part) => part.replace(/\D/g, '').replace(/^(?:0091|091|91|0)(?=[6-9]\d{9}$)/, ''))
    .filter((digits) => /^[6-9]\d{9}$/.test(digits) && normaliseMobile(digits) === digits)
  return [...new Set(mobiles)].slice(0, 3)
}

const hosts = ['gmail.com', 'yahoo.com', 'yahoo.co.in', 'hotmail.com', 'outlook.com', 'rediffmail.com']

export function suggestEmail(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/^mailto:/, '')
    .replace(/\s*\(at\)\s*|\s+at\s+/, '@')
    .split(/[\s;/]+(?=\S+@)/)[0]
    ?.replace(/\s/g, '')
    .replace(/,/g, '.')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.<"']+|[.>"',;]+$/g, '')
  const [name = '', host = '', ...more] = (plain ?? '').split(/@+/)
  if (name === '' || more.length > 0) return []
  const fullHost = host.includes('.') ? host : `${host}.com`
  const near = hosts.find((host) => editDistance(host, fullHost, 2) <= (host.length > 9 ? 2 : 1))
  const address = `${name}@${near ?? fullHost}`
  return emailPattern.test(address) ? [address] : []
}

/** Names schools use for a subject, by subject; suggested only if it is on offer. */
const subjectSpellings: ReadonlyArray<readonly [RegExp, RegExp]> = [
  [/^math/, /^(?:maths?|ganit|गणित|mathematic|arithmetic)/],
  [/^science$/, /^(?:sci|science|vigyan|विज्ञान|evs\/science)/],
  [/^english$/, /^(?:eng|english|अंग्रेजी)/],
  [/^general knowledge$/, /^(?:gk|g\.k\.?|gen\.? ?knowledge|general|सामान्य ज्ञान)/],
  [/^social/, /^(?:sst|s\.st\.?|ss|social|so\.? ?sc|सामाजिक)/],
  [/^hindi$/, /^(?:hin|hindi|हिंदी|हिन्दी)/],
  [/^reasoning$/, /^(?:reason|logic|mental ability|तर्क)/],
  [/^environment/, /^(?:evs|env|environment|पर्यावरण)/],
  [/^financial/, /^(?:fin|finance|money)/],
  [/^computer/, /^(?:comp|computer|cyber|it$|cs$|कंप्यूटर|कम्प्यूटर)/],
]

function subjectLike(text: string, offer: readonly OfferedSubject[]): OfferedSubject | undefined {
  const word = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\b(?:olympiad|exam|subject|ओलंपियाड)s?\b/g, '')
    .trim()
  if (word.length < 2) return undefined
  const nameOf = (subject: OfferedSubject) => subject.name.toLowerCase().replace(/^little star: /, '')
  const entry = subjectSpellings.find(([, spelt]) => spelt.test(word))
  const byOther = entry && offer.find((subject) => entry[0].test(nameOf(subject)))
  if (byOther) return byOther
  const begins = offer.filter((subject) => word.length > 2 && nameOf(subject).startsWith(word))
  if (begins.length === 1) return begins[0]
  const near = offer.filter((subject) => {
    const name = nameOf(subject)
    const limit = Math.min(3, Math.floor(name.length / 3))
    return editDistance(name, word, limit) <= limit
  })
  return near.length === 1 ? near[0] : undefined
}

/** Suggests a list of subjects with each name corrected; nothing if one of them can't be recognised. */
export function suggestSubjects(names: readonly string[], offer: readonly OfferedSubject[]): string[] {
  const letters = new Map(offer.map((subject) => [subject.letter.toLowerCase(), subject]))
  const exact = (name: string) =>
    letters.get(name.toLowerCase()) ??
    offer.find((subject) => subject.name.toLowerCase() === name.toLowerCase())
  const findSubject = (name: string) => exact(name) ?? subjectLike(name, offer)
  const subjects = names.flatMap((name): Array<OfferedSubject | undefined> => {
    if (/^(?:all|all subjects|सभी|सब)$/i.test(name)) return [...offer]
    // «Maths and Science»
    const parts = name.split(/\s+(?:and|और|व)\s+|\s*[&+]\s*/i).filter((part) => part !== '')
    if (parts.length > 1) return parts.map(findSubject)
    const subject = findSubject(name)
    if (subject) return [subject]
    // «MSE», «M S E»
    const byLetters = [...name.replace(/[\s.]/g, '')].map(exact)
    return byLetters.length > 1 ? byLetters : [undefined]
  })
  const uniqueSubjects = [...new Set(subjects)]
  return uniqueSubjects.length === 0 || uniqueSubjects.includes(undefined)
    ? []
    : [uniqueSubjects.map((subject) => subject?.name).join(', ')]
}
