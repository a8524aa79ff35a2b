import { type BankLineRow, bankLineOne, type bankLines } from '@podium/contract/bank/calls'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import { useEffect, useRef } from 'react'
import { Day } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useKey } from '#shell/use-shortcuts.ts'
import { Badge } from '#ui/badge.tsx'
import { Pager } from '#ui/pager.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { type Chosen, ChosenLines, useChosenLines } from './chosen-lines.tsx'
import { LineView } from './line-view.tsx'
import { reasonText, stateName, warns } from './reasons.tsx'
import type { Lines } from './use-lines.ts'
import { words } from './words.ts'

type List = AnswerOf<typeof bankLines>

/** The lines of a state one under the other, and the open one beside them; J and K go through them. */
export function Desk({ list, lines, stale }: { list: List; lines: Lines; stale: boolean }) {
  const t = words.use()
  const { filters } = lines
  const { page } = filters.values
  const { state } = list
  const chosen = useChosenLines(list, lines)
  const rows = list.data
  // A line that is about to be booked needs nobody.
  const id = filters.shown.id || ((rows.find(({ booksAt }) => booksAt === null) ?? rows[0])?.id ?? 0)
  const view = useRef<HTMLElement>(null)
  const open = (next: number) => {
    filters.change({ id: next, page })
    if (window.innerWidth <= 900) view.current?.scrollIntoView()
  }
  const at = rows.findIndex((row) => row.id === id)
  const step = (by: number) => {
    const next = rows[at + by]
    if (next) open(next.id)
  }
  useKey('j', () => step(1))
  useKey('k', () => step(-1))
  const decided = () => {
    const next = rows[at + 1] ?? rows[at - 1]
    filters.change({ id: next?.id ?? 0, page })
  }
  return (
    <div className="bankdesk" aria-busy={stale || undefined}>
      <section className="queue" aria-labelledby="bank-lines">
        <div className="hd">
          <h2 id="bank-lines">{t('stateCount', { state: stateName(t, state), n: list.total })}</h2>
          {chosen.may && <ChosenLines chosen={chosen} total={list.total} />}
        </div>
        <ul className="q">
          {rows.map((row) => (
            <Row key={row.id} row={row} current={row.id === id} onOpen={() => open(row.id)} chosen={chosen} />
          ))}
        </ul>
        {list.total > rows.length && (
          <Pager
            total={list.total}
            page={page}
            size={list.pageSize}
            shown={rows.length}
            onPage={(chosen) => filters.change({ page: chosen, id: 0 })}
          />
        )}
        <p className="keys">{t('keys')}</p>
      </section>
      <section className="view" ref={view} aria-label={t('line')}>
        <OpenLine key={id} id={id} onDecided={decided} />
      </section>
    </div>
  )
}

interface RowProps {
  row: BankLineRow
  current: boolean
  onOpen: () => void
  chosen: Chosen
}

function Row({ row, current, onOpen, chosen }: RowProps) {
  const t = words.use()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (current) button.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const doubt = row.reasons.find(warns)
  return (
    <li className={chosen.may ? 'choosable' : undefined}>
      {chosen.may && (
        <input
          type="checkbox"
          aria-label={t('selectLine', { amount: formatRupees(row.amount) })}
          checked={chosen.has(row.id)}
          disabled={row.booksAt !== null}
          onChange={() => chosen.toggle(row)}
        />
      )}
      <button
        ref={button}
        type="button"
        data-line={row.id}
        aria-current={current || undefined}
        onClick={onOpen}
      >
        <span className="nm">{row.schName || row.narration}</span>
        <span className="am">{formatRupees(row.amount)}</span>
        <span className="mt">{row.schName ? `${row.schCode}, ${row.narration}` : row.utr}</span>
        <span className="mt">
          <Day value={row.day} />
        </span>
        {row.booksAt !== null && (
          <span className="st">
            <Badge kind="waiting">{t('booksSoon')}</Badge>
          </span>
        )}
        {doubt && (
          <span className="st">
            <Badge kind="doubt">{reasonText(t, doubt)}</Badge>
          </span>
        )}
      </button>
    </li>
  )
}

function OpenLine({ id, onDecided }: { id: number; onDecided: () => void }) {
  const one = useEndpoint(bankLineOne, { query: { id: String(id) }, enabled: id > 0 })
  // Earlier data stays while the next loads: it is not the line that was asked for.
  const line = one.data?.line.id === id ? one.data.line : undefined
  if (one.isError) return <LoadProblem error={one.error} retry={() => one.refetch()} />
  if (!line) return <Skeleton shape="text" rows={8} />
  return <LineView key={`${line.id}.${line.version}`} line={line} onDecided={onDecided} />
}
