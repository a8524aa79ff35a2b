import { type BankView, bankLines, bankViews, exportBankLines, matchAgain } from '@podium/contract/bank/calls'
import { bankStatements, type importStatement } from '@podium/contract/bank/calls-statements'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import { type ReactNode, useState } from 'react'
import { AssignedFilter, assignedQuery } from '#shell/assignments/assigned.tsx'
import { call } from '#shell/call.ts'
import { count, dayText } from '#shell/format.tsx'
import { useLastPage } from '#shell/list-table.tsx'
import { PanelProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { hideAfterSkeleton, Skeleton } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { type BankLines, stateName, useJob, useLines, words } from './lines.tsx'
import { Bookings, Reconcile } from './reconcile.tsx'
import { Workspace } from './workspace.tsx'
import '#shell/desk.css'
import './statements.css'

const ImportDialog = lazyDialog(() => import('./dialogs.tsx'), 'ImportDialog')
const RulesDialog = lazyDialog(() => import('../rules/dialog.tsx'), 'RulesDialog')
const BookAllDialog = lazyDialog(() => import('./dialogs.tsx'), 'BookAllDialog')

/** The page of bank statements: lines are imported, matched with what schools owe, and decided. */
export function BankStatementsPage() {
  const t = words.use()
  const lines = useLines()
  const { list, filters, FYear } = lines
  useLastPage(list.data, filters)
  const [open, setOpen] = useState<'import' | 'book' | 'rules'>()
  const [imported, setImported] = useState<AnswerOf<typeof importStatement>>()
  const follow = useJob(lines)
  const decides = list.data?.can.decide === true
  const counts = list.data?.counts
  const waiting = list.data?.waiting
  return (
    <>
      <PageHeader title={t('title')} fact={waiting !== undefined && t('fact', { n: waiting, season: FYear })}>
        <Button kind="text" icon="list" onClick={() => setOpen('rules')}>
          {t('rules')}
        </Button>
        <MatchAgain lines={lines} onComparing={follow} />
        {counts && counts.exact.lines > 0 && (
          <Button
            disabled={decides ? list.data?.job?.kind === 'bank-book' : t('mayNot')}
            onClick={() => setOpen('book')}>
            {t('bookAll', { n: counts.exact.lines })}
          </Button>
        )}
        <Button
          kind="primary"
          icon="upload"
          disabled={decides || !list.data ? undefined : t('mayNot')}
          onClick={() => setOpen('import')}
          onPointerEnter={() => void ImportDialog.load()}>
          {t('import')}
        </Button>
      </PageHeader>
      <div ref={hideAfterSkeleton}>
        <JobProgress lines={lines} />
        {list.data && <Bookings bookings={list.data.bookings} decides={decides} />}
        {imported?.id === filters.values.statement && <ImportedNote lines={lines} imported={imported} />}
        {list.isPending && <Skeleton shape="table" rows={8} />}
        {list.data && list.data.counts.all.lines > 0 && <Sums sums={list.data.sums} />}
        <Filters lines={lines} />
        {list.isError && !list.data && <PanelProblem error={list.error} retry={() => list.refetch()} />}
        {list.data && (
          <StateTabs lines={lines} data={list.data}>
            {list.data.data.length > 0 || filters.values.id > 0 ? (
              <Workspace
                key={`${list.data.state}.${filters.values.search}.${filters.values.statement}.${filters.values.assigned}`}
                list={list.data}
                lines={lines}
                updatedAt={list.dataUpdatedAt}
                stale={list.isPlaceholderData}
              />
            ) : (
              <NoLines lines={lines} onImport={() => setOpen('import')} />
            )}
          </StateTabs>
        )}
        {filters.values.statement > 0 && <Reconcile id={filters.values.statement} />}
      </div>
      {open &&
        (open === 'import' ? (
          <ImportDialog
            onClose={() => setOpen(undefined)}
            onImported={(done) => {
              setOpen(undefined)
              setImported(done)
              filters.change({ statement: done.id, state: 'first', search: '', assigned: '', id: 0 })
              follow(done.jobId)
            }}
          />
        ) : open === 'rules' ? (
          <RulesDialog onClose={() => setOpen(undefined)} />
        ) : (
          <BookAllDialog lines={lines} onClose={() => setOpen(undefined)} onBooking={follow} />
        ))}
    </>
  )
}

function Filters({ lines: { filters, list, FYear } }: { lines: BankLines }) {
  const t = words.use()
  const statements = useEndpoint(bankStatements).data?.data ?? []
  const views = useListView<never>('bank-lines', [])
  const { search, statement, assigned } = filters.values
  const state = list.data?.state ?? 'exact'
  return (
    <FilterRow
      set={filters.countSet('statement', 'assigned')}
      {...(filters.countSet('statement', 'search', 'assigned') > 0
        ? { onClear: () => filters.change({ statement: 0, search: '', assigned: '', id: 0 }) }
        : {})}
      search={
        <SearchField
          label={t('search')}
          placeholder={t('searchHint')}
          {...filters.field('search', { id: 0 })}
        />
      }
      view={
        <div className="view-tools">
          {views.tools}
          <ListDownloads
            endpoint={exportBankLines}
            bodyOf={(format) => ({
              ...{ FYear, state, search, format },
              ...(statement > 0 ? { statement } : {}),
              ...assignedQuery(assigned),
            })}
          />
        </div>
      }>
      <SelectField
        className="mid"
        label={t('statement')}
        value={filters.shown.statement === 0 ? '' : String(filters.shown.statement)}
        empty={t('allStatements')}
        choices={statements.map((statement) => ({
          value: String(statement.id),
          label: `${dayText(statement.lastDay)}, ${statement.fileName}`,
        }))}
        onChange={(event) => filters.change({ statement: Number(event.currentTarget.value), id: 0 })}
      />
      <AssignedFilter
        kind="bank-line"
        value={filters.shown.assigned}
        onChange={(next) => filters.change({ assigned: next, id: 0 })}
      />
    </FilterRow>
  )
}

const rareViews: ReadonlySet<BankView> = new Set(['duplicate', 'bounced'])

/** Tabs of the states, each with its number of lines. */
function StateTabs({
  lines: { filters },
  data,
  children,
}: {
  lines: BankLines
  data: AnswerOf<typeof bankLines>
  children: ReactNode
}) {
  const t = words.use()
  if (data.counts.all.lines === 0) return children
  return (
    <Tabs
      label={t('state')}
      active={data.state}
      tabs={bankViews
        // Rare states have a tab only if they have lines.
        .filter((view) => !rareViews.has(view) || data.counts[view].lines > 0 || data.state === view)
        .map((view) => ({
          key: view,
          label: (
            <>
              {stateName(t, view)} <b>{count(data.counts[view].lines)}</b>
            </>
          ),
        }))}
      onChange={(state) => filters.change({ state, id: 0 })}>
      {children}
    </Tabs>
  )
}

/** The result of an import, once its lines are matched. */
function ImportedNote({
  lines: { list },
  imported: { fresh, known, bouncedLater },
}: {
  lines: BankLines
  imported: AnswerOf<typeof importStatement>
}) {
  const t = words.use()
  const counts = list.data?.counts
  if (!counts || list.data?.job) return null
  const parts = bankViews
    .filter((view) => counts[view].lines > 0)
    .map((view) => `${stateName(t, view)} ${count(counts[view].lines)}`)
    .join(', ')
  return (
    <div className="stack gap-2 mb-4">
      {bouncedLater > 0 && <Note kind="bad">{t('importedBounced', { n: bouncedLater })}</Note>}
      <Note kind="ok">
        {fresh > 0 && t('importedHint', { n: fresh, parts })} {known > 0 && t('doneKnown', { n: known })}
      </Note>
    </div>
  )
}

/** The progress of the running matching or booking job. */
function JobProgress({ lines: { list } }: { lines: BankLines }) {
  const t = words.use()
  const job = list.data?.job
  if (!job) return null
  const figures = { done: count(job.done), total: count(job.total) }
  return (
    <Panel className="mb-4">
      <div aria-live="polite">
        <ProgressBar label={t('title')} total={Math.max(1, job.total)} done={job.done}>
          {t(job.kind === 'bank-book' ? 'booking' : 'matching', figures)}
        </ProgressBar>
      </div>
    </Panel>
  )
}

/** Matches open lines again: payments that schools have reported since may explain them. */
function MatchAgain({
  lines: { list },
  onComparing,
}: {
  lines: BankLines
  onComparing: (jobId: string) => void
}) {
  const t = words.use()
  const { busy, act } = useAction([bankLines])
  const counts = list.data?.counts
  const open = counts ? counts.likely.lines + counts.unknown.lines : 0
  if (open === 0 || list.data?.can.decide !== true) return null
  const again = async () => onComparing((await call(matchAgain, { body: {} })).jobId)
  return (
    <Button kind="text" icon="rotate" busy={busy || list.data.job !== null} onClick={() => void act(again)}>
      {t('matchAgain')}
    </Button>
  )
}

const waitingViews = ['exact', 'likely', 'already', 'duplicate', 'bounced', 'unknown'] as const

function NoLines({ lines: { filters, list }, onImport }: { lines: BankLines; onImport: () => void }) {
  const t = words.use()
  const decides = list.data?.can.decide === true
  if (list.data?.counts.all.lines === 0 && filters.values.statement === 0) {
    return (
      <Panel>
        <EmptyState
          icon="upload"
          title={t('noneTitle')}
          actions={
            <Button disabled={decides ? undefined : t('mayNot')} onClick={onImport}>
              {t('import')}
            </Button>
          }>
          {t('noneHint')}
        </EmptyState>
      </Panel>
    )
  }
  const filtered = filters.values.search !== '' || filters.values.assigned !== ''
  const counts = list.data?.counts
  const next = counts && waitingViews.find((view) => counts[view].lines > 0)
  return (
    <Panel>
      <EmptyState
        icon={filtered ? 'search' : 'ok'}
        title={t(filtered ? 'nothingFound' : 'nothingHere')}
        actions={
          filtered ? (
            <Button onClick={() => filters.change({ search: '', assigned: '' })}>{t('showAll')}</Button>
          ) : (
            next && (
              <Button onClick={() => filters.change({ state: next, id: 0 })}>
                {t('stateCount', { state: stateName(t, next), n: count(counts[next].lines) })}
              </Button>
            )
          )
        }>
        {!filtered && t(next ? 'otherLinesWait' : 'nothingHereHint')}
      </EmptyState>
    </Panel>
  )
}

/** Received = booked + credit + discarded + open, as a bar and in figures. */
export function Sums({ sums }: { sums: AnswerOf<typeof bankLines>['sums'] }) {
  const t = words.use()
  const parts = [
    ['booked', t('toPayments')],
    ['credited', t('toCredit')],
    ['discarded', t('toNobody')],
    ['open', t('stillOpen')],
  ] as const
  return (
    <section className="bank-sums mb-4" aria-label={t('sums')}>
      <div className="bar" aria-hidden="true">
        {parts.map(
          ([key]) => sums[key] > 0 && <i key={key} className={key} style={{ flexGrow: sums[key] }} />,
        )}
      </div>
      <dl className="bank-figures row gap-6">
        <div>
          <dt>{t('allLines')}</dt>
          <dd>{formatRupees(sums.all)}</dd>
        </div>
        {parts.map(([key, label]) => (
          <div key={key}>
            <dt className={key}>{label}</dt>
            <dd>{formatRupees(sums[key])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
