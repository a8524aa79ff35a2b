import { count, Day } from '#shell/format.tsx'
import '../catalogue.css'
import {
  deleteSeason,
  firstSeason,
  type OfficeSeason,
  officeSeasons,
  type payable,
  saveSeason,
  setSeasonState,
} from '@podium/contract/catalogue/calls-seasons'
import type { ShareRule } from '@podium/contract/catalogue/rules-fee'
import { formatRupees } from '@podium/contract/money'
import { parseSeason, type Season, seasonOfYear, seasonYear } from '@podium/contract/season'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge, type BadgeKind } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { MenuButton, type MenuItem } from '#ui/menu-button.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { catalogueCalls, words } from '../data.ts'
import { EventsTable } from '../events/table.tsx'
import {
  percentGiven,
  SeasonFields,
  seasonFields,
  seasonValuesOf,
  slabsGiven,
  toShareRule,
} from './season-fields.tsx'

type OpenDialog = { action: 'change' | 'state' | 'delete'; season: OfficeSeason } | { action: 'first' }

/** All seasons, a link to open the next one, and the events of the selected season. */
export function SeasonsPage() {
  const t = words.use()
  const list = useEndpoint(officeSeasons)
  const requested = useSeason()
  const [dialog, setDialog] = useState<OpenDialog>()
  const { data, error, refetch } = list
  if (error && !data) return <PageProblem title={t('title')} error={error} retry={refetch} />
  // A season created just now is missing from a list loaded before.
  const coming = list.isFetching && !data?.data.some(({ FYear }) => FYear === requested)
  if (!data || coming) return <Skeleton shape="table" page />
  const chosen =
    data.data.find(({ FYear }) => FYear === requested) ?? data.data.find(({ state }) => state === 'open')
  const season = chosen ?? data.data[0]
  const disabledReason = data.can.write === true ? undefined : t('mayNotWrite')
  const close = () => setDialog(undefined)
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { n: data.data.length })}>
        <Link to={officePaths.catalogueLists}>{t('lists')}</Link>
        {season && <OpenNextSeason next={data.next} may={data.can.write === true} />}
      </PageHeader>
      {season ? (
        <SeasonsTable
          seasons={data.data}
          chosen={season.FYear}
          disabledReason={disabledReason}
          onOpen={setDialog}
        />
      ) : (
        <EmptyState
          icon="calendar"
          title={t('none')}
          actions={
            <Button
              kind="primary"
              icon="plus"
              disabled={disabledReason}
              onClick={() => setDialog({ action: 'first' })}>
              {t('makeFirst')}
            </Button>
          }>
          {t('noneHint')}
        </EmptyState>
      )}
      {season && (
        <div className="cat-record">
          <EventsTable season={season} disabledReason={disabledReason} />
          <RecordHistory kind="season" id={season.FYear} />
        </div>
      )}
      {dialog?.action === 'first' && <SeasonDialog years={firstYears(data.next?.FYear)} onClose={close} />}
      {dialog?.action === 'change' && <SeasonDialog season={dialog.season} onClose={close} />}
      {dialog?.action === 'state' && (
        <StateDialog season={dialog.season} noAccount={data.noAccount} onClose={close} />
      )}
      {dialog?.action === 'delete' && <DeleteDialog season={dialog.season} onClose={close} />}
    </>
  )
}

/** Returns the seasons an installation can start with: the current one or the next. */
function firstYears(current = ''): Season[] {
  const season = parseSeason(current)
  return season ? [season, seasonOfYear(seasonYear(season) + 1)] : []
}

function OpenNextSeason({ next, may }: { next: { FYear: string } | null; may: boolean }) {
  const t = words.use()
  if (next === null || !may) {
    return (
      <Button kind="primary" icon="plus" disabled={t(may ? 'nextExists' : 'mayNotWrite')}>
        {next === null ? t('openAnother') : t('openNext', { season: next.FYear })}
      </Button>
    )
  }
  return (
    <Link to={officePaths.catalogueOpen} className={buttonClass('primary')}>
      {t('openNext', { season: next.FYear })}
    </Link>
  )
}

const badges: Record<OfficeSeason['state'], BadgeKind> = {
  preparing: 'waiting',
  open: 'active',
  closed: 'inactive',
}

