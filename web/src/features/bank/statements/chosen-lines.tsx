import { type BankLineRow, type bankLines, discardLine, exactLines } from '@podium/contract/bank/calls'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees, fromRupees, rupees, sumPaise } from '@podium/contract/money'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { useFresh, useRenew } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { toast } from '#ui/toast.tsx'
import type { Lines } from './use-lines.ts'
import { words } from './words.ts'

/** Which lines of a list are ticked: some by hand, or all that it holds, on other pages too. */
export function useChosenLines(list: AnswerOf<typeof bankLines>, { FYear, filters }: Lines) {
  const [rows, setRows] = useState<ReadonlyMap<number, BankLineRow>>(new Map())
  const [all, setAll] = useState(false)
  const { search, statement } = filters.values
  const { state } = list
  const decided = state === 'booked' || state === 'discarded'
  return {
    may: list.can.decide === true && !decided && list.total > 0,
    all,
    rows,
    count: all ? list.total : rows.size,
    query: {
      FYear,
      ...(decided ? {} : { state }),
      search,
      ...(statement > 0 ? { statement: String(statement) } : {}),
    },
    has: (id: number) => all || rows.has(id),
    toggle(row: BankLineRow) {
      // Whoever takes one out of all goes on with those of this page.
      const next = new Map(all ? list.data.map((one) => [one.id, one]) : rows)
      if (!next.delete(row.id)) next.set(row.id, row)
      setAll(false)
      setRows(next)
    },
    setAll(chosen: boolean) {
      setAll(chosen)
      setRows(new Map())
    },
  }
}
export type Chosen = ReturnType<typeof useChosenLines>

/** The box for all lines of the list, and what can be done with those that are ticked. */
export function ChosenLines({ chosen, total }: { chosen: Chosen; total: number }) {
  const t = words.use()
  const [asking, setAsking] = useState(false)
  return (
    <div className="bank-chosen">
      <CheckField
        label={chosen.count > 0 ? t('selected', { n: chosen.count }) : t('selectAll', { n: total })}
        checked={chosen.all}
        mixed={!chosen.all && chosen.count > 0}
        onChange={() => chosen.setAll(!chosen.all)}
      />
      {chosen.count > 0 && (
        <Button kind="danger" onClick={() => setAsking(true)}>
          {t('ignoreSelected')}
        </Button>
      )}
      {asking && <IgnoreDialog chosen={chosen} onClose={() => setAsking(false)} />}
    </div>
  )
}

/** One reason for all ticked lines. */
function IgnoreDialog({ chosen, onClose }: { chosen: Chosen; onClose: () => void }) {
  const t = words.use()
  const renew = useRenew('all')
  const everything = useFresh(exactLines, { query: chosen.query, enabled: chosen.all }).data
  const some = [...chosen.rows.values()]
  const sum = rupees(sumPaise(some.map(({ amount }) => fromRupees(amount))))
  const { lines, amount } = chosen.all
    ? (everything ?? { lines: [], amount: 0 })
    : { lines: some.map(({ id, version }) => ({ id, version })), amount: sum }
  if (lines.length === 0) return null
  return (
    <ReasonDialog
      title={t('ignoreManyTitle', { n: lines.length })}
      says={t('ignoreManySays', { amount: formatRupees(amount) })}
      hint={t('reasonHint')}
      rule={discardLine.body.shape.reason}
      action={t('ignoreSelected')}
      danger
      act={(reason) => call(discardLine, { body: { lines, reason } })}
      onDone={({ discarded, skipped }) => {
        if (discarded > 0) toast.success(t('ignoredMany', { n: discarded }))
        if (skipped > 0) toast.error(t('ignoredSkipped', { n: skipped }))
        chosen.setAll(false)
        onClose()
        return renew()
      }}
      onClose={onClose}
    />
  )
}
