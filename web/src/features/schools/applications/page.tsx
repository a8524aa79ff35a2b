import '#shell/desk.css'
import './applications.css'
import { formatNumber } from '@podium/contract/figures'
import { type Application, exportApplications } from '@podium/contract/schools/calls-applications'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { AssignedBadge, AssignedFilter, assignedQuery } from '#shell/assignments/assigned.tsx'
import type { CallError } from '#shell/call.ts'
import { Day, placeText } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { useKey } from '#shell/use-shortcuts.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState, Note, NothingFound } from '#ui/note.tsx'
import { Pager } from '#ui/pager.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { applicationFilters, reviewStates } from '../filters.ts'
import { ApplicationView, DecisionSide, SchoolLinks } from './decision-side.tsx'
import { type Queue, useQueue, words } from './use-queue.ts'

/** Refusals that mean the page shows an outdated application. */
const outdatedCodes = ['application.decided', 'changed_meanwhile', 'not_found']

interface Approval {
  message: string
  school: { schId: number; schCode: string }
}

/** The open application: which known school is shown beside it, and what follows a decision. */
function useOpenApplication({ selected, opened, open, neighbour, renew }: Queue) {
  const t = words.use()
  const title = useRef<HTMLHeadingElement>(null)
  const [goesTo, setGoesTo] = useState<number>()
  const [pickedSchool, setPickedSchool] = useState<{ id: number; schId: number }>()
  const [notice, setNotice] = useState<{ id: number; text: string }>()
  const [approved, setApproved] = useState<Approval>()

  const next = useCallback(() => {
    const id = neighbour(1)
    if (id !== undefined) open(id)
  }, [neighbour, open])
  const before = useCallback(() => {
    const id = neighbour(-1)
    if (id !== undefined) open(id)
  }, [neighbour, open])
  useKey('j', next)
  useKey('k', before)

  // After a decision, or a choice from the list on a phone, the focus moves to the title once it is rendered.
  const ready = opened?.application.id
  useEffect(() => {
    if (goesTo === undefined || goesTo !== ready) return
    setGoesTo(undefined)
    title.current?.focus({ preventScroll: true })
    title.current?.scrollIntoView({ block: window.innerWidth <= 900 ? 'start' : 'nearest' })
  }, [goesTo, ready])

  const openId = useRef(selected)
  openId.current = selected
  const onDecided = (message: string, school?: Approval['school']) => {
    toast.success(message)
    setApproved(school && { message, school })
    // Another one may have been opened while the answer was awaited.
    if (openId.current === selected) {
      const following = neighbour(1) ?? neighbour(-1)
      open(following ?? 0)
      setGoesTo(following)
    }
    void renew()
  }
  const refused = (cause: CallError): boolean => {
    if (!outdatedCodes.includes(cause.code) || selected === undefined) return false
    setNotice({ id: selected, text: t('reloaded', { sentence: cause.message }) })
    void renew()
    return true
  }
  const likely = opened?.likely ?? []
  const chosen = pickedSchool?.id === selected ? pickedSchool?.schId : undefined
  return {
    title,
    /** The last approval, with its school. */
    approved,
    compared: likely.find(({ schId }) => schId === chosen) ?? likely[0],
    compare: (schId: number) => {
      if (selected === undefined) return
      setPickedSchool({ id: selected, schId })
      if (window.innerWidth <= 1100) title.current?.scrollIntoView({ block: 'nearest' })
    },
    notice: notice?.id === selected ? notice?.text : undefined,
    picked: (id: number) => {
      if (window.innerWidth <= 900) setGoesTo(id)
    },
    done: onDecided,
    refused,
  }
}

type OpenedApplication = ReturnType<typeof useOpenApplication>

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Formats how long an application has waited: `5 min`, `3 h`, `2 d`. */
function waitingTime(since: string, now: number, t: ReturnType<typeof words.use>): string {
  const passed = Math.max(0, now - new Date(since).getTime())
  if (passed < hour) return t('minutes', { n: Math.floor(passed / minute) })
  if (passed < day) return t('hours', { n: Math.floor(passed / hour) })
  return t('days', { n: Math.floor(passed / day) })
}

interface QueueListProps {
  rows: readonly Application[]
  selected: number | undefined
  /** Search parameters that open an application in this list. */
  searchOf: (id: number) => Record<string, unknown>
  onPick: (id: number) => void
}