interface TableProps {
  seasons: readonly OfficeSeason[]
  chosen: string | undefined
  /** Why nothing can be changed */
  disabledReason: string | undefined
  onOpen: (dialog: OpenDialog) => void
}

function SeasonsTable({ seasons, chosen, disabledReason, onOpen }: TableProps) {
  const t = words.use()
  const columns: Column<OfficeSeason>[] = columnsOf(t, [
    {
      key: 'season',
      title: true,
      cell: (row) => (
        <Link
          to="."
          search={{ season: parseSeason(row.FYear) }}
          replace
          resetScroll={false}
          aria-current={row.FYear === chosen ? 'true' : undefined}>
          {row.FYear}
        </Link>
      ),
    },
    {
      key: 'state',
      card: 'wide',
      cell: (row) =>
        lines(
          <Badge kind={badges[row.state]}>{t(row.state)}</Badge>,
          row.incomplete > 0 && t('incomplete', { n: row.incomplete }),
        ),
    },
    { key: 'feeDueOn', num: true, cell: (row) => <Day value={row.feeDueOn} /> },
    { key: 'resultsFrom', num: true, cell: (row) => <Day value={row.resultsFrom} /> },
    { key: 'share', cell: ({ share }) => shareText(t, share) },
    { key: 'events', num: true, cell: (row) => count(row.events) },
    { key: 'schools', num: true, cell: (row) => count(row.schools) },
    { key: 'students', num: true, cell: (row) => count(row.students) },
    {
      key: 'acts',
      label: '',
      act: true,
      cell: (season) => (
        <span className="row inline gap-2">
          {season.state !== 'closed' && (
            <Button
              aria-label={t('changeSeason', { season: season.FYear })}
              disabled={disabledReason}
              onClick={() => onOpen({ action: 'change', season })}>
              {t('change')}
            </Button>
          )}
          {season.state === 'preparing' && (
            <Button disabled={disabledReason} onClick={() => onOpen({ action: 'state', season })}>
              {t('openForSchools')}
            </Button>
          )}
          <MenuButton
            small
            icon="down"
            label={t('actions')}
            name={t('actionsOf', { season: season.FYear })}
            disabled={disabledReason}
            items={menuOf(t, season, onOpen)}
          />
        </span>
      ),
    },
  ])
  return (
    <DataTable
      className="mb-6"
      caption={t('seasons')}
      columns={columns}
      rows={seasons}
      rowKey={(row) => row.FYear}
      cardColumns={2}
    />
  )
}

/** Rare actions on a season go into a menu, so that an old season is not changed by accident. */
function menuOf(
  t: ReturnType<typeof words.use>,
  season: OfficeSeason,
  onOpen: (dialog: OpenDialog) => void,
): MenuItem[] {
  const item = (action: OpenDialog['action'], label: string): MenuItem => ({
    label,
    onChoose: () => onOpen({ action, season }),
  })
  if (season.state === 'preparing') return [item('delete', t('deleteSeason'))]
  if (season.state === 'open') return [item('state', t('closeSeason'))]
  return [item('change', t('change')), item('state', t('reopen'))]
}

/** Describes the school's share in a few words: `₹20 to ₹30 by head count`. */
function shareText(t: ReturnType<typeof words.use>, share: ShareRule): string {
  if (share.kind === 'percent') return t('sharePercent', { n: share.percent })
  if (share.kind === 'perHead') return t('sharePerHead')
  const [first, last] = [share.slabs[0], share.slabs.at(-1)]
  return t('shareSlabs', { from: formatRupees(first?.share ?? 0), to: formatRupees(last?.share ?? 0) })
}

interface SeasonProps {
  /** The season to change; undefined to create the first */
  season?: OfficeSeason
  /** Choices for the first season */
  years?: readonly string[]
  onClose: () => void
}

const ofFirst = { feeDueOn: '', resultsFrom: '', dateChoiceDays: 30, share: { kind: 'perHead' } } as const

