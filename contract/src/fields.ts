import * as z from 'zod/mini'
import { parseSeason, type Season } from './season.ts'

/** Building blocks of the calls' schemas. Bodies are never coerced; query values arrive as text and are read here. */

/** The largest number of the database's smaller columns; an id beyond it names nothing, and is not asked for. */
export const largestId = 2_147_483_647

/** A positive id in a query, as digits. */
export const queryId = z.pipe(
  z.string().check(z.refine((text) => /^[0-9]{1,15}$/.test(text) && Number(text) <= largestId)),
  z.transform((text: string) => Number(text)),
)

/** An id in a body. */
export const bodyId = z.int().check(z.minimum(0), z.maximum(largestId))

/** A whole number that a form may send as digits, as a list to choose from gives them; anything else has the one message. */
export function numeric(message: string) {
  return z.pipe(
    z.union([z.number(), z.string()], message),
    z.transform((typed: number | string) => {
      if (typeof typed === 'number') return typed <= largestId ? typed : Number.NaN
      const digits = latinDigits(typed.trim())
      return /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN
    }),
  )
}

/** A season's label, `2026-27`; read as a Season. */
export const seasonLabel = z.pipe(
  z.string().check(z.refine((text) => parseSeason(text) !== undefined, 'Season is not valid.')),
  z.transform((text: string) => text as Season),
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Text as people type it: NFC, no control or direction-changing characters, one space between words, none around. */
export function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replace(controls, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
}

/** Digits as Indian keyboards type them, as those that programs reckon with: `०१२` and `০১২` → `012`. */
export function latinDigits(text: string): string {
  return text.replace(/[०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]/g, (digit) => String((digit.charCodeAt(0) & 15) - 6))
}

/** Required text of at most `longest` characters after tidying; `required` is the message when nothing is left. */
export function text(required: string, longest = 200) {
  return z.pipe(
    z.pipe(z.string(required), z.transform(tidy)),
    z.string().check(z.minLength(1, required), z.maxLength(longest, `At most ${longest} characters.`)),
  )
}

/** Optional text: empty stays empty. */
export function optionalText(longest = 200) {
  return z._default(
    z.pipe(
      z.pipe(z.string(), z.transform(tidy)),
      z.string().check(z.maxLength(longest, `At most ${longest} characters.`)),
    ),
    '',
  )
}

/** When a check of a whole form is made: as soon as these fields are texts, whatever else is wrong, so that all is said at once. */
export const onceTexts =
  (...names: readonly string[]) =>
  ({ value }: { value: unknown }): boolean => {
    const form = value as Record<string, unknown> | null
    return typeof form === 'object' && names.every((name) => typeof form?.[name] === 'string')
  }

/**
 * E-mail addresses that can be written to: ASCII, lower-cased for the person, any real top-level domain
 * (the specification's two to four letters leave out .school, see docs/deviations.md).
 */
export const emailPattern =
  /^[a-z0-9](?:[a-z0-9._%+'-]{0,62}[a-z0-9_%+'-])?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/

export function email(required: string, invalid: string) {
  return z.pipe(
    z.pipe(
      z.string(required),
      z.transform((typed: string) => tidy(typed).toLowerCase()),
    ),
    z.string().check(
      z.minLength(1, required),
      z.refine((typed) => typed === '' || (typed.length <= 254 && emailPattern.test(typed)), invalid),
    ),
  )
}

/** An e-mail that may be left out; empty stays empty. */
export function optionalEmail(invalid: string) {
  return z._default(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((typed: string) => tidy(typed).toLowerCase()),
      ),
      z
        .string()
        .check(
          z.refine((typed) => typed === '' || (typed.length <= 254 && emailPattern.test(typed)), invalid),
        ),
    ),
    '',
  )
}

/** A mobile number in plain digits, without what people write around it: +91 or a leading 0 before ten digits, spaces, dashes, brackets. */
export function bareMobile(typed: string): string {
  const digits = latinDigits(tidy(typed)).replace(/[\s().-]/g, '')
  return digits.replace(/^(?:\+91|0)(?=[0-9]{10}$)/, '').replace(/^\+(?=[0-9]{10,12}$)/, '')
}

/** The address that opens WhatsApp at a number, with a text to send; '' for what can be no mobile. Ten digits are India's, whose 1800 and 1860 are free to call and no mobiles. */
export function whatsAppLink(typed: string, text = ''): string {
  const digits = bareMobile(typed)
  const number = /^[6-9]\d{9}$/.test(digits)
    ? `91${digits}`
    : /^\+?(?!1800|1860)[1-9]\d{10,14}$/.test(digits)
      ? digits
      : ''
  const query = text === '' ? '' : `?text=${encodeURIComponent(text)}`
  return number === '' ? '' : `https://wa.me/${number.replace('+', '')}${query}`
}

/** The mark of what was shown, as the answer gave it: a decision upon anything else is refused with `changed_meanwhile`. */
export const shownMark = z.string().check(z.minLength(1), z.maxLength(64))

/** One digit over and over, or digits in a row: what people type where a column wants a number that they do not have. */
const fillers = /(?:\d(\d)\1{8}|1234567890|0123456789|9876543210|0987654321)$/

/**
 * The mobile by which children are one family: '' for none, and for a number that fills the column, because behind one
 * link it would put children of many families before each other's parents.
 */
export function joiningMobile(mobile: string): string {
  return fillers.test(mobile) ? '' : mobile
}
