import {
  type BankLine,
  type BankLineRow,
  bankLineDetails,
  type bankLines,
  discardLine,
  exactLines,
  reopenLine,
} from '@podium/contract/bank/calls'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees, fromRupees, rupees, sumPaise } from '@podium/contract/money'
import { useEffect, useRef, useState } from 'react'
import { Assigned, AssignedBadge, AssignMenu, useOpenRow } from '#shell/assignments/assigned.tsx'
import { call } from '#shell/call.ts'
import { Day } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { useAction } from '#shell/use-action.ts'
import { useKey } from '#shell/use-shortcuts.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { focusOpenRow } from '#ui/list-arrows.ts'
import { Pager } from '#ui/pager.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import { LineDecision, LineEditor } from './line-editor.tsx'
import {
  type BankLines,
  isOpen,
  isWarning,
  type LineSelection,
  Reasons,
  reasonText,
  stateName,
  useChosenLines,
  words,
} from './lines.tsx'

const DiscardDialog = lazyDialog(() => import('./dialogs.tsx'), 'DiscardDialog')

/** The open line: the bank's details on the left, possible matches on the right. */
function LineView({ line, onDecided }: { line: BankLine; onDecided: () => void }) {
  const t = words.use()
  const [discarding, setDiscarding] = useState(false)
  const decides = line.can.decide === true
  useKey('x', decides ? () => setDiscarding(true) : undefined)
  const open = isOpen(line)
  const returned = line.can.returned !== 'bank.not_returned'
  return (
    <>
      <div className="bank-said">
        <h2>{formatRupees(line.amount)}</h2>
        <Assigned
          kind="bank-line"
          id={line.id}
          to={line.assignee}
          waits={open || returned}
          decides={decides || line.can.returned === true}
        />
        <KeyValues>
          <KeyValue label={t('arrived')}>
            <Day value={line.day} />
          </KeyValue>
          <KeyValue label={t('utr')} copy={line.utr || undefined}>
            {line.utr ? (
              <span className="code">{line.utr}</span>
            ) : (
              <span className="quiet">{t('noUtr')}</span>
            )}
          </KeyValue>
          <KeyValue label={t('narration')}>{line.narration}</KeyValue>
          <KeyValue label={t('from')}>{t('fromFile', { file: line.fileName, row: line.rowNo })}</KeyValue>
          <KeyValue label={t('account')}>{line.accountNo}</KeyValue>
        </KeyValues>
        {open && (
          <>
            <h3>{t('why')}</h3>
            <Reasons reasons={line.reasons} />
          </>
        )}
      </div>
      <div className="bank-for">
        {open ? (
          <LineEditor line={line} onDecided={onDecided} onDiscard={() => setDiscarding(true)} />
        ) : (
          <LineDecision line={line} />
        )}
      </div>
      {discarding && (
        <DiscardDialog
          line={line}
          onClose={() => setDiscarding(false)}
          onDecided={() => {
            setDiscarding(false)
            onDecided()
          }}
        />
      )}
    </>
  )
}

interface WorkspaceProps {
  list: AnswerOf<typeof bankLines>
  lines: BankLines
  updatedAt: number
  stale: boolean
}

