import type { ResultSet } from '@podium/contract/results/calls-office'
import { previewSchools } from '@podium/contract/results/calls-preview'
import { Link } from '@tanstack/react-router'
import { useFilters } from '#shell/filters.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { DataTable } from '#ui/data-table.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { eventName, type OfficeEvent } from '../office-event.ts'
import { previewFilters } from './preview-filters.ts'
import { previewWords } from './words-preview.ts'

const shownAtOnce = 20

/** The school whose pages are looked at: found among those with results in the version. */
export function PreviewChoice({ event, set }: { event: OfficeEvent['event']; set: ResultSet }) {
  const t = previewWords.use()
  const say = useSentences()
  const { values, shown, change } = useFilters(previewFilters)
  const { data, error, refetch, isPlaceholderData } = useEndpoint(previewSchools, {
    query: { setId: String(set.setId), search: values.search.trim().slice(0, 100) },
  })
  const rows = data?.data
  return (
    <>
      <PageHeader
        title={t('chooseTitle')}
        fact={t('chooseFact', { event: eventName(event), n: set.version })}
      >
        <Link to={officePaths.resultEvent} params={{ eventYearId: String(event.eventYearId) }}>
          {t('back')}
        </Link>
      </PageHeader>
      <FilterRow
        search={
          <SearchField
            label={t('search')}
            value={shown.search}
            maxLength={100}
            onChange={(changed) => change({ search: changed.currentTarget.value })}
          />
        }
        set={0}
        onClear={values.search === '' ? undefined : () => change({ search: '' })}
      />
      <DataTable
        caption={t('caption')}
        rows={rows}
        rowKey={(row) => row.schCode}
        stale={isPlaceholderData}
        error={error ? { message: say(error.message), retry: refetch } : undefined}
        empty={<EmptyState icon="search">{t('noSchool')}</EmptyState>}
        columns={[
          {
            key: 'school',
            label: t('school'),
            title: true,
            cell: (row) => (
              <Link to="." search={previewFilters.validate({ school: row.schCode })}>
                {row.schName}
              </Link>
            ),
          },
          { key: 'code', label: t('code'), cell: (row) => row.schCode },
          {
            key: 'place',
            label: t('place'),
            cell: (row) => [row.district, row.state].filter(Boolean).join(', '),
          },
        ]}
      />
      {rows?.length === shownAtOnce && <p className="hint">{t('first', { n: shownAtOnce })}</p>}
    </>
  )
}
