import {
  explainResultForOffice,
  exportPreview,
  previewResults,
  type ResultSet,
} from '@podium/contract/results/calls-office'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { defineWords } from '#shell/language/words.ts'
import { ListTable } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { buttonClass } from '#ui/button.tsx'
import { lines } from '#ui/data-table.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import type en from '#words/en/results-preview.json'
import { type NumberedRow, resultColumns } from '../columns.tsx'
import { type OfficeEvent, shownState } from '../office-event.ts'
import { officeFilters, previewFilters } from '../office-filters.ts'
import { officeWords } from '../office-parts.tsx'
import { ReleaseLink } from '../office-read.tsx'
import { OfficeChanges, useClassChoices } from '../office-summary.tsx'
import { WhyPanel } from '../why/panel.tsx'
import { words } from '../words.ts'

const previewWords = defineWords<typeof en>(import.meta.glob('#words/*/results-preview.json'))

type PreviewRow = NumberedRow & { schCode: string; schName: string }

const pageSize = 50
const lists = ['2', '3', '5'] as const

/** The version as schools will see it, with explanations. */
export function PreviewStep({ set, event }: { set: ResultSet; event: OfficeEvent['event'] }) {
  const t = officeWords.use()
  const common = words.use()
  const p = previewWords.use()
  const filters = useFilters(officeFilters)
  const classes = useClassChoices(set.setId)
  const { values, change, countSet } = filters
  const [opened, setOpened] = useState<string>()
  const page = Math.max(values.page, 1)
  const filter = {
    schCode: values.school.trim().toUpperCase() || undefined,
    action: values.list || undefined,
  }
  const preview = useEndpoint(previewResults, {
    query: {
      setId: String(set.setId),
      ...filter,
      classId: values.classId ? String(values.classId) : undefined,
      page: String(page),
      pageSize: String(pageSize),
    },
  })
  const rows = preview.data?.data.map((row, n) => ({ ...row, serial: (page - 1) * pageSize + n + 1 }))
  const leads = rows?.some((row) => row.level2 !== '' || row.level3 !== '')
  const columns = resultColumns<PreviewRow>({
    t: common,
    leadsTo: leads ? (event.examLevel === 2 ? 3 : 2) : undefined,
    opened,
    onOpen: setOpened,
  })
  const named = columns.map((column) =>
    column.key === 'name'
      ? {
          ...column,
          cell: (row: PreviewRow) =>
            lines(row.studentName, values.school === '' && `${row.schName}, ${row.schCode}`),
        }
      : column,
  )
  const schoolFound = values.school !== '' && rows?.[0] !== undefined
  const unseen = shownState(set) !== 'released'
  const narrowed = countSet('classId', 'list')
  return (
    <section aria-label={t('preview')}>
      <div className="res-head row mb-3">
        <p className="quiet">{t('previewHint')}</p>
        {unseen && (
          <Link
            to={officePaths.schoolPreview}
            params={{ eventYearId: String(event.eventYearId) }}
            search={previewFilters.validate({ school: schoolFound ? (rows?.[0]?.schCode ?? '') : '' })}
            className={buttonClass()}>
            {p('open')}
          </Link>
        )}
        {set.state === 'computed' && (
          <Link
            to="."
            search={officeFilters.validate({ step: 'approve' })}
            className={buttonClass('primary')}>
            {t('toApprove')}
          </Link>
        )}
        {shownState(set) === 'approved' && <ReleaseLink />}
      </div>
      {set.version > 1 && <OfficeChanges set={set} />}
      {values.school !== '' && rows?.[0] && (
        <Note kind="due">
          {t('previewOf', { name: rows[0].schName, code: rows[0].schCode, n: set.version })}
        </Note>
      )}
      <FilterRow
        search={<SearchField label={t('schoolCode')} maxLength={20} {...filters.field('school')} />}
        set={narrowed}
        view={
          <ListDownloads
            endpoint={exportPreview}
            bodyOf={(format) => ({
              setId: set.setId,
              ...filter,
              classId: values.classId || undefined,
              format,
            })}
          />
        }
        onClear={
          narrowed > 0 || values.school !== ''
            ? () => change({ school: '', classId: 0, list: '' })
            : undefined
        }>
        <SelectField
          label={t('class')}
          choices={[{ value: '0', label: t('allClasses') }, ...classes]}
          {...filters.field('classId')}
        />
        <SelectField
          label={t('list')}
          empty={t('listAll')}
          choices={lists.map((value) => ({ value, label: t(`list${value}`) }))}
          {...filters.field('list')}
        />
      </FilterRow>
      <ListTable
        list={preview}
        caption={t('previewCaption', { n: set.version })}
        className="res"
        columns={named}
        rows={rows}
        rowKey={(row) => row.resultId}
        folds={(row) => row.studentName}
        empty={<EmptyState icon="search">{t('previewEmpty')}</EmptyState>}
        more={(row) =>
          row.resultId === opened ? (
            <WhyPanel resultId={row.resultId} endpoint={explainResultForOffice} />
          ) : undefined
        }
        paging={{
          total: preview.data?.total ?? 0,
          page,
          size: pageSize,
          onPage: (next) => change({ page: next }),
        }}
      />
    </section>
  )
}
