import type { LikelySchool } from '@podium/contract/schools/calls-applications'
import { count, nothing, placeText } from '#shell/format.tsx'
import { ListTable } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { SchoolLink } from '#shell/record-links.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { type Merge, Pair, useMerge, words } from './pair.tsx'
import '../office.css'

/** Finds the other entry: similar ones first, any other by search. */
function FindOther({ merge }: { merge: Merge }) {
  const t = words.use()
  const { candidates, filters, mayMerge } = merge
  const searching = filters.values.search !== ''
  const columns: Column<LikelySchool>[] = columnsOf(t, [
    { key: 'school', title: true, cell: (row) => row.schName },
    { key: 'place', card: 'wide', cell: (row) => placeText(`${row.city} ${row.pinCode}`, row.state) },
    { key: 'code', cell: (row) => <span className="nowrap num">{row.schCode}</span> },
    { key: 'people', num: true, cell: (row) => count(row.staffCount) },
    { key: 'same', cell: (row) => row.same.map((kind) => t(`same_${kind}`)).join(', ') || nothing },
    {
      key: 'act',
      label: t('compare'),
      act: true,
      cell: (row) => (
        <Button
          disabled={mayMerge ? undefined : t('mayNot')}
          aria-label={t('compareWith', { name: row.schName })}
          onClick={() => filters.change({ other: row.schId })}>
          {t('compare')}
        </Button>
      ),
    },
  ])
  return (
    <>
      <h2>{t('findTitle')}</h2>
      <p className="hint">{t('findHint')}</p>
      <FilterRow
        set={0}
        search={
          <SearchField label={t('search')} placeholder={t('searchHint')} {...filters.field('search')} />
        }
      />
      <ListTable
        list={candidates}
        caption={t(searching ? 'found' : 'findTitle')}
        columns={columns}
        rowKey={(row) => String(row.schId)}
        empty={
          <EmptyState icon="search" title={t(searching ? 'nothing' : 'noLikely')}>
            {t('noLikelyHint')}
          </EmptyState>
        }
      />
    </>
  )
}

/** Merges two entries of one school: find the other, compare both, preview the result, confirm. */
export function SchoolMergePage() {
  const t = words.use()
  const merge = useMerge()
  const { id, other: otherId, candidates, preview, data, mayMerge } = merge
  const school = data?.target ?? candidates.data?.school
  return (
    <>
      <PageHeader title={t('title')} fact={school && t('of', { name: school.schName, code: school.schCode })}>
        <SchoolLink id={id}>{t('back')}</SchoolLink>
      </PageHeader>
      {!mayMerge && (
        <Note className="mb-4" kind="due">
          {t('mayNot')}
        </Note>
      )}
      {otherId === 0 ? (
        <FindOther merge={merge} />
      ) : preview.isError && !data ? (
        <LoadProblem error={preview.error} retry={preview.refetch} />
      ) : data ? (
        <Pair key={`${id}-${otherId}`} preview={data} />
      ) : (
        mayMerge && <Skeleton shape="form" />
      )}
    </>
  )
}
