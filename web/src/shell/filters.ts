import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Parses a search parameter, whatever was typed into the address; returns the default if it is invalid. */
type Reader<T> = (raw: unknown) => T

export const textFilter =
  (standard = ''): Reader<string> =>
  (raw) =>
    typeof raw === 'string' || typeof raw === 'number' ? String(raw).slice(0, 200) : standard

export const numberFilter =
  (standard: number): Reader<number> =>
  (raw) => {
    const n = Number(raw)
    return raw !== undefined && raw !== '' && Number.isSafeInteger(n) && n >= 0 ? n : standard
  }

export const choiceFilter =
  <T extends string>(choices: readonly T[], standard: T): Reader<T> =>
  (raw) =>
    choices.find((choice) => choice === String(raw)) ?? standard

type Shape = Record<string, Reader<unknown>>
type ValuesOf<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> }

export interface Filters<S extends Shape> {
  readers: S
  /** For the route: `validateSearch: studentFilters.validate`. */
  validate: (search: Record<string, unknown>) => Partial<ValuesOf<S>>
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Defines a list's filters, stored in its address: `defineFilters({ name: textFilter(), page: numberFilter(1) })`. */
export function defineFilters<S extends Shape>(readers: S): Filters<S> {
  const validate = (search: Record<string, unknown>) => {
    const values: Record<string, unknown> = {}
    for (const [name, read] of Object.entries(readers)) {
      const value = read(search[name])
      if (!isSame(value, read(undefined))) values[name] = value
    }
    return values as Partial<ValuesOf<S>>
  }
  return { readers, validate }
}

/** Filters of a list that has only pages. */
export const pageFilters = defineFilters({ page: numberFilter(1) })

/**
 * Filters in the address: the financial year of a page with its own choice (by default the header's season), and how a
 * page of figures shows them.
 */
export const seasonFilters = defineFilters({
  FYear: textFilter(),
  view: choiceFilter(['table', 'boxes'] as const, 'table'),
})

const writeDelay = 250

/**
 * Returns the filters' values and functions to change them. Fields change at once, the address (and with it the query)
 * 250 ms after the last change; changing anything but `page` goes back to page one.
 */
export function useFilters<S extends Shape>(filters: Filters<S>) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const inAddress = readAll(filters.readers, search)
  const [typed, setTyped] = useState<Partial<ValuesOf<S>>>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const shown = { ...inAddress, ...typed }
  const change = (changes: Partial<ValuesOf<S>>) => {
    const next = { ...typed, ...('page' in changes ? {} : { page: undefined }), ...changes }
    setTyped(next)
    clearTimeout(timer.current)
    const { pathname } = location
    timer.current = setTimeout(async () => {
      // Another page is already loading.
      if (location.pathname !== pathname) return
      await navigate({
        to: '.',
        // What else has changed in the address meanwhile stays.
        search: (now: object) => filters.validate({ ...now, ...next }),
        replace: true,
        // Opening an item beside the list keeps the scroll position; the pager goes to the list's top by itself.
        resetScroll: !('id' in next || 'page' in changes),
      })
      // Cleared only once the address has the values; in between the fields would show the old ones.
      setTyped((now) => (now === next ? {} : now))
    }, writeDelay)
  }
  const clear = () => {
    clearTimeout(timer.current)
    setTyped({})
    void navigate({ to: '.', search: {}, replace: true })
  }
  return {
    /** Values in the address; for the query. */
    values: inAddress,
    /** Values shown in the fields. */
    shown: readAll(filters.readers, shown),
    change,
    clear,
    /** Props for a field that shows this filter and changes it, and others with it: `{...filters.field('search')}`. */
    field: (name: keyof S & string, alsoChange: Partial<ValuesOf<S>> = {}) => ({
      value: String(filters.readers[name]?.(shown[name])),
      onChange: (to: string | { currentTarget: { value: string } }) => {
        const value = typeof to === 'string' ? to : to.currentTarget.value
        change({ [name]: filters.readers[name]?.(value), ...alsoChange } as Partial<ValuesOf<S>>)
      },
    }),
    /** Sets these filters back to their defaults. */
    reset: (names: readonly (keyof S)[]) =>
      change(
        Object.fromEntries(names.map((name) => [name, filters.readers[name]?.(undefined)])) as Partial<
          ValuesOf<S>
        >,
      ),
    /** Chips of the set filters, in the order of `words`, each with its text and removable. */
    chips: (words: { [K in keyof S]?: (value: ValuesOf<S>[K]) => string }) =>
      (Object.keys(words) as (keyof S & string)[]).flatMap((key) => {
        const standard = filters.readers[key]?.(undefined)
        const text = words[key]?.(inAddress[key])
        if (text === undefined || isSame(inAddress[key], standard)) return []
        return [{ key, text, onRemove: () => change({ [key]: standard } as Partial<ValuesOf<S>>) }]
      }),
    /** Returns how many of these filters are set. */
    countSet: (...names: (keyof S)[]) =>
      names.filter((name) => !isSame(inAddress[name], filters.readers[name]?.(undefined))).length,
  }
}

function readAll<S extends Shape>(readers: S, from: Record<string, unknown>): ValuesOf<S> {
  const values: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(readers)) values[name] = read(from[name])
  return values as ValuesOf<S>
}
