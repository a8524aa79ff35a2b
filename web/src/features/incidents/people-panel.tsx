import type { Incident } from '@podium/contract/incidents'
import { noteToldOtherwise } from '@podium/contract/incidents-mails'
import { incidentPeople, personStandings } from '@podium/contract/incidents-people'
import { lazy, Suspense, useState } from 'react'
import { useReason } from '#shell/allowance.ts'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { count } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { pagingOf } from '#shell/paging.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Panel, Tile, Tiles } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { peopleFilters } from './filters.ts'
import { usePeopleColumns } from './people-columns.tsx'
import { Picks } from './picks.tsx'
import { shownOfIncidents } from './use-incident.ts'
import { words } from './words.ts'

const loadPick = () => import('./pick-dialog.tsx').then((m) => ({ default: m.PickDialog }))
const PickDialog = lazy(loadPick)
const ReasonDialog = lazy(() => import('#shell/reason-dialog.tsx').then((m) => ({ default: m.ReasonDialog })))

/** Who is affected: how they were found, who they are, and when each was told. */
export function People({ incident }: { incident: Incident }) {
  const t = words.use()
  const reason = useReason(t('mayNotWrite'))
  const [doing, setDoing] = useState<'pick' | 'otherwise'>()
  const { id, version, counts, can } = incident
  return (
    <>
      <Panel
        title={t('affected')}
        padded={false}
        aside={
          <span className="incident-acts">
            {counts.unreachable > 0 && (
              <Button disabled={reason(can.change)} onClick={() => setDoing('otherwise')}>
                {t('noteOtherwise')}
              </Button>
            )}
            <Button
              icon="plus"
              disabled={reason(can.change)}
              onClick={() => setDoing('pick')}
              onPointerEnter={() => void loadPick()}
            >
              {t('pick')}
            </Button>
          </span>
        }
      >
        <div className="pad">
          <Tiles>
            <Tile label={t('children')} value={count(counts.children)} />
            <Tile
              label={t('people')}
              value={count(counts.people)}
              meaning={t('ofSchools', { n: counts.schools })}
            />
            <Tile label={t('told')} value={count(counts.told)} />
            <Tile
              label={t('notTold')}
              value={count(counts.waiting + counts.unreachable)}
              meaning={t('unreachable', { n: counts.unreachable })}
            />
          </Tiles>
        </div>
        <Found incident={incident} />
      </Panel>
      <Listed incident={incident} />
      <Suspense>
        {doing === 'pick' && <PickDialog incident={incident} onClose={() => setDoing(undefined)} />}
        {doing === 'otherwise' && (
          <ReasonDialog
            title={t('otherwiseTitle')}
            says={t('otherwiseSays', { n: counts.unreachable })}
            label={t('otherwiseHow')}
            rule={noteToldOtherwise.body.shape.note}
            renews={shownOfIncidents}
            action={t('noteIt')}
            done={t('otherwiseDone')}
            draftKey={`incident.${id}.otherwise`}
            act={(note) => call(noteToldOtherwise, { body: { id, version, note } })}
            onClose={() => setDoing(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

/** How they were found: whatever the list below is narrowed to. */
function Found({ incident }: { incident: Incident }) {
  const { data } = useEndpoint(incidentPeople, { query: { id: String(incident.id) } })
  return data && <Picks incident={incident} picks={data.picks} />
}

function Listed({ incident }: { incident: Incident }) {
  const t = words.use()
  const filters = useFilters(peopleFilters)
  const { page, ...wanted } = filters.values
  const list = useEndpoint(incidentPeople, {
    query: { id: String(incident.id), ...wanted, page: String(page) },
  })
  const columns = usePeopleColumns()
  const { data, error, refetch, isPlaceholderData } = list
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  const nobody = incident.counts.children + incident.counts.people === 0
  return (
    <>
      {!nobody && (
        <FilterRow
          set={filters.countSet('standing')}
          {...(filters.countSet('standing', 'search') > 0 ? { onClear: filters.clear } : {})}
          search={
            <SearchField
              label={t('searchPeople')}
              placeholder={t('searchPeopleHint')}
              value={filters.shown.search}
              onChange={(event) => filters.change({ search: event.currentTarget.value })}
            />
          }
        >
          <SelectField
            label={t('standing')}
            value={filters.shown.standing}
            choices={personStandings.map((value) => ({
              value,
              label: t(value === '' ? 'standing_all' : `standing_${value}`),
            }))}
            onChange={(event) =>
              filters.change({
                standing: personStandings.find((one) => one === event.currentTarget.value) ?? '',
              })
            }
          />
        </FilterRow>
      )}
      <DataTable
        caption={t('affected')}
        columns={columns}
        rows={data?.data}
        rowKey={(row) => String(row.id)}
        stale={isPlaceholderData}
        cardColumns={2}
        empty={
          nobody ? (
            <EmptyState icon="users" title={t('nobody')}>
              {t('nobodySays')}
            </EmptyState>
          ) : (
            <EmptyState icon="search">{t('nothing')}</EmptyState>
          )
        }
        {...pagingOf(nobody ? undefined : data, filters)}
      />
    </>
  )
}
