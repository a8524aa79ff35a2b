import { lazyPart } from '#ui/lazy-part.ts'
import './date-field.css'
import { formatDay, isDay } from '@podium/contract/season'
import { type FocusEvent, type KeyboardEvent, type Ref, Suspense, useId, useRef, useState } from 'react'
import { IconButton } from '#ui/button.tsx'
import { FieldFrame, type FieldProps, resetsWithControl, useFieldIds } from '#ui/field.tsx'
import type en from '#words/en/dates.json'
import { defineWords } from '../language/words.ts'
import { parseTypedDay } from './typed-day.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/dates.json'))

const Calendar = lazyPart(() => import('./calendar.tsx'), 'Calendar')

interface DateFieldProps extends FieldProps {
  id?: string
  name?: string
  ref?: Ref<HTMLInputElement>
  /** `2026-11-21`, or ''. */
  value?: string
  defaultValue?: string
  /**
   * The day as `2026-11-21`, '' if empty. Invalid text reaches a form as typed, whose schema refuses it; a controlled
   * field (`value`), such as a list filter, gets ''.
   */
  onChange?: (day: string) => void
  onFocus?: () => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
  /** First and last day that may be chosen. */
  min?: string
  max?: string
  disabled?: boolean
  'data-path'?: string
  'data-autofocus'?: boolean
}

/** A draft may hold what was typed and is not a day. */
const shownOf = (value = '') => (isDay(value) ? formatDay(value) : value)

/** A day as 21-Nov-2026, typed in any usual way or chosen in a calendar (↓ or the button). Takes @mantine/form's props. */
export const DateField = resetsWithControl(function DateField(all: DateFieldProps) {
  const { label, labelHidden, hint, error, optional, className, aside, ...rest } = all
  const { value, defaultValue, onChange, onFocus, onBlur, min, max, ...input } = rest
  const t = words.use()
  const language = document.documentElement.lang
  const [typed, setTyped] = useState(shownOf(value ?? defaultValue))
  const [wasLeft, setWasLeft] = useState(false)
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLSpanElement>(null)
  /** A press outside has closed the calendar before it arrives as a click on the button. */
  const wasOpen = useRef(false)
  const calendarId = useId()
  const typedDay = parseTypedDay(typed, language)
  const follows = value === undefined || value === (typedDay ?? '')
  const text = follows ? typed : shownOf(value)
  const day = follows ? typedDay : value
  const findProblem = () => {
    if (text.trim() === '') return undefined
    if (!day) return t('noDay', { day: '24-Dec-2027' })
    if (min && day < min) return t('dayBefore', { day: formatDay(min) })
    if (max && day > max) return t('dayAfter', { day: formatDay(max) })
    return undefined
  }
  const problem = (!day && wasLeft && findProblem()) || error || (wasLeft && findProblem()) || undefined
  const { id, describedBy } = useFieldIds(problem, hint, input.id)

  const take = (now: string) => {
    const day = parseTypedDay(now, language)
    setTyped(now)
    setWasLeft(false)
    onChange?.(day ?? (value === undefined ? now.trim() : ''))
  }
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    if (event.relatedTarget && box.current?.contains(event.relatedTarget)) return
    if (day) setTyped(formatDay(day))
    else setTyped(text.trim())
    setWasLeft(true)
    onBlur?.(event)
  }
  const close = (chosen?: string) => {
    setOpen(false)
    if (chosen !== undefined) take(shownOf(chosen))
    box.current?.querySelector('input')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    setOpen(true)
  }
  const labelElement = <span id={`${id}-l`}>{label}</span>
  return (
    <FieldFrame
      id={id}
      props={{ label: labelElement, labelHidden, hint, error: problem, optional, className, aside }}>
      <span className="day-in" ref={box}>
        <input
          type="text"
          className="in"
          autoComplete="off"
          spellCheck={false}
          placeholder={t('dayFormat')}
          {...input}
          id={id}
          value={text}
          role="combobox"
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-controls={open ? calendarId : undefined}
          aria-invalid={problem ? true : undefined}
          aria-describedby={describedBy}
          onChange={(event) => take(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onFocus={() => {
            void Calendar.load()
            onFocus?.()
          }}
          onBlur={leave}
        />
        {/* ↓ in the field does the same, so Tab skips this button. */}
        <IconButton
          icon="calendar"
          label={t('openCalendar')}
          aria-describedby={`${id}-l`}
          tabIndex={-1}
          disabled={input.disabled}
          onPointerDown={() => (wasOpen.current = open)}
          onClick={() => {
            if (!wasOpen.current) setOpen(true)
            wasOpen.current = false
          }}
        />
        {open && (
          <Suspense>
            <Calendar
              id={calendarId}
              day={day || undefined}
              min={min}
              max={max}
              onClose={close}
              onFocusOut={() => setOpen(false)}
            />
          </Suspense>
        )}
      </span>
    </FieldFrame>
  )
})
