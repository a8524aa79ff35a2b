import { type Mailing, mailings, stopMailing } from '@podium/contract/schools/calls-mailings'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { count, Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { endpointQuery } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { useAct } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Pager } from '#ui/pager.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { mailingFilters } from '../letters/filters.ts'
import { words } from './words.ts'

const looksEvery = 2_000
const badges = { sending: 'underway', sent: 'verified', stopped: 'rejected' } as const

/** The e-mails that were sent to many schools: by whom, to which, how many; counted while they leave. */
export function MailingsSent() {
  const t = words.use()
  const filters = useFilters(mailingFilters)
  const { page } = filters.values
  const { data, error, refetch } = useQuery({
    ...endpointQuery(mailings, { query: { page: String(page) } }),
    refetchInterval: ({ state }) =>
      state.data?.data.some((one) => one.state === 'sending') ? looksEvery : false,
  })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  return (
    <Panel title={t('sentBefore')}>
      {!data && <Skeleton shape="text" rows={3} />}
      {data?.total === 0 && <EmptyState icon="mail" title={t('sentNone')} />}
      <ul className="mailings-sent ruled">
        {data?.data.map((mailing) => (
          <One key={mailing.id} mailing={mailing} />
        ))}
      </ul>
      {data && data.total > data.pageSize && (
        <Pager
          total={data.total}
          page={page}
          size={data.pageSize}
          shown={data.data.length}
          onPage={(to) => filters.change({ page: to })}
        />
      )}
    </Panel>
  )
}

const shownOfMailings = [mailings]
const named = [
  'list',
  'balance',
  'step',
  'within',
  'search',
  'state',
  'district',
  'standing',
  'due',
  'staff',
  'contacts',
  'followUp',
  'ids',
] as const

function One({ mailing }: { mailing: Mailing }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfMailings)
  const may = useSession()?.permissions?.includes('mailings.send') ?? false
  const { id: mailingId, state, schools, done, mails, left, filters } = mailing
  const set = named.flatMap((name) => {
    const value = filters[name]
    if (value === undefined) return []
    if (name === 'list') return [t(value === 'ledger' ? 'f_ledger' : 'f_reminders')]
    return [t(`f_${name}`, { value })]
  })
  const facts = [
    t('progress', { done: count(done), n: count(schools) }),
    t('mailsSent', { n: mails }),
    left > 0 && t('left', { n: left }),
    t(`readers_${mailing.readers}`),
    mailing.FYear,
    set.length > 0 ? t('filters', { filters: set.join(', ') }) : t('filtersNone'),
  ].filter((fact) => fact !== false)
  return (
    <li>
      <header className="row between">
        <h3>{mailing.subject}</h3>
        <Badge kind={badges[state]}>{t(state)}</Badge>
      </header>
      <p className="quiet">
        {mailing.by}, <Moment value={mailing.at} /> · {facts.join(' · ')}
      </p>
      <details>
        <summary>{t('showText')}</summary>
        <p className="as-typed">{mailing.body}</p>
      </details>
      {state === 'sending' && may && (
        <div>
          <Button
            kind="text"
            busy={busy}
            onClick={() => void act(() => call(stopMailing, { body: { mailingId } }))}
          >
            {t('stop')}
          </Button>
        </div>
      )}
    </li>
  )
}
