import { addDays } from '@podium/contract/season'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button, IconButton } from '#ui/button.tsx'
import { usePopover } from '#ui/popover.ts'
import type en from '#words/en/dates.json'
import { defineWords } from '../language/words.ts'
import { addMonths, monthNames, weeksOfMonth } from './typed-day.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/dates.json'))

interface CalendarProps {
  id: string
  day: string | undefined
  min: string | undefined
  max: string | undefined
  /** With the chosen day, '' to clear it, or nothing for Escape. The focus returns to the field. */
  onClose: (chosen?: string) => void
  /** Called when the user presses elsewhere. */
  onFocusOut: () => void
}

/** Today in IST. */
const today = () => new Date(Date.now() + 19_800_000).toISOString().slice(0, 10)

/** The day each key moves to. */
const moves: Record<string, (day: string, far: boolean) => string> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -new Date(day).getUTCDay()),
  End: (day) => addDays(day, 6 - new Date(day).getUTCDay()),
  PageUp: (day, far) => addMonths(day, far ? -12 : -1),
  PageDown: (day, far) => addMonths(day, far ? 12 : 1),
}

const within = (day: string, min: string | undefined, max: string | undefined) =>
  min && day < min ? min : max && day > max ? max : day

/** A month to choose a day from, above everything else; the dialog of a date field (WAI-ARIA APG). */
export function Calendar({ id, day, min, max, onClose, onFocusOut }: CalendarProps) {
  const t = words.use()
  const language = document.documentElement.lang
  const [focused, setFocused] = useState(() => within(day ?? today(), min, max))
  const [moved, setMoved] = useState(true)
  const box = useRef<HTMLDivElement>(null)
  usePopover(box, onFocusOut)
  useLayoutEffect(() => {
    if (moved) box.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus()
  }, [focused, moved])

  const months = monthNames(language)
  const monthOf = (date: string) => `${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`
  const weekday = (form: 'short' | 'long') =>
    new Intl.DateTimeFormat(language, { weekday: form, timeZone: 'UTC' })
  const off = (date: string) => within(date, min, max) !== date
  const turn = (months: number) => {
    setMoved(false)
    setFocused(within(addMonths(focused, months), min, max))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    }
    if (event.key === 'Tab') keepInside(event)
    const lead = moves[event.key]
    if (!lead || !(event.target as HTMLElement).dataset.day) return
    event.preventDefault()
    setMoved(true)
    setFocused(within(lead(focused, event.shiftKey), min, max))
  }
  const weeks = weeksOfMonth(focused)
  return (
    <div
      ref={box}
      id={id}
      className="cal"
      popover="auto"
      role="dialog"
      aria-label={t('calendar')}
      onKeyDown={onKeyDown}>
      <div className="cal-head">
        <IconButton icon="left" label={t('previousMonth')} onClick={() => turn(-1)} />
        <b aria-live="polite">{monthOf(focused)}</b>
        <IconButton icon="right" label={t('nextMonth')} onClick={() => turn(1)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: days in weeks, walked by arrow keys: a grid */}
      <table role="grid" aria-label={monthOf(focused)}>
        <thead>
          <tr>
            {weeks[0]?.map((weekDay) => (
              <th key={weekDay} scope="col" abbr={weekday('long').format(new Date(weekDay))}>
                {weekday('short').format(new Date(weekDay))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((cell) => (
                <td key={cell}>
                  <button
                    type="button"
                    data-day={cell}
                    className={cell.slice(0, 7) === focused.slice(0, 7) ? '' : 'else'}
                    tabIndex={cell === focused ? 0 : -1}
                    aria-label={`${Number(cell.slice(8))} ${monthOf(cell)}`}
                    aria-pressed={cell === day}
                    aria-current={cell === today() ? 'date' : undefined}
                    aria-disabled={off(cell) || undefined}
                    onClick={() => !off(cell) && onClose(cell)}>
                    {Number(cell.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="cal-foot">
        <Button kind="text" disabled={off(today())} onClick={() => onClose(today())}>
          {t('today')}
        </Button>
        {day && (
          <Button kind="text" onClick={() => onClose('')}>
            {t('clear')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Keeps Tab within the calendar, as in any dialog. */
function keepInside(event: KeyboardEvent<HTMLDivElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not([tabindex="-1"], :disabled)')]
  const next = all.at((all.indexOf(event.target as HTMLElement) + (event.shiftKey ? -1 : 1)) % all.length)
  event.preventDefault()
  next?.focus()
}
