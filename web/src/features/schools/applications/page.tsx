import './applications.css'
import { exportApplications } from '@podium/contract/schools/calls-applications'
import { Link } from '@tanstack/react-router'
import { LoadProblem } from '#shell/load-problem.tsx'
import { ListDownloads } from '#shell/saved-views/list-downloads.tsx'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { useSession } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Pager } from '#ui/pager.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { applicationFilters, reviewStates } from './filters.ts'
import { OpenApplication } from './open-application.tsx'
import { QueueList } from './queue-list.tsx'
import { useOpenApplication } from './use-open-application.ts'
import { type Queue, useQueue } from './use-queue.ts'
import { words } from './words.ts'

const stateWords = {
  submitted: 'stateSubmitted',
  asked: 'stateAsked',
  approved: 'stateApproved',
  rejected: 'stateRejected',
} as const
const emptyWords = {
  submitted: 'emptySubmitted',
  asked: 'emptyAsked',
  approved: 'emptyApproved',
  rejected: 'emptyRejected',
} as const

/** The queue of schools that wait to be verified: list, application, decision. */
export function ApplicationsPage() {
  const t = words.use()
  const queue = useQueue()
  const { state, search } = queue.filters.values
  const mayExport = useSession()?.permissions?.includes('schools.export') ?? false
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <ListDownloads
          endpoint={exportApplications}
          bodyOf={(format) => ({ state, search, format })}
          lock={mayExport ? undefined : t('mayNotExport')}
        />
      </PageHeader>
      <LinkTabs label={t('states')}>
        {reviewStates.map((one) => (
          <Link
            key={one}
            to="."
            search={applicationFilters.validate({ state: one, search })}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={one === state ? 'page' : undefined}
          >
            {t(stateWords[one])}
          </Link>
        ))}
      </LinkTabs>
      {queue.list.isError && queue.rows === undefined ? (
        <LoadProblem error={queue.list.error} retry={queue.list.refetch} />
      ) : (
        <Desk queue={queue} />
      )}
    </>
  )
}

function Desk({ queue }: { queue: Queue }) {
  const { filters, rows, total, selected } = queue
  const open = useOpenApplication(queue)
  return (
    <div className="appl-desk">
      <section className="appl-queue">
        <QueueHead queue={queue} />
        {rows === undefined ? (
          <div className="pad">
            <Skeleton shape="text" rows={8} />
          </div>
        ) : rows.length === 0 ? (
          <Nothing queue={queue} />
        ) : (
          <QueueList rows={rows} selected={selected} searchOf={queue.searchOf} onPick={open.picked} />
        )}
        {rows !== undefined && total > rows.length && (
          <Pager
            total={total}
            page={Math.max(1, filters.values.page)}
            shown={rows.length}
            onPage={(page) => filters.change({ page, id: 0 })}
          />
        )}
      </section>
      <OpenApplication queue={queue} open={open} />
    </div>
  )
}

function QueueHead({ queue }: { queue: Queue }) {
  const t = words.use()
  const { state } = queue.filters.values
  const { tools } = useListView('applications', [])
  return (
    <div className="appl-head">
      <h2>
        {t(stateWords[state])}
        {queue.rows && `, ${queue.total.toLocaleString('en-IN')}`}
      </h2>
      <span>{t(state === 'submitted' || state === 'asked' ? 'oldestFirst' : 'newestFirst')}</span>
      <div className="appl-find">
        <SearchField
          label={t('search')}
          labelHidden
          placeholder={t('searchHint')}
          value={queue.filters.shown.search}
          onChange={(event) => queue.filters.change({ search: event.currentTarget.value, id: 0 })}
        />
        {tools}
      </div>
    </div>
  )
}

function Nothing({ queue }: { queue: Queue }) {
  const t = words.use()
  const { state, search } = queue.filters.values
  if (search) {
    const clear = () => queue.filters.change({ search: '', id: 0 })
    return (
      <EmptyState
        icon="search"
        title={t('nothingFound', { search })}
        actions={<Button onClick={clear}>{t('clearSearch')}</Button>}
      >
        {t('nothingFoundText')}
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={state === 'submitted' ? 'ok' : 'list'} title={t(emptyWords[state])}>
      {state === 'submitted' ? t('emptySubmittedText') : undefined}
    </EmptyState>
  )
}