/** Changes a season's dates and the school's share, or creates the first season. */
function SeasonDialog({ season, years = [], onClose }: SeasonProps) {
  const t = words.use()
  const navigate = useNavigate()
  const f = useFormDialog({
    schema: z.object({ FYear: z.string(), ...seasonFields }).check(percentGiven, slabsGiven),
    initialValues: { FYear: season?.FYear ?? years[0] ?? '', ...seasonValuesOf(season ?? ofFirst) },
    draftKey: season ? `season.${season.FYear}.${season.version}` : 'season.first',
    save: async ({ FYear, kind, percent, slabs, ...days }) => {
      const body = { FYear, ...days, share: toShareRule({ kind, percent, slabs }) }
      if (season) await call(saveSeason, { body: { ...body, version: season.version } })
      else {
        await call(firstSeason, { body })
        await navigate({ to: officePaths.catalogue, search: { season: parseSeason(FYear) } })
      }
    },
    invalidates: catalogueCalls,
    done: (_, { FYear }) => (season ? t('saved') : t('firstDone', { season: FYear })),
    onClose,
  })
  const kind = f.form.useWatchValue('kind')
  const slabs = f.form.useWatchValue('slabs') ?? []
  return (
    <FormDialog
      of={f}
      title={season ? t('changeSeason', { season: season.FYear }) : t('makeFirst')}
      size="small"
      save={t(season ? 'save' : 'makeFirst')}>
      {!season && (
        <SelectField
          label={t('year')}
          choices={years.map((value) => ({ value, label: value }))}
          {...f.form.field('FYear')}
        />
      )}
      <SeasonFields
        kind={kind}
        field={f.form.field}
        slabs={slabs}
        slabsError={f.form.errors.slabs}
        onAddSlab={() => f.form.insertListItem('slabs', { from: '', share: '' })}
        onRemoveSlab={(index) => f.form.removeListItem('slabs', index)}
      />
      {season && (
        <Note>{season.enrolments === 0 ? t('nobodyYet') : t('shareKept', { n: season.enrolments })}</Note>
      )}
    </FormDialog>
  )
}

type State = OfficeSeason['state']
const actionOf = {
  preparing: 'openForSchools',
  open: 'closeSeason',
  closed: 'reopen',
} as const satisfies Record<State, string>
const hintOf = { preparing: 'openHint', open: 'closeHint', closed: 'reopenHint' } as const satisfies Record<
  State,
  string
>
const titleOf = {
  preparing: 'openTitle',
  open: 'closeTitle',
  closed: 'reopenTitle',
} as const satisfies Record<State, string>

interface StateProps {
  season: OfficeSeason
  /** Payments that schools could not make for lack of an account */
  noAccount: readonly (typeof payable)[number][]
  onClose: () => void
}

/** Asks before a season is opened for schools or closed; says which parts of its set-up are unfinished. */
function StateDialog({ season, noAccount, onClose }: StateProps) {
  const t = words.use()
  const { FYear, version } = season
  const opens = season.state !== 'open'
  const unready = season.state === 'preparing' && (season.incomplete > 0 || season.events === 0)
  return (
    <ConfirmAction
      title={t(titleOf[season.state], { season: FYear })}
      action={t(actionOf[season.state])}
      disabled={unready ? t('notReady') : undefined}
      act={() => call(setSeasonState, { body: { FYear, version, state: opens ? 'open' : 'closed' } })}
      invalidates={catalogueCalls}
      done={t(opens ? 'openDone' : 'closeDone', { season: FYear })}
      onClose={onClose}>
      <div className="stack gap-3">
        {t(hintOf[season.state])}
        {unready && (
          <Note kind="bad">
            {season.events === 0 ? t('noEvents') : t('incomplete', { n: season.incomplete })}{' '}
            <Link to={officePaths.catalogue} search={{ season: parseSeason(FYear) }} onClick={onClose}>
              {t('toEvents', { season: FYear })}
            </Link>
          </Note>
        )}
        {opens && noAccount.length > 0 && (
          <Note kind="due">
            {noAccount.map((purpose) => t(`noAccount_${purpose}`)).join(' ')}{' '}
            <Link to={officePaths.bankAccounts}>{t('toAccounts')}</Link>
          </Note>
        )}
      </div>
    </ConfirmAction>
  )
}

/** Asks before a draft is deleted. */
function DeleteDialog({ season, onClose }: { season: OfficeSeason; onClose: () => void }) {
  const t = words.use()
  const { FYear, version } = season
  return (
    <ConfirmAction
      danger
      title={t('deleteTitle', { season: FYear })}
      action={t('deleteSeason')}
      act={() => call(deleteSeason, { body: { FYear, version } })}
      invalidates={catalogueCalls}
      done={t('deleteDone', { season: FYear })}
      onClose={onClose}>
      {t('deleteHint', { n: season.events })}
    </ConfirmAction>
  )
}
