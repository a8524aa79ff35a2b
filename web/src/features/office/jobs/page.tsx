import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { choicesOf, ListPage } from '#shell/list-table.tsx'
import { lines } from '#ui/data-table.tsx'
import '../settings/settings.css'
import {
  exportJobs,
  jobStates,
  type OfficeJob,
  officeJobs,
  stopJob,
} from '@podium/contract/office/calls-settings'
import { jobKey } from '@podium/contract/office/words'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { count, Moment, nothing } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { endpointQuery } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { EmptyState } from '#ui/note.tsx'
import { jobFilters } from '../filters.ts'
import { jobNames, words } from '../settings/words.ts'

const everyMs = 3_000
const stateWords = { open: 'open', failed: 'failedOnes', all: 'all' } as const
const emptyTexts = { open: 'noneOpen', failed: 'noneFailed', all: 'noneAll' } as const

/** Background jobs of all features, with their progress. Running ones can be stopped. */
export function JobsPage() {
  const t = words.use()
  const filters = useFilters(jobFilters)
  const { state, search, page } = filters.values
  const list = useQuery({
    ...endpointQuery(officeJobs, { query: { state, search, page: String(page) } }),
    refetchInterval: everyMs,
  })
  const [stopping, setStopping] = useState<OfficeJob>()
  return (
    <>
      <ListPage
        name="jobs"
        title={t('jobs')}
        fact={t('jobsFact')}
        list={list}
        filters={filters}
        fields={{ search: { label: t('search'), placeholder: t('searchHint') } }}
        tabs={{
          name: 'state',
          label: t('state'),
          choices: choicesOf(jobStates, (value) => t(stateWords[value])),
        }}
        tools={<ListDownloads endpoint={exportJobs} bodyOf={(format) => ({ state, search, format })} />}
        caption={t('caption')}
        columns={useColumns(setStopping)}
        rowKey={(job) => job.id}
        empty={<EmptyState icon="ok" title={t(search === '' ? emptyTexts[state] : 'noneCalled')} />}
      />
      {stopping && (
        <ConfirmAction
          danger
          title={t('stopTitle')}
          action={t('stop')}
          act={() => call(stopJob, { body: { id: stopping.id } })}
          invalidates={[officeJobs]}
          done={t('stopped')}
          onClose={() => setStopping(undefined)}>
          <p>{t('stopHint')}</p>
        </ConfirmAction>
      )}
    </>
  )
}

const badges = {
  waiting: 'waiting',
  running: 'underway',
  done: 'verified',
  failed: 'rejected',
  cancelled: 'inactive',
} as const

function useColumns(onStop: (job: OfficeJob) => void): Column<OfficeJob>[] {
  const t = words.use()
  const disabledReason = useMay('jobs.cancel') ? undefined : t('mayNotStop')
  const names = jobNames.use()
  const workOf = ({ kind }: OfficeJob) => {
    const key = jobKey(kind)
    // A missing translation comes back as its key.
    const translated = names(key as Parameters<typeof names>[0])
    return translated === key ? kind : translated
  }
  return columnsOf(t, [
    { key: 'work', title: true, cell: (job) => lines(workOf(job), job.schName) },
    { key: 'state', cell: (job) => <Badge kind={badges[job.state]}>{t(job.state)}</Badge> },
    {
      key: 'progress',
      num: true,
      cell: (job) =>
        job.total === 0 ? nothing : t('of', { done: count(job.done), total: count(job.total) }),
    },
    { key: 'season', cell: (job) => job.season || nothing },
    { key: 'started', card: 'wide', cell: (job) => <Moment value={job.createdAt} /> },
    { key: 'ended', card: 'wide', cell: (job) => <Moment value={job.endedAt} /> },
    { key: 'error', card: 'wide', cell: (job) => job.error },
    {
      key: 'act',
      label: t('stop'),
      act: true,
      cell: (job) => (
        <Button
          className="sm"
          disabled={disabledReason ?? (job.endedAt === null ? undefined : t('jobEnded'))}
          aria-label={t('stopOf', { work: workOf(job) })}
          onClick={() => onStop(job)}>
          {t('stop')}
        </Button>
      ),
    },
  ])
}
