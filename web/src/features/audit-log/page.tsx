import {
  auditActors,
  type ChangeRow,
  changeActions,
  changeList,
  exportChanges,
} from '@podium/contract/audit-log/calls'
import { istDay } from '@podium/contract/season'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DateField } from '#shell/dates/date-field.tsx'
import { chipText, useFilters } from '#shell/filters.ts'
import { count, dayText, Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import {
  Actor,
  Changes as ChangeList,
  useActionName,
  useKindName,
  useLineName,
  useValue,
} from '#shell/history/line-parts.tsx'
import { ListTable, NothingFound } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField, TextField } from '#ui/text-field.tsx'
import { changeFilters } from './filters.ts'
import '../../shell/history/history.css'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/audit-log.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/audit-log.json'))

const actorWords = {
  office: 'byOffice',
  account: 'byAccount',
  family: 'byFamily',
  system: 'bySystem',
} as const

/** Loads the changes for the filters in the URL. */
export function useChanges() {
  const filters = useFilters(changeFilters)
  const { page, ...query } = filters.values
  const list = useEndpoint(changeList, { query: { ...query, page: String(page) } })
  const set = filters.countSet('search', 'who', 'by', 'action', 'kind', 'record', 'school', 'from', 'until')
  return { filters, query, list, set }
}

export type Changes = ReturnType<typeof useChanges>

