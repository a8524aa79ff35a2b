import { catalogueEvents, type OfficeEventRow } from '@podium/contract/catalogue/calls-events'
import { eventModes, exportPrices, matchesEventFilters } from '@podium/contract/catalogue/calls-lists'
import type { OfficeSeason } from '@podium/contract/catalogue/calls-seasons'
import { replaceClassNames } from '@podium/contract/classes'
import { formatRupees } from '@podium/contract/money'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { count, Day, keepDatesTogether, nothing } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { choicesOf, ListFilters, ListTable } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'
import type en from '#words/en/catalogue-add.json'
import { words } from '../data.ts'
import { lateWords, useLateText } from '../fees/words-late.ts'
import { seasonFilters } from '../filters.ts'

const addWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-add.json'))

const AddDialog = lazyDialog(() => import('./dialogs.tsx'), 'AddDialog')
const LateDialog = lazyDialog(() => import('./dialogs.tsx'), 'LateDialog')

/** The events of a season; the name opens one. `disabledReason`: why nothing can be changed. */
export function EventsTable({
  season,
  disabledReason,
}: {
  season: OfficeSeason
  disabledReason: string | undefined
}) {
  const t = words.use()
  const l = lateWords.use()
  const a = addWords.use()
  const [adding, setAdding] = useState(false)
  const [setting, setSetting] = useState(false)
  const events = useEndpoint(catalogueEvents, { query: { FYear: season.FYear } })
  const { data } = events
  const filters = useFilters(seasonFilters)
  const filterValues = filters.values
  const { columns, tools } = useListView('events', useColumns())
  const first = data?.data.filter(({ examLevel }) => examLevel === 1) ?? []
  return (
    <div>
      <div className="row between mb-3">
        <h2>{t('eventsOf', { season: season.FYear })}</h2>
        <div className="acts">
          <Button
            icon="plus"
            disabled={disabledReason ?? (season.state === 'closed' ? t('closed') : undefined)}
            onClick={() => setAdding(true)}>
            {a('add')}
          </Button>
          {first.length > 0 && (
            <Button disabled={disabledReason} onClick={() => setSetting(true)}>
              {l('setAll')}
            </Button>
          )}
          <ListDownloads
            endpoint={exportPrices}
            bodyOf={(format) => ({ FYear: season.FYear, ...filterValues, format })}
          />
        </div>
      </div>
      <ListFilters
        filters={filters}
        fields={{
          search: { label: t('search') },
          mode: {
            label: t('mode'),
            choices: choicesOf(eventModes, (mode) => t(mode === '' ? 'allModes' : mode)),
          },
        }}
        view={tools}
      />
      <ListTable
        list={events}
        caption={t('eventsOf', { season: season.FYear })}
        columns={columns}
        rows={data?.data.filter((event) => matchesEventFilters(event, filterValues))}
        rowKey={(row) => String(row.eventYearId)}
        empty={<EmptyState>{t(data?.data.length === 0 ? 'noEvents' : 'noneMatch')}</EmptyState>}
      />

      {adding && <AddDialog FYear={season.FYear} onClose={() => setAdding(false)} />}
      {setting && (
        <LateDialog
          FYear={season.FYear}
          name={season.FYear}
          events={first}
          onClose={() => setSetting(false)}
        />
      )}
    </div>
  )
}

/** Returns `₹175`, or `₹150 to ₹175` if the classes differ. */
export function useFeeSpan(): (row: { feeFrom: number | null; feeTo: number | null }) => string {
  const t = words.use()
  return ({ feeFrom, feeTo }) => {
    if (feeFrom === null || feeTo === null) return '–'
    if (feeFrom === feeTo) return formatRupees(feeFrom)
    return t('feeSpan', { from: formatRupees(feeFrom), to: formatRupees(feeTo) })
  }
}

function useColumns(): Column<OfficeEventRow>[] {
  const t = words.use()
  const l = lateWords.use()
  const feeSpan = useFeeSpan()
  const lateText = useLateText()
  return columnsOf(t, [
    {
      key: 'event',
      title: true,
      cell: (row) =>
        lines(
          <Link to={officePaths.catalogueEvent} params={{ eventYearId: String(row.eventYearId) }}>
            {translateSentence(row.subjectName)}
          </Link>,
          row.examLevel > 1 && t('level', { n: row.examLevel }),
        ),
    },
    { key: 'mode', cell: (row) => t(row.examMode) },
    { key: 'classes', cell: (row) => replaceClassNames(row.classes, translateSentence) || nothing },
    { key: 'closes', label: t('closesOn'), num: true, cell: (row) => <Day value={row.closesOn} /> },
    { key: 'first', label: t('firstDate'), num: true, cell: (row) => <Day value={row.firstDate} /> },
    { key: 'second', label: t('secondDate'), num: true, cell: (row) => <Day value={row.secondDate} /> },
    { key: 'marks', num: true, cell: (row) => count(row.maximumMarks) },
    {
      key: 'fee',
      card: 'wide',
      num: true,
      cell: (row) => (
        <>
          {feeSpan(row)}
          {row.lateFrom !== '' && (
            <span className="under cat-late-under">
              {l('title')}: {keepDatesTogether(lateText(row))}
            </span>
          )}
        </>
      ),
    },
    { key: 'enrolled', num: true, cell: (row) => count(row.students) },
  ])
}