/** The applications of a page; arrow keys move between them. */
function QueueList({ rows, selected, searchOf, onPick }: QueueListProps) {
  const t = words.use()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (selected === undefined || window.innerWidth <= 900) return
    list.current?.querySelector('a[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  const move = (event: KeyboardEvent<HTMLUListElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const next = links[links.findIndex((link) => link.matches(':focus')) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
    next.click()
  }
  const now = Date.now()
  return (
    <ul ref={list} onKeyDown={move} aria-label={t('list')}>
      {rows.map((row) => (
        <li key={row.id}>
          <Link
            to="."
            search={searchOf(row.id)}
            replace
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={row.id === selected ? 'true' : undefined}
            onClick={() => onPick(row.id)}>
            <span className="nm">
              {row.schName}{' '}
              {row.reviewState === 'submitted' && row.answeredAt && (
                <Badge tone="info" icon="check">
                  {t('answered')}
                </Badge>
              )}
              <AssignedBadge to={row.assignee} />
            </span>
            <span className="mt">{placeText(row.city, row.state)}</span>
            <span className="mt num">
              {row.decidedAt === null ? waitingTime(row.submittedAt, now, t) : <Day value={row.decidedAt} />}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

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

/** The queue of schools to be verified: list, application, decision. */
export function ApplicationsPage() {
  const t = words.use()
  const queue = useQueue()
  const { state, search, assigned } = queue.filters.values
  const mayExport = useMay('schools.export')
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <ListDownloads
          endpoint={exportApplications}
          bodyOf={(format) => ({ state, search, ...assignedQuery(assigned), format })}
          disabledReason={mayExport ? undefined : t('mayNotExport')}
        />
      </PageHeader>
      <LinkTabs label={t('states')}>
        {reviewStates.map((reviewState) => (
          <Link
            key={reviewState}
            to="."
            search={applicationFilters.validate({ state: reviewState, search, assigned })}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={reviewState === state ? 'page' : undefined}>
            {t(stateWords[reviewState])} {queue.counts && <b>{formatNumber(queue.counts[reviewState])}</b>}
          </Link>
        ))}
      </LinkTabs>
      {queue.list.isError && queue.rows === undefined ? (
        <LoadProblem error={queue.list.error} retry={queue.list.refetch} />
      ) : (
        <Workspace queue={queue} />
      )}
    </>
  )
}

function Workspace({ queue }: { queue: Queue }) {
  const open = useOpenApplication(queue)
  return (
    <>
      {open.approved && (
        <Note className="mb-3" kind="ok">
          {open.approved.message} <SchoolLinks school={open.approved.school} />
        </Note>
      )}
      <WorkspaceParts queue={queue} open={open} />
    </>
  )
}

function WorkspaceParts({ queue, open }: { queue: Queue; open: OpenedApplication }) {
  const { filters, rows, total, selected } = queue
  return (
    <div className="desk appl-desk">
      <section className="queue">
        <QueueHead queue={queue} />
        {rows === undefined ? (
          <div className="pad">
            <Skeleton shape="text" rows={8} />
          </div>
        ) : rows.length === 0 ? (
          <EmptyQueue queue={queue} />
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
    <div className="hd">
      <h2>
        {t(stateWords[state])}
        {queue.rows && `, ${formatNumber(queue.total)}`}
      </h2>
      <span>{t(state === 'submitted' || state === 'asked' ? 'oldestFirst' : 'newestFirst')}</span>
      <div className="appl-find row bottom gap-2">
        <SearchField
          label={t('search')}
          labelHidden
          placeholder={t('searchHint')}
          {...queue.filters.field('search', { id: 0 })}
        />
        <AssignedFilter
          kind="application"
          value={queue.filters.shown.assigned}
          onChange={(assigned) => queue.filters.change({ assigned, id: 0 })}
        />
        {tools}
      </div>
    </div>
  )
}

function EmptyQueue({ queue }: { queue: Queue }) {
  const t = words.use()
  const { state, search, assigned } = queue.filters.values
  if (search || assigned) {
    const clear = () => queue.filters.change({ search: '', assigned: '', id: 0 })
    return (
      <NothingFound title={search ? t('nothingFound', { search }) : t('nothingMatches')} onClear={clear}>
        {search ? t('nothingFoundText') : undefined}
      </NothingFound>
    )
  }
  return (
    <EmptyState icon={state === 'submitted' ? 'ok' : 'list'} title={t(emptyWords[state])}>
      {state === 'submitted' ? t('emptySubmittedText') : undefined}
    </EmptyState>
  )
}

/** The open application, and the decision beside it. */
function OpenApplication({ queue, open }: { queue: Queue; open: OpenedApplication }) {
  const t = words.use()
  const { opened, detail, selected } = queue
  if (opened === undefined) {
    // The queue is empty: the list shows the message.
    if (selected === undefined && queue.rows !== undefined) return null
    return (
      <section className="view pad">
        {detail.isError ? (
          <LoadProblem error={detail.error} retry={detail.refetch} />
        ) : (
          <Skeleton shape="text" rows={10} />
        )}
      </section>
    )
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="view" aria-label={opened.application.schName} tabIndex={0}>
        {open.notice && (
          <div className="appl-notice">
            <Note kind="due">{open.notice}</Note>
          </div>
        )}
        <ApplicationView application={opened.application} school={open.compared} titleRef={open.title} />
      </section>
      <section className="side" aria-label={t('decision')}>
        <DecisionSide
          key={opened.application.id}
          detail={opened}
          compared={open.compared?.schId}
          onCompare={open.compare}
          onDone={open.done}
          onRefused={open.refused}
        />
      </section>
    </>
  )
}
