import './overview.css'
import {
  exportNudges,
  mostNudges,
  type NudgeRow,
  nextSteps,
  nudgeList,
  seasonProgress,
  sendNudges,
} from '@podium/contract/office/calls-overview'
import { officeSchoolPlaces } from '@podium/contract/schools/calls-register'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-downloads.tsx'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { cockpitFilters } from './filters.ts'
import { NudgeTable, useNudgeColumns } from './nudge-table.tsx'
import { type NudgeFiltering, stepWords } from './steps.ts'
import { words } from './words.ts'

/** On the overview: the schools with the least time, and the way to all of them. */
export function FewNudges() {
  return <Nudges few />
}

const shownFew = 5

/** Schools by next step and days left; one or many are reminded from here. */
export function RemindersPage() {
  const t = words.use()
  return (
    <div className="cockpit in-order">
      <PageHeader title={t('nudges')} />
      <Nudges />
    </div>
  )
}

function Nudges({ few = false }: { few?: boolean }) {
  const t = words.use()
  const season = useSeason()
  const filters = useFilters(cockpitFilters)
  const { page, ...asked } = filters.values
  const progress = useEndpoint(seasonProgress, { query: { FYear: season } })
  const list = useEndpoint(nudgeList, {
    query: { ...asked, FYear: season, page: String(page) },
    // Before the first count nobody knows whether anything is to be done.
    enabled: progress.isError || Boolean(progress.data?.figures),
  })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState<readonly number[]>()
  const mayNot = useSession()?.permissions?.includes('nudges.send') ? undefined : t('mayNot')
  const { columns, tools } = useListView(
    'nudges',
    useNudgeColumns(mayNot, (row: NudgeRow) => setAsking([row.id])),
  )
  const { busy, send } = useSending(season, () => {
    setSelected(new Set())
    setAsking(undefined)
  })
  return (
    <section aria-labelledby="cockpit-nudges">
      <div className="cockpit-head">
        <h2 id="cockpit-nudges" className={few ? undefined : 'sr'}>
          {t('nudges')}
        </h2>
        {few ? (
          <Link to={officePaths.reminders}>{t('allNudges')}</Link>
        ) : (
          <div className="acts">
            <ListDownloads
              endpoint={exportNudges}
              of={t('nudges')}
              bodyOf={(format) => ({ ...asked, FYear: season, format })}
            />
          </div>
        )}
      </div>
      {!few && <NudgeFilters filters={filters} tools={tools} />}
      <NudgeTable
        list={list}
        few={few ? shownFew : undefined}
        filters={filters}
        selected={selected}
        onSelect={setSelected}
        mayNot={mayNot}
        columns={columns}
        bulk={
          <>
            <span>{t('chosen', { n: selected.size })}</span>
            <Button
              kind="primary"
              icon="mail"
              disabled={mayNot}
              onClick={() => setAsking([...selected].map(Number))}
            >
              {t('remindMany', { n: selected.size })}
            </Button>
          </>
        }
      />
      {asking && (
        <ConfirmDialog
          opened
          title={t('remindTitle', { n: asking.length })}
          action={t('remind')}
          busy={busy}
          onConfirm={() => void send(asking.slice(0, mostNudges))}
          onCancel={() => setAsking(undefined)}
        >
          <p>{t('remindSays')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

const shown = [nudgeList]

/** Sends, says how many it were and asks anew who is left. */
function useSending(season: string, done: () => void) {
  const t = words.use()
  const { busy, act } = useAct(shown)
  const send = async (ids: readonly number[]) => {
    const body = { FYear: season, ids: [...ids] }
    await act(
      () => call(sendNudges, { body, idempotencyKey: crypto.randomUUID() }),
      ({ sent: n, leftOut: left }) => (left === 0 ? t('sent', { n }) : t('sentLeftOut', { n, left })),
    )
    done()
  }
  return { busy, send }
}

const spans = ['3', '7', '30'] as const

function NudgeFilters({ filters, tools }: { filters: NudgeFiltering; tools: ReactNode }) {
  const t = words.use()
  const { shown } = filters
  const set = filters.countSet('step', 'state', 'within')
  const places = useEndpoint(officeSchoolPlaces).data?.data ?? []
  const states = [...new Set([...places.map(({ state }) => state), ...(shown.state ? [shown.state] : [])])]
  return (
    <FilterRow
      view={tools}
      set={set}
      {...(set > 0 || shown.search !== '' ? { onClear: filters.clear } : {})}
      search={
        <SearchField
          label={t('find')}
          placeholder={t('findHint')}
          value={shown.search}
          onChange={(event) => filters.change({ search: event.currentTarget.value })}
        />
      }
    >
      <SelectField
        label={t('step')}
        empty={t('all')}
        value={shown.step}
        choices={nextSteps.map((step) => ({ value: step, label: t(stepWords[step]) }))}
        onChange={(event) => filters.change({ step: nextSteps.find((s) => s === event.target.value) ?? '' })}
      />
      <SelectField
        label={t('state')}
        empty={t('all')}
        value={shown.state}
        choices={states.map((state) => ({ value: state, label: state }))}
        onChange={(event) => filters.change({ state: event.currentTarget.value })}
      />
      <SelectField
        label={t('within')}
        empty={t('all')}
        value={shown.within}
        choices={[
          { value: 'over', label: t('over') },
          ...spans.map((n) => ({ value: n, label: t('days', { n: Number(n) }) })),
        ]}
        onChange={(event) =>
          filters.change({
            within: (['over', ...spans] as const).find((span) => span === event.target.value) ?? '',
          })
        }
      />
    </FilterRow>
  )
}
