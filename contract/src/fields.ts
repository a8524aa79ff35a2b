import * as z from 'zod/mini'
import { parseSeason, type Season } from './season.ts'

/** Building blocks for the calls' schemas. Bodies are never coerced; query values are text and parsed here. */

/** How answers name a school, an olympiad and a student in a class, and count the rows of a list with pages. */
export const schoolName = { schCode: z.string(), schName: z.string() }
export const olympiad = { eventLetter: z.string(), subjectName: z.string() }
export const studentInClass = {
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  rollNo: z.int(),
}
export const pages = { total: z.int(), pageSize: z.int() }

export const jobState = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled'])
/** How far a background job is, and why it has failed. */
export const jobProgress = { state: jobState, done: z.int(), total: z.int(), error: z.nullable(z.string()) }

/** Largest value of a PostgreSQL integer; no record has a larger id, so none is looked up. */
export const largestId = 2_147_483_647

/** A positive id as a query parameter. */
export const queryId = z.pipe(
  z.string().check(z.refine((text) => /^[0-9]{1,15}$/.test(text) && Number(text) <= largestId)),
  z.transform((text: string) => Number(text)),
)

/** An id in a body. */
export const bodyId = z.int().check(z.minimum(0), z.maximum(largestId))

/** A whole number that a form may send as digits, as a select does; anything else gets the one message. */
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

/** A season's label, `2026-27`, parsed to a Season. */
export const seasonLabel = z.pipe(
  z.string().check(z.refine((text) => parseSeason(text) !== undefined, 'Season is not valid.')),
  z.transform((text: string) => text as Season),
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Normalises typed text: NFC, no control or direction-changing characters, single spaces, trimmed. */
export function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replace(controls, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
}

/** Cuts a text to at most this length, never through an emoji: the database can't store half a character. */
export const cutText = (text: string, longest: number): string =>
  text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')

/** Converts Indian digits to ASCII digits: `०१२` and `০১২` → `012`. */
export function latinDigits(text: string): string {
  return text.replace(/[०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]/g, (digit) => String((digit.charCodeAt(0) & 15) - 6))
}

/** Required text of at most `longest` characters after `tidy`; `required` is the message if nothing is left. */
export function text(required: string, longest = 200) {
  return z.pipe(
    z.pipe(z.string(required), z.transform(tidy)),
    z.string().check(z.minLength(1, required), z.maxLength(longest, `At most ${longest} characters.`)),
  )
}

/** Optional text; empty stays empty. */
export function optionalText(longest = 200) {
  return z._default(
    z.pipe(
      z.pipe(z.string(), z.transform(tidy)),
      z.string().check(z.maxLength(longest, `At most ${longest} characters.`)),
    ),
    '',
  )
}

/** For a check of a whole form: run it once these fields are texts, so that all errors are shown at once. */
export const whenTexts =
  (...names: readonly string[]) =>
  ({ value }: { value: unknown }): boolean => {
    const form = value as Record<string, unknown> | null
    return typeof form === 'object' && names.every((name) => typeof form?.[name] === 'string')
  }

/**
 * Matches deliverable e-mail addresses: ASCII, lower-cased first, any real top-level domain (the specification's two to
 * four letters exclude .school, see docs/deviations.md).
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

/** An optional e-mail; empty stays empty. */
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

/** Reduces a mobile to plain digits: drops +91 or a leading 0 before ten digits, spaces, dots, dashes, brackets. */
export function normaliseMobile(typed: string): string {
  const digits = latinDigits(tidy(typed)).replace(/[\s().-]/g, '')
  return digits.replace(/^(?:\+91|0)(?=[0-9]{10}$)/, '').replace(/^\+(?=[0-9]{10,12}$)/, '')
}

/** Builds a WhatsApp link with a text to send; '' if it can't be a mobile. Indian 1800 and 1860 numbers are none. */
export function whatsAppLink(typed: string, text = ''): string {
  const digits = normaliseMobile(typed)
  const number = /^[6-9]\d{9}$/.test(digits)
    ? `91${digits}`
    : /^\+?(?!1800|1860)[1-9]\d{10,14}$/.test(digits)
      ? digits
      : ''
  const query = text === '' ? '' : `?text=${encodeURIComponent(text)}`
  return number === '' ? '' : `https://wa.me/${number.replace('+', '')}${query}`
}

/** Identifies what was shown, as the answer gave it; a decision on anything else is refused (`changed_meanwhile`). */
export const shownMark = z.string().check(z.minLength(1), z.maxLength(64))

/** One repeated digit, or consecutive digits: what people type into a required column if they have no number. */
const placeholderNumbers = /(?:\d(\d)\1{8}|1234567890|0123456789|9876543210|0987654321)$/

/**
 * Returns the mobile that links children to one family; '' if there is none or it is a placeholder, because a shared
 * placeholder would show the children of many families to each other's parents.
 */
export function familyMobile(mobile: string): string {
  return placeholderNumbers.test(mobile) ? '' : mobile
}
