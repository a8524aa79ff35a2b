import { bareMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'

/** What somebody looks for; a child has all of it. */
export interface Wanted {
  /** Beginnings of words of the folded name */
  words: string[]
  /** The parent's mobile, whole: found by its beginning, a masked number is told */
  mobile: string
  rollNo: number | undefined
  examRollNo: string
  schoolCode: string
  /** What was typed can be found nowhere */
  nothing: boolean
}

const none: Wanted = {
  words: [],
  mobile: '',
  rollNo: undefined,
  examRollNo: '',
  schoolCode: '',
  nothing: false,
}

const examRoll = /^[A-Z]{2,8}\d{2,8}-\d{1,2}-\d{3,}$/
const code = /^[A-Z]{2,8}\d{3,10}$/
/** Shorter numbers are roll nos; a mobile has ten to twelve digits, with whatever people write between them. */
const longestRoll = 6
const wholeMobile = /^\d{10,12}$/

/**
 * Reads a search: of a number alone a roll no or a mobile; else word by word an exam roll no (`VNK0417-07-012`), a
 * school's code (`VNK0417`), a roll no, or the beginning of a word of the name.
 */
export function readSearch(typed: string): Wanted {
  const text = typed.trim()
  if (text === '') return none
  if (/^[+\d\s().-]*\d[+\d\s().-]*$/.test(text)) {
    const digits = bareMobile(text).replace(/\D/g, '')
    if (digits.length <= longestRoll) return { ...none, rollNo: Number(digits) }
    return wholeMobile.test(digits) ? { ...none, mobile: digits } : { ...none, nothing: true }
  }
  const wanted: Wanted = { ...none, words: [] }
  for (const part of text.split(/\s+/)) readPart(wanted, part)
  const { words, rollNo, examRollNo, schoolCode } = wanted
  const empty = words.length === 0 && rollNo === undefined && examRollNo === '' && schoolCode === ''
  return { ...wanted, nothing: empty }
}

function readPart(wanted: Wanted, part: string): void {
  const upper = part.toUpperCase()
  if (examRoll.test(upper)) wanted.examRollNo = upper
  else if (code.test(upper)) wanted.schoolCode = upper
  else if (/^\d{1,6}$/.test(part)) wanted.rollNo = Number(part)
  else wanted.words.push(...foldName(part).split(' ').filter(Boolean))
}

/** All but the last three digits hidden: enough to tell one family from another on the telephone. */
export function maskMobile(mobile: string): string {
  return mobile === '' ? '' : `••• ••• ${mobile.slice(-3)}`
}

/** The first letter and the domain: `h•••@family.example`. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? '' : `${address.slice(0, 1)}•••${address.slice(at)}`
}