/** The list of lines in a state, with the open line beside it. J and K move through the list. */
export function Workspace({ list, lines, updatedAt, stale }: WorkspaceProps) {
  const t = words.use()
  const { filters } = lines
  const { page } = filters.values
  const { state } = list
  const chosen = useChosenLines(list, lines)
  const rows = list.data
  const opened = useOpenRow({
    chosen: filters.shown.id,
    // Skip lines that are about to be booked: nothing is left to decide.
    first: (rows.find(({ booksAt }) => booksAt === null) ?? rows[0])?.id ?? 0,
    // Booking all lines together leaves others to start with.
    list: `${page} ${list.job?.kind === 'bank-book'}`,
    updatedAt,
    stale,
  })
  const { id } = opened
  const view = useRef<HTMLElement>(null)
  const open = (next: number) => {
    filters.change({ id: next, page })
    if (window.innerWidth <= 900) view.current?.scrollIntoView()
  }
  const index = rows.findIndex((row) => row.id === id)
  const openRow = rows[index]
  const step = (by: number) => {
    const next = rows[index + by]
    focusOpenRow()
    if (next) open(next.id)
  }
  useKey('j', () => step(1))
  useKey('k', () => step(-1))
  const decided = (lineId: number) => {
    // Another one may have been opened while the answer was awaited.
    if (!opened.isOpen(lineId)) return
    const next = rows[index + 1] ?? rows[index - 1]
    if (!next) opened.renew()
    open(next?.id ?? 0)
  }
  return (
    <div className="desk bankdesk" aria-busy={stale || undefined}>
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
        <p className="key-hint">{t(chosen.decides && openRow && isOpen(openRow) ? 'keys' : 'keysMove')}</p>
      </section>
      <section className="view" ref={view} aria-label={t('line')}>
        <OpenLine key={id} id={id} listed={openRow?.version ?? 0} onDecided={() => decided(id)} />
      </section>
    </div>
  )
}

interface RowProps {
  row: BankLineRow
  current: boolean
  onOpen: () => void
  chosen: LineSelection
}

function Row({ row, current, onOpen, chosen }: RowProps) {
  const t = words.use()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!current) return
    // Enter must decide the open line, not open the one again from which J and K have moved on.
    if (document.activeElement?.matches('[data-line]')) button.current?.focus({ preventScroll: true })
    // Not on narrow screens, where the list has no scroll of its own and the page would jump.
    if (window.innerWidth > 900) button.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const doubt = row.reasons.find(isWarning)
  // On an open line the reason already says it.
  const bounced = row.bouncedOn !== null && row.state === 'booked'
  return (
    <li>
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
        onClick={onOpen}>
        <span className="nm">{row.schName || row.narration}</span>
        <span className="am">{formatRupees(row.amount)}</span>
        <span className="mt">{row.schName ? `${row.schCode}, ${row.narration}` : row.utr}</span>
        <span className="mt">
          <Day value={row.day} />
        </span>
        {row.booksAt !== null && (
          <span className="st">
            <Badge kind="waiting">{t('finalSoon')}</Badge>
          </span>
        )}
        {(doubt || bounced || row.assignee) && (
          <span className="st">
            {doubt && <Badge kind="doubt">{reasonText(t, doubt)}</Badge>}
            {bounced && <Badge kind="doubt">{t('bounced')}</Badge>}
            <AssignedBadge to={row.assignee} />
          </span>
        )}
      </button>
    </li>
  )
}

interface OpenLineProps {
  id: number
  /** The line's version in the list */
  listed: number
  onDecided: () => void
}

function OpenLine({ id, listed, onDecided }: OpenLineProps) {
  const details = useEndpoint(bankLineDetails, { query: { id: String(id) }, enabled: id > 0 })
  // While the next line loads, the data is still the previous one's.
  const line = details.data?.line.id === id ? details.data.line : undefined
  const { refetch } = details
  // Deciding on a line compares the others of its school again, perhaps after this one was loaded.
  const outdated = line !== undefined && line.version < listed
  useEffect(() => {
    if (outdated) void refetch()
  }, [outdated, refetch])
  if (details.isError && !line) return <LoadProblem error={details.error} retry={() => details.refetch()} />
  if (!line) return <Skeleton shape="text" rows={8} />
  return <LineView key={`${line.id}.${line.version}`} line={line} onDecided={onDecided} />
}

