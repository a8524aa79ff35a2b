import { classes } from '@podium/contract/classes'
import { officeSchoolPlaces } from '@podium/contract/schools/calls-register'
import { type ComponentType, Fragment, type ReactNode, useEffect } from 'react'
import { Segmented } from '#ui/button.tsx'
import type { DataTableProps } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { type FilterChip, FilterRow, maxVisibleFilters } from '#ui/filter-row.tsx'
import { NothingFound } from '#ui/note.tsx'
import { pagingOf } from '#ui/pager.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { type Choice, SelectField } from '#ui/select-field.tsx'
import { hideAfterSkeleton } from '#ui/skeleton.tsx'
import { SearchField, TextField } from '#ui/text-field.tsx'
import { translateSentence } from './language/sentences.ts'
import { LoadProblem, PageProblem } from './load-problem.tsx'
import { useEndpoint } from './query.ts'
import { useListView } from './saved-views/list-view.tsx'
import './record.css'

/** The result of `useEndpoint` */
interface List<Answer> {
  data: Answer | undefined
  error: Error | null
  isPlaceholderData: boolean
  refetch: () => unknown
}

interface Rows<Row> {
  data: readonly Row[]
  total?: number
  pageSize?: number
}

type ListTableProps<Row> = Omit<DataTableProps<Row>, 'rows' | 'stale' | 'problem'> &
  ({ list: List<Rows<Row>> } | { list: List<object>; rows: readonly Row[] | undefined })

/** The filters in the address, with the `page`, if the list has pages */
type PageFilters = Parameters<typeof pagingOf>[1]

/**
 * Goes to the last page that a list has, if it has become shorter than the page in the address: the rows there were decided
 * on or deleted, or the address is an old one.
 */
export function useLastPage(list: Partial<Rows<unknown>> | undefined, filters: PageFilters): void {
  const { data, total = 0, pageSize = 50 } = list ?? {}
  const last = Math.max(1, Math.ceil(total / pageSize))
  const isPast = data?.length === 0 && (filters?.values.page ?? 1) > last
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters are other ones each time
  useEffect(() => {
    if (isPast) filters?.change({ page: last })
  }, [isPast, last])
}

/** The table of a list from a call: its rows and pages, or why it could not be loaded. */
export function ListTable<Row>({
  list,
  filters,
  ...table
}: ListTableProps<Row> & { filters?: PageFilters | undefined }) {
  const { data, error, isPlaceholderData, refetch } = list
  const answer = data as Partial<Rows<Row>> | undefined
  useLastPage(answer, filters)
  return (
    <DataTable
      rows={answer?.data}
      {...pagingOf(answer, filters)}
      {...table}
      stale={isPlaceholderData}
      problem={error && !data && <LoadProblem error={error} retry={refetch} />}
    />
  )
}

/** Returns the choices of a field: `choicesOf(requestKinds, t)`. */
export const choicesOf = <const Value extends string>(
  values: readonly Value[],
  label: (value: Value) => string,
) => values.map((value) => ({ value, label: label(value) }))

/** Returns the choices of a field from their labels: `choicesBy({ due: t('feeDue'), paid: t('feePaid') })`. */
export const choicesBy = (labels: Record<string, string>): Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Returns the choices of the filter `classId`. */
export const classChoices = (): Choice[] =>
  classes.map(({ classId, className }) => ({ value: String(classId), label: translateSentence(className) }))

/** Adds the value from the address if the choices lack it. */
export const withCurrentChoice = (values: readonly string[], chosen: string): readonly string[] =>
  chosen === '' || values.includes(chosen) ? values : [chosen, ...values]

/** Returns the choices of the filters `state` and `district`: those that have schools, and the chosen ones. */
export function usePlaceChoices(state: string, district = '') {
  const places = useEndpoint(officeSchoolPlaces).data?.data ?? []
  const districts = places.filter((place) => place.state === state && place.district !== '')
  const named = (names: readonly string[], chosen: string) =>
    choicesOf(withCurrentChoice([...new Set(names)], chosen), translateSentence)
  return {
    states: named(
      places.map((place) => place.state),
      state,
    ),
    districts: named(
      districts.map((place) => place.district),
      district,
    ),
  }
}

interface Field {
  value: string
  onChange: (to: string | { currentTarget: { value: string } }) => void
}

/** A filter of a list: one of `choices`, else a text, else what the field `as` gives. */
interface ListFilter<V> {
  label: string
  choices?: readonly Choice[]
  /** The choice of an empty value: «All» */
  all?: string
  as?: ComponentType<{ label: string } & Field>
  /** The text of its chip, if it has no choices */
  format?: (value: string) => string
  placeholder?: string
  className?: string
  autoCapitalize?: string
  /** What else changes with it */
  also?: Partial<V>
  /** It depends on the field before it and stays beside it */
  joined?: boolean
}

type Fields<V> = Partial<Record<keyof V & string, ListFilter<V> | false>>

interface FiltersProps<V> {
  /** The result of `useFilters` */
  filters: {
    values: V
    shown: V
    change: (to: Partial<V>) => void
    reset: (names: readonly (keyof V)[]) => void
    field: (name: keyof V & string, also?: Partial<V>) => Field
    chips: (formats: { [K in keyof V]?: (value: V[K]) => string }) => FilterChip[]
    countSet: (...names: (keyof V)[]) => number
    clear: () => void
  }
  /**
   * The fields in their order. `search` stays visible on a phone; `sort` does not narrow the list, so it is not counted
   * as set. A filter without a field (false) is counted, and cleared with the others.
   */
  fields: NoInfer<Fields<V>>
  /** The switch between the parts of the list */
  tabs?: { name: keyof NoInfer<V> & string; label: string; choices: readonly Choice[] }
  /** On the right: the tools of `useListView` */
  view?: ReactNode
}

