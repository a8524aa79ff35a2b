import {
  auditActors,
  type ChangeRow,
  changeActions,
  changeList,
  exportChanges,
} from '@podium/contract/audit-log/calls'
import { istDay } from '@podium/contract/season'
import { DateField } from '#shell/dates/date-field.tsx'
import { useFilters } from '#shell/filters.ts'
import { count, dayText, Moment, nothing } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import {
  Actor,
  Changes as ChangeList,
  useActionName,
  useKindName,
  useLineName,
  useValue,
} from '#shell/history/line-parts.tsx'
import { choicesOf, ListPage, withCurrentChoice } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { SchoolLink } from '#shell/record-links.tsx'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { changeFilters } from './filters.ts'
import '../../shell/history/history.css'
import { defineWords } from '#shell/language/words.ts'
import { NothingFound } from '#ui/note.tsx'
import type en from '#words/en/audit-log.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/audit-log.json'))

const actorWords = {
  office: 'byOffice',
  account: 'byAccount',
  family: 'byFamily',
  system: 'bySystem',
} as const

/** Returns the choice of single actions, and of groups of several. */
function useActionChoices(chosen: string) {
  const t = words.use()
  const nameOf = useActionName()
  const kindOf = useKindName()
  const actions = useEndpoint(changeActions).data?.actions ?? []
  const groups = Map.groupBy(actions, (action) => `${action.split('.')[0]}.`)
  const values = [...groups].flatMap(([group, ofGroup]) =>
    ofGroup.length > 1 ? [group, ...ofGroup] : ofGroup,
  )
  return choicesOf(withCurrentChoice(values, chosen), (value) =>
    value.endsWith('.') ? t('allOf', { group: kindOf(value.slice(0, -1)) }) : nameOf(value),
  )
}

/** Kinds whose number means nothing: there is only one, or users never see it. */
const numberless = new Set(['foundation', 'acting', 'view'])
/** Kinds whose names are codes, which have their own words. */
const named = new Set(['mail_text', 'list_entry'])

/** Returns the columns of the activity log. */
function useColumns({
  change,
}: ReturnType<typeof useFilters<(typeof changeFilters)['readers']>>): Column<ChangeRow>[] {
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
  return columnsOf(t, [
    { key: 'what', title: true, cell: (row) => lineName(row) },
    { key: 'when', card: 'lead wide', cell: (row) => <Moment value={row.at} /> },
    { key: 'who', card: 'lead', cell: (row) => <Actor line={row} /> },
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
              change({ search: '', action, school, from: day, until: day, page: 1 })
            }}>
            {t('showEach')}
          </button>
        ) : (
          <button
            type="button"
            className="lk"
            onClick={() => change({ search: '', kind: row.subjectKind, record: row.subjectId, page: 1 })}>
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
          nothing
        ) : (
          <SchoolLink id={row.schoolId} title={row.schName}>
            {row.schCode}
          </SchoolLink>
        ),
    },
    {
      key: 'changes',
      label: t('details'),
      card: 'wide',
      cell: (row) => (row.changes.length === 0 ? nothing : <ChangeList changes={row.changes} />),
    },
  ])
}

/** Who changed what, when, from what to what: searched, filtered, exported as a file. */
export function ChangesPage() {
  const t = words.use()
  const kindOf = useKindName()
  const lineName = useLineName()
  const filters = useFilters(changeFilters)
  const { page, ...query } = filters.values
  const list = useEndpoint(changeList, { query: { ...query, page: String(page) } })
  const kinds = useEndpoint(changeActions).data?.kinds ?? []
  const { data } = list
  const { action, kind, record } = filters.shown
  const mayExport = useMay('changes.export')
  const all = t('all')
  return (
    <ListPage
      name="changes"
      title={t('title')}
      fact={data && (data.more ? t('factMore', { n: count(data.total) }) : t('fact', { n: data.total }))}
      list={list}
      filters={filters}
      fields={{
        search: { label: t('search'), placeholder: t('searchHint') },
        by: { label: t('by'), all, choices: choicesOf(auditActors, (value) => t(actorWords[value])) },
        action: { label: t('what'), all, choices: useActionChoices(action) },
        kind: { label: t('kind'), all, choices: choicesOf(withCurrentChoice(kinds, kind), kindOf) },
        record: (kind !== '' || record !== '') && { label: t('record'), joined: true },
        who: { label: t('who'), placeholder: t('whoHint') },
        school: { label: t('school'), autoCapitalize: 'characters' },
        from: { label: t('from'), as: DateField, format: dayText },
        until: { label: t('until'), as: DateField, format: dayText },
      }}
      className="changes"
      caption={t('caption')}
      columns={useColumns(filters)}
      rowKey={(row) => String(row.id)}
      folds={(row) => lineName(row)}
      cardColumns={2}
      empty={
        <NothingFound title={t('nothing')} onClear={filters.clear}>
          {t('nothingHint')}
        </NothingFound>
      }>
      <ListDownloads
        endpoint={exportChanges}
        bodyOf={(format) => ({ ...query, format })}
        disabledReason={mayExport ? undefined : t('mayNotExport')}
      />
    </ListPage>
  )
}
