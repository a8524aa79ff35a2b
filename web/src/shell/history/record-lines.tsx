import './history.css'
import type { AuditLine } from '@podium/contract/audit-log/calls'
import type { Endpoint, QueryOf } from '@podium/contract/endpoint'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type CallError, call, onWritten } from '#shell/call.ts'
import { Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Actor, Changes, useLineName } from './line-parts.tsx'
import { words } from './words.ts'

type Page = { data: AuditLine[]; more: boolean }

/**
 * The lines of any call that answers like `recordHistory`: who, when, from what to what; older ones on demand. What is
 * written on the page stands there at once.
 */
export function RecordLines<E extends Endpoint>({ endpoint, query }: { endpoint: E; query: QueryOf<E> }) {
  const t = words.use()
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery<
    Page,
    CallError
  >({
    queryKey: [endpoint.path, query],
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === undefined ? {} : { before: String(pageParam) }
      const asked = { ...(query as object), ...before } as QueryOf<E>
      return call(endpoint, { query: asked, signal }) as unknown as Promise<Page>
    },
    getNextPageParam: (last) => (last.more ? last.data.at(-1)?.id : undefined),
    staleTime: 0,
  })
  useEffect(() => onWritten(() => void refetch()), [refetch])
  const lines = data?.pages.flatMap((page) => page.data)
  return (
    <Panel title={t('history')} padded={false} className="record-history">
      {error && !lines && <LoadProblem error={error} retry={refetch} />}
      {!lines && !error && (
        <div className="pad">
          <Skeleton shape="text" rows={6} />
        </div>
      )}
      {lines?.length === 0 && <p className="pad quiet">{t('noHistory')}</p>}
      {lines && lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <section className="lines" aria-label={t('history')} tabIndex={0}>
          <ol>
            {lines.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ol>
        </section>
      )}
      {hasNextPage && (
        <div className="pad">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('older')}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function Line({ line }: { line: AuditLine }) {
  const nameOf = useLineName()
  return (
    <li>
      <b>{nameOf(line)}</b>
      <span className="history-when">
        <Moment value={line.at} /> · <Actor line={line} />
      </span>
      <Changes changes={line.changes} />
    </li>
  )
}