/** The checkbox for all lines of the list, and the actions for the selected lines. */
function ChosenLines({ chosen, total }: { chosen: LineSelection; total: number }) {
  const t = words.use()
  const { busy, act } = useAction('all')
  const [ignoring, setIgnoring] = useState<LinesToIgnore>()
  const ignoreAll = async () => {
    const found = await call(exactLines, { query: chosen.query })
    if (found.lines.length > 0) return setIgnoring(found)
    chosen.setAll(false)
    toast.error(t('decidedMeanwhile'))
  }
  const ignoreSome = () => {
    const some = [...chosen.rows.values()]
    const amount = rupees(sumPaise(some.map((row) => fromRupees(row.amount))))
    setIgnoring({ lines: some.map(({ id, version }) => ({ id, version })), amount })
  }
  return (
    <div className="bank-chosen row between gap-2">
      <CheckField
        label={chosen.count > 0 ? t('selected', { n: chosen.count }) : t('selectAll', { n: total })}
        checked={chosen.all}
        mixed={!chosen.all && chosen.count > 0}
        onChange={() => chosen.setAll(!chosen.all)}
      />
      {chosen.count > 0 && chosen.ignored && <ReopenChosen chosen={chosen} />}
      {chosen.count > 0 && !chosen.ignored && (
        <Button
          kind="danger"
          busy={busy}
          disabled={chosen.matched ? t('ignoreMatched') : undefined}
          onClick={chosen.all ? () => void act(ignoreAll) : ignoreSome}>
          {t('ignoreSelected')}
        </Button>
      )}
      {chosen.count > 0 && !chosen.ignored && (
        <AssignMenu
          kind="bank-line"
          ids={async () =>
            chosen.all
              ? (await call(exactLines, { query: chosen.query })).lines.map(({ id }) => id)
              : [...chosen.rows.keys()]
          }
          count={chosen.count}
          onDone={() => chosen.setAll(false)}
        />
      )}
      {ignoring && (
        <IgnoreDialog
          {...ignoring}
          onDone={() => chosen.setAll(false)}
          onClose={() => setIgnoring(undefined)}
        />
      )}
    </div>
  )
}

/** Reopens all selected lines that were ignored by mistake. */
function ReopenChosen({ chosen }: { chosen: LineSelection }) {
  const t = words.use()
  const { busy, act } = useAction('all')
  const reopen = async () => {
    const { lines } = chosen.all
      ? await call(exactLines, { query: chosen.query })
      : { lines: [...chosen.rows.values()].map(({ id, version }) => ({ id, version })) }
    const answer = await call(reopenLine, { body: { lines } })
    if (answer.skipped > 0) toast.error(t('reopenSkipped', { n: answer.skipped }))
    chosen.setAll(false)
    return answer
  }
  return (
    <Button
      icon="undo"
      busy={busy}
      onClick={() =>
        void act(reopen, ({ reopened }) => (reopened > 0 ? t('reopenedMany', { n: reopened }) : ''))
      }>
      {t('reopen')}
    </Button>
  )
}

interface LinesToIgnore {
  lines: { id: number; version: number }[]
  /** Their sum in rupees */
  amount: number
}

interface IgnoreProps extends LinesToIgnore {
  onDone: () => void
  onClose: () => void
}

/** Ignores all selected lines for one reason. */
function IgnoreDialog({ lines, amount, onDone, onClose }: IgnoreProps) {
  const t = words.use()
  const invalidate = useInvalidate('all')
  const { act } = useAction('all')
  return (
    <ReasonDialog
      title={t('ignoreManyTitle', { n: lines.length })}
      description={t('ignoreManyHint', { amount: formatRupees(amount) })}
      hint={t('reasonHint')}
      rule={discardLine.body.shape.reason}
      picks="bank"
      action={t('ignoreSelected')}
      danger
      act={(reason) => call(discardLine, { body: { lines, reason } })}
      onDone={({ discarded, skipped, lines: done }) => {
        const undo = () =>
          void act(
            () => call(reopenLine, { body: { lines: done } }),
            ({ reopened }) => t('reopenedMany', { n: reopened }),
          )
        if (discarded > 0) toast.success(t('ignoredMany', { n: discarded }), { label: t('undo'), act: undo })
        if (skipped > 0) toast.error(t('ignoredSkipped', { n: skipped }))
        onDone()
        onClose()
        return invalidate()
      }}
      onClose={onClose}
    />
  )
}