/** Filters by person, action, record, school and period. */
export function ChangeFilterRow({ changes, view }: { changes: Changes; view: ReactNode }) {
  const t = words.use()
  const { filters, set } = changes
  const { shown } = filters
  const nameOf = useActionName()
  const kindOf = useKindName()
  const by = auditActors.map((value) => ({ value, label: t(actorWords[value]) }))
  return (
    <FilterRow
      view={view}
      chips={filters.chips({
        who: chipText(t('who')),
        by: chipText(
          t('by'),
          auditActors.map((value) => [value, t(actorWords[value])] as const),
        ),
        action: (action) =>
          `${t('what')}: ${action.endsWith('.') ? t('allOf', { group: kindOf(action.slice(0, -1)) }) : nameOf(action)}`,
        kind: (kind) => `${t('kind')}: ${kindOf(kind)}`,
        record: chipText(t('record')),
        school: chipText(t('school')),
        from: (day) => `${t('from')}: ${dayText(day)}`,
        until: (day) => `${t('until')}: ${dayText(day)}`,
      })}
      set={Math.max(0, set - (filters.values.search === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      search={<SearchField label={t('search')} placeholder={t('searchHint')} {...filters.field('search')} />}
    >
      <SelectField label={t('by')} empty={t('all')} choices={by} {...filters.field('by')} />
      <ActionFilter changes={changes} />
      <KindFilter changes={changes} />
      <TextField label={t('who')} placeholder={t('whoHint')} {...filters.field('who')} />
      <TextField label={t('school')} autoCapitalize="characters" {...filters.field('school')} />
      <DateField label={t('from')} value={shown.from} onChange={(day) => filters.change({ from: day })} />
      <DateField label={t('until')} value={shown.until} onChange={(day) => filters.change({ until: day })} />
    </FilterRow>
  )
}

/** Filters by a single action or a group of actions. */
function ActionFilter({ changes }: { changes: Changes }) {
  const t = words.use()
  const nameOf = useActionName()
  const kindOf = useKindName()
  const { filters } = changes
  const actions = useEndpoint(changeActions).data?.actions ?? []
  const groups = [...new Set(actions.map((action) => action.split('.')[0] ?? ''))]
  const choices = groups.flatMap((group) => {
    const groupActions = actions.filter((action) => action.startsWith(`${group}.`))
    const each = groupActions.map((action) => ({ value: action, label: nameOf(action) }))
    return groupActions.length > 1
      ? [{ value: `${group}.`, label: t('allOf', { group: kindOf(group) }) }, ...each]
      : each
  })
  return (
    <SelectField
      label={t('what')}
      empty={t('all')}
      choices={withChosen(choices, filters.shown.action)}
      {...filters.field('action')}
    />
  )
}

/** Filters by kind of record, and by a record of that kind. */
function KindFilter({ changes }: { changes: Changes }) {
  const t = words.use()
  const kindOf = useKindName()
  const { filters } = changes
  const { shown } = filters
  const kinds = (useEndpoint(changeActions).data?.kinds ?? []).map((kind) => ({
    value: kind,
    label: kindOf(kind),
  }))
  return (
    <>
      <SelectField
        label={t('kind')}
        empty={t('all')}
        choices={withChosen(kinds, shown.kind)}
        {...filters.field('kind')}
      />
      {(shown.kind !== '' || shown.record !== '') && (
        <TextField label={t('record')} {...filters.field('record')} />
      )}
    </>
  )
}

/** Adds the value from the URL to the choices if it is missing. */
function withChosen(choices: { value: string; label: string }[], value: string) {
  if (value === '' || choices.some((choice) => choice.value === value)) return choices
  return [{ value, label: value }, ...choices]
}

/** Kinds whose number means nothing: there is only one, or users never see it. */
const numberless = new Set(['foundation', 'visit', 'view'])
/** Kinds whose names are codes, which have their own words. */
const named = new Set(['mail_text', 'list_entry'])

/** The changes as a table, as cards on a phone; clicking a record's number shows only its changes. */
export function ChangesTable({
  changes: { filters, list },
  columns,
}: {
  changes: Changes
  columns: readonly Column<ChangeRow>[]
}) {
  const t = words.use()
  return (
    <ListTable
      className="changes"
      caption={t('caption')}
      columns={columns}
      list={list}
      filters={filters}
      rowKey={(row) => String(row.id)}
      cardColumns={2}
      empty={<NothingFound t={t} onClear={filters.clear} />}
    />
  )
}

/** Returns the columns of the activity log. */
export function useColumns({ filters }: Changes): Column<ChangeRow>[] {
  const t = words.use()
  const kindOf = useKindName()
  const lineName = useLineName()
  const valueText = useValue()
  /** Returns a record's name, its number if it has none, or nothing if the number means nothing. */
  const recordOf = ({ subjectKind, subjectName, subjectId }: ChangeRow) => {
    const numbered = /^\d{1,15}$/.test(subjectId) && !numberless.has(subjectKind)
    const name = subjectName === '' && numbered ? subjectId : subjectName
    const nameText = valueText(name, named.has(subjectKind) ? 'words' : 'names')
    return nameText === '' ? kindOf(subjectKind) : `${kindOf(subjectKind)}: ${nameText}`
  }
  return [
    { key: 'what', label: t('what'), title: true, cell: (row) => lineName(row) },
    { key: 'when', label: t('when'), card: 'wide', cell: (row) => <Moment value={row.at} /> },
    { key: 'who', label: t('who'), cell: (row) => <Actor line={row} /> },
    {
      key: 'record',
      label: t('recordName'),
      cell: (row) =>
        (row.times ?? 1) > 1 ? (
          <button
            type="button"
            className="lk"
            onClick={() => {
              const day = istDay(new Date(row.at))
              const { action, schCode: school } = row
              filters.change({ search: '', action, school, from: day, until: day, page: 1 })
            }}
          >
            {t('eachOf')}
          </button>
        ) : (
          <button
            type="button"
            className="lk"
            onClick={() =>
              filters.change({ search: '', kind: row.subjectKind, record: row.subjectId, page: 1 })
            }
          >
            {recordOf(row)}
          </button>
        ),
    },
    {
      key: 'school',
      label: t('schoolOf'),
      card: 'wide',
      cell: (row) =>
        row.schoolId === null ? (
          <span className="quiet">–</span>
        ) : (
          <Link to={officePaths.school} params={{ id: String(row.schoolId) }} title={row.schName}>
            {row.schCode}
          </Link>
        ),
    },
    {
      key: 'changes',
      label: t('details'),
      card: 'wide',
      cell: (row) =>
        row.changes.length === 0 ? <span className="quiet">–</span> : <ChangeList changes={row.changes} />,
    },
  ]
}

/** Who changed what, when, from what to what: searched, filtered, exported as a file. */
export function ChangesPage() {
  const t = words.use()
  const changes = useChanges()
  const { data } = changes.list
  const mayExport = useMay('changes.export')
  const { columns, tools } = useListView('changes', useColumns(changes))
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={data && (data.more ? t('factMore', { n: count(data.total) }) : t('fact', { n: data.total }))}
      >
        <ListDownloads
          endpoint={exportChanges}
          bodyOf={(format) => ({ ...changes.query, format })}
          lock={mayExport ? undefined : t('mayNotExport')}
        />
      </PageHeader>
      <ChangeFilterRow changes={changes} view={tools} />
      <ChangesTable changes={changes} columns={columns} />
    </>
  )
}
