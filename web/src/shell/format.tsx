import { formatNumber } from '@podium/contract/figures'
import { formatRupees } from '@podium/contract/money'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import { createElement, Fragment, type ReactNode } from 'react'
import { translateSentence } from './language/sentences.ts'

/** Shown where a record has no value: a dash in a table; a phone's card leaves the line out (`table-cards.css`). */
export const nothing = <span className="quiet nil">–</span>

/** Shows rupees, as in the calls, as `₹1,24,500`; a dash if there is no amount. */
export function Rupees({ amount, dash }: { amount: number | null | undefined; dash?: boolean }) {
  if (amount === null || amount === undefined || (dash && amount === 0)) return nothing
  return <span className="nowrap">{formatRupees(amount)}</span>
}

/** Formats a day (`2026-11-21`) or an instant (ISO, shown in IST) as `21-Nov-2026`; a dash if there is none. */
export function dayText(value: string | null | undefined): string {
  if (!value) return '–'
  return formatDay(value.length > 10 ? istDay(new Date(value)) : value)
}

/** Keeps the dates in a sentence on one line; a browser would break them at their hyphens. */
export function keepDatesTogether(text: string): ReactNode {
  const parts = text.split(/(\b\d{2}-[A-Z][a-z]{2}-\d{4}\b)/)
  const unbreakable = (day: string) => createElement('span', { className: 'nowrap' }, day)
  return createElement(Fragment, null, ...parts.map((part, n) => (n % 2 === 1 ? unbreakable(part) : part)))
}

/** Shows an e-mail address that breaks after its @ first. */
export function Mail({ address }: { address: string }) {
  const end = address.indexOf('@') + 1
  return (
    <span className="mail">
      {address.slice(0, end)}
      <wbr />
      {address.slice(end)}
    </span>
  )
}

export function Day({ value }: { value: string | null | undefined }) {
  return value ? (
    <time className="nowrap" dateTime={value}>
      {dayText(value)}
    </time>
  ) : (
    nothing
  )
}

/** Shows an instant as `21-Nov-2026 09:05 AM`, in IST. */
export function Moment({ value }: { value: string | null | undefined }) {
  if (!value) return nothing
  return (
    <time className="nowrap" dateTime={value}>
      {dayText(value)} {istTime(new Date(value))}
    </time>
  )
}

/** Joins town, state and country in a line, in the reader's language; a city that is its own state appears once. */
export function placeText(...parts: readonly string[]): string {
  return [...new Set(parts.filter(Boolean))].map(translateSentence).join(', ')
}

/** Formats a number as `1,24,500`: en-IN grouping in every language. */
export function count(n: number): string {
  return formatNumber(n)
}

/** Renders a translated sentence with its `**strong**` words. */
export function BoldText({ text }: { text: string }) {
  return text.split('**').map((part, n) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
    n % 2 === 1 ? <b key={n}>{part}</b> : <span key={n}>{part}</span>,
  )
}

/** Formats a final score with four decimals, like the weights that break ties. */
export const finalScore = (marks: number): string => marks.toFixed(4)

/** Formats a raw score with as many decimals as it has. */
export const rawScore = (marks: number): string => String(marks)