const namesOf = <V,>(fields: Fields<V>, ...except: string[]) =>
  (Object.keys(fields) as (keyof V & string)[]).filter((name) => !except.includes(name))

/** Whether a search or filter is set, so that the list may lack rows. */
const isNarrowed = <V,>({ filters, fields }: Pick<FiltersProps<V>, 'filters' | 'fields'>) =>
  filters.countSet(...namesOf<V>(fields, 'sort')) > 0

/** Returns the text of each set filter: «Fee: Paid». */
function chipTexts<V>(fields: Fields<V>) {
  const texts: { [K in keyof V]?: (value: V[K]) => string } = {}
  for (const name of namesOf(fields, 'search', 'sort')) {
    const declared = fields[name]
    if (!declared) continue
    const { label, choices = [], format = String } = declared
    const textOf = (value: string) => choices.find((choice) => choice.value === value)?.label ?? format(value)
    texts[name] = (value) => `${label}: ${textOf(String(value))}`
  }
  return texts
}

/** The search, filters and sort order of a list, as declared in `fields`. */
export function ListFilters<V>({ filters, fields, tabs, view }: FiltersProps<V>) {
  const others = namesOf<V>(fields, 'search')
  const groups: (typeof others)[] = []
  for (const name of others) {
    const declared = fields[name]
    if (!declared) continue
    if (declared.joined) groups.at(-1)?.push(name)
    else groups.push([name])
  }
  const fieldOf = (name: keyof V & string) => {
    const declared: ListFilter<V> | false | undefined = fields[name]
    if (!declared) return undefined
    const { choices, all, as: Other, format: _, also, joined: __, ...props } = declared
    const field = { ...props, ...filters.field(name, also) }
    if (name === 'search') return <SearchField {...field} />
    if (Other) return <Other key={name} {...field} />
    if (!choices) return <TextField key={name} {...field} />
    return <SelectField key={name} empty={all} choices={choices} {...field} />
  }
  return (
    <FilterRow
      set={filters.countSet(...namesOf<V>(fields, 'search', 'sort'))}
      // Only if some fields are out of sight.
      chips={others.length > maxVisibleFilters + 1 ? filters.chips(chipTexts<V>(fields)) : []}
      onClear={isNarrowed({ filters, fields }) ? () => filters.reset(namesOf<V>(fields)) : undefined}
      search={fieldOf('search' as keyof V & string)}
      view={
        tabs ? (
          <div className="view-tools">
            <Segmented
              label={tabs.label}
              value={String(filters.shown[tabs.name])}
              choices={tabs.choices}
              onChange={(value) => filters.change({ [tabs.name]: value } as Partial<V>)}
            />
            {view}
          </div>
        ) : (
          view
        )
      }>
      {groups.map((group) => (
        <Fragment key={group[0]}>{group.map(fieldOf)}</Fragment>
      ))}
    </FilterRow>
  )
}

type PageProps<Row, V> = ListTableProps<Row> &
  Omit<FiltersProps<V>, 'view'> & {
    /** Names its saved views */
    name: string
    title: string
    fact?: ReactNode
    /** The buttons of the page, with the export */
    children?: ReactNode
    /** Below the header: what holds for the whole list */
    note?: ReactNode
    /** Beside the choice of columns */
    tools?: ReactNode
    /** Between the filters and the table, which waits for it if it has a skeleton */
    ahead?: ReactNode
    /** Keys of columns that have nothing to show now */
    hidden?: readonly string[]
    /** Shown instead of `empty` if a search or filter is set: what to show, or what `NothingFound` says */
    nothing?: ReactNode
    nothingHint?: string
  }

/** A page that is one list: its header, filters, saved views, choice of columns, table and pages. */
export function ListPage<Row, V>(props: PageProps<Row, V>) {
  const { name, title, fact, children, note, tools, ahead, hidden = [], ...rest } = props
  const { filters, fields, tabs, nothing, nothingHint, ...table } = rest
  const { list } = table
  const view = useListView(name, table.columns)
  const narrowed = isNarrowed({ filters, fields })
  const nothingFound =
    typeof nothing === 'string' ? (
      <NothingFound title={nothing} onClear={filters.clear}>
        {nothingHint}
      </NothingFound>
    ) : (
      nothing
    )
  // Filters that are set stay in sight: they may be the reason.
  if (list.error && !list.data && !narrowed)
    return <PageProblem title={title} error={list.error} retry={list.refetch} />
  const shown = (
    <ListTable
      {...table}
      columns={view.columns.filter(({ key }) => !hidden.includes(key))}
      filters={hasPages(filters) ? filters : undefined}
      empty={narrowed && nothing ? nothingFound : table.empty}
    />
  )
  return (
    <>
      <PageHeader title={title} fact={fact}>
        {children}
      </PageHeader>
      {note}
      <ListFilters<V>
        filters={filters}
        fields={fields}
        tabs={tabs}
        view={
          <>
            {view.tools}
            {tools}
          </>
        }
      />
      {'ahead' in props ? (
        <div ref={hideAfterSkeleton}>
          {ahead}
          {shown}
        </div>
      ) : (
        shown
      )}
    </>
  )
}

const hasPages = (filters: { values: unknown }): filters is NonNullable<PageFilters> =>
  typeof filters.values === 'object' && filters.values !== null && 'page' in filters.values

/** A table in a record, below its own heading. */
export function RecordTable<Row>({
  title,
  ...table
}: Omit<DataTableProps<Row>, 'caption'> & { title: string }) {
  return (
    <section className="record-part">
      <h2>{title}</h2>
      <DataTable compact caption={title} {...table} />
    </section>
  )
}
