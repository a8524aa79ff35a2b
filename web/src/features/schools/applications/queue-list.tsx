import type { Application } from '@podium/contract/schools/calls-applications'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Day } from '#shell/format.tsx'
import { Badge } from '#ui/badge.tsx'
import { waitingTime } from './waiting-time.ts'
import { words } from './words.ts'

interface QueueListProps {
  rows: readonly Application[]
  selected: number | undefined
  /** The address of an application within this list. */
  searchOf: (id: number) => Record<string, unknown>
  onPick: (id: number) => void
}

/** The applications of a page; arrows go from one to the next. */
export function QueueList({ rows, selected, searchOf, onPick }: QueueListProps) {
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
    <ul className="appl-list" ref={list} onKeyDown={move} aria-label={t('list')}>
      {rows.map((one) => (
        <li key={one.id}>
          <Link
            to="."
            search={searchOf(one.id)}
            replace
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={one.id === selected ? 'true' : undefined}
            onClick={() => onPick(one.id)}
          >
            <span className="appl-name">
              {one.schName}{' '}
              {one.reviewState === 'submitted' && one.answeredAt && (
                <Badge tone="info" icon="check">
                  {t('answered')}
                </Badge>
              )}
            </span>
            <span className="appl-meta">
              {one.city}, {one.state}
            </span>
            <span className="appl-meta num">
              {one.decidedAt === null ? waitingTime(one.submittedAt, now, t) : <Day value={one.decidedAt} />}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
