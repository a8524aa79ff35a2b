import { grouped } from '@podium/contract/figures'
import { formatRupees } from '@podium/contract/money'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import { createElement, Fragment, type ReactNode } from 'react'

/** `₹1,24,500` from rupees, as the calls carry them; a dash for nothing. */
export function Rupees({ amount, dash }: { amount: number | null | undefined; dash?: boolean }) {
  if (amount === null || amount === undefined || (dash && amount === 0))
    return <span className="quiet">–</span>
  return <span className="nowrap">{formatRupees(amount)}</span>
}

/** `21-Nov-2026` from a day (`2026-11-21`) or an instant (ISO with time, shown in IST); a dash for nothing. */
export function dayText(value: string | null | undefined): string {
  if (!value) return '–'
  return formatDay(value.length > 10 ? istDay(new Date(value)) : value)
}

/** A sentence whose days are never broken over two lines: a browser takes their hyphens for places to do so. */
export function withWholeDays(text: string): ReactNode {
  const parts = text.split(/(\b\d{2}-[A-Z][a-z]{2}-\d{4}\b)/)
  const whole = (day: string) => createElement('span', { className: 'nowrap' }, day)
  return createElement(Fragment, null, ...parts.map((part, n) => (n % 2 === 1 ? whole(part) : part)))
}

/** An address that breaks behind its @ first. */
export function Mail({ address }: { address: string }) {
  const at = address.indexOf('@') + 1
  return (
    <span className="mail">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  )
}

export function Day({ value }: { value: string | null | undefined }) {
  return value ? (
    <time className="nowrap" dateTime={value}>
      {dayText(value)}
    </time>
  ) : (
    <span className="quiet">–</span>
  )
}

/** `21-Nov-2026 09:05 AM`, in IST, from an instant. */
export function Moment({ value }: { value: string | null | undefined }) {
  if (!value) return <span className="quiet">–</span>
  return (
    <time className="nowrap" dateTime={value}>
      {dayText(value)} {istTime(new Date(value))}
    </time>
  )
}

/** Town, state and country as one line; a city that is its own state is named once. */
export function placeText(...parts: readonly string[]): string {
  return [...new Set(parts.filter(Boolean))].join(', ')
}

/** `1,24,500`: en-IN grouping in every language. */
export function count(n: number): string {
  return grouped(n)
}
