import { recordHistory } from '@podium/contract/audit-log/calls'
import type { Endpoint, QueryOf } from '@podium/contract/endpoint'
import { Suspense } from 'react'
import { lazyPart } from '#ui/lazy-part.ts'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/history.json'
import { defineWords } from '../language/words.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/history.json'))

/** Includes the words of every action and field, so no page waits for it. */
const Lines = lazyPart(() => import('./line-parts.tsx'), 'RecordLines')

/** The history of a record; `kind` and `id` as in its audit lines. Shows nothing to roles that may not see it. */
export function RecordHistory({ kind, id }: { kind: string; id: number | string }) {
  return <History endpoint={recordHistory} query={{ kind, id: String(id) }} />
}

/** The same for any call that answers like `recordHistory`. */
export function History<E extends Endpoint>(props: { endpoint: E; query: QueryOf<E> }) {
  const t = words.use()
  const waiting = (
    <Panel title={t('history')} className="record-history">
      <Skeleton shape="text" rows={6} />
    </Panel>
  )
  return (
    <Suspense fallback={waiting}>
      <Lines {...props} />
    </Suspense>
  )
}
