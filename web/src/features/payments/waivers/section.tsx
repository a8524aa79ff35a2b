import { type SchoolWaiver, schoolWaivers, withdrawWaiver } from '@podium/contract/payments/calls-waivers'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { Day, Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import type en from '#words/en/payments-waivers.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/payments-waivers.json'))

const WaiverDialog = lazyDialog(() => import('./ask-dialog.tsx'), 'WaiverDialog')

const badges = {
  asked: { kind: 'waiting', word: 'asked' },
  approved: { kind: 'yes', word: 'approved' },
  declined: { kind: 'rejected', word: 'declined' },
  withdrawn: { kind: 'none', word: 'withdrawn' },
} as const

/** The waivers that the school has requested, and their outcome. */
export function WaiverSection() {
  const t = words.use()
  const season = useSeason()
  const [asking, setAsking] = useState(false)
  const { data } = useEndpoint(schoolWaivers, { query: { FYear: season } })
  const columns: Column<SchoolWaiver>[] = columnsOf(t, [
    {
      key: 'student',
      title: true,
      cell: (row) =>
        lines(
          row.studentName,
          <>
            {translateSentence(row.className)}
            {row.section !== '-' && ` ${row.section}`} · {row.rollNo}
          </>,
        ),
    },
    { key: 'reason', card: 'wide', cell: (row) => row.reason },
    { key: 'askedOn', cell: (row) => lines(<Day value={row.requestedAt} />, row.requestedBy) },
    {
      key: 'state',
      cell: (row) =>
        lines(<Badge kind={badges[row.state].kind}>{t(badges[row.state].word)}</Badge>, row.decision),
    },
    { key: 'amount', num: true, cell: (row) => <Rupees amount={row.amount} /> },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (row) => row.can.withdraw === true && <WithdrawWaiver waiver={row} />,
    },
  ])
  return (
    <section className="mt-5">
      <div className="statement-head row gap-5 mb-4">
        <h2>{t('title')}</h2>
        <Button onClick={() => setAsking(true)}>{t('ask')}</Button>
      </div>
      {data && data.data.length > 0 && (
        <DataTable
          caption={t('title')}
          columns={columns}
          rows={data.data}
          rowKey={(row) => String(row.id)}
          cardColumns={2}
        />
      )}
      {asking && <WaiverDialog onClose={() => setAsking(false)} />}
    </section>
  )
}

const shown = [schoolWaivers]

function WithdrawWaiver({ waiver }: { waiver: SchoolWaiver }) {
  const t = words.use()
  const { busy, act } = useAction(shown)
  const { id, version, studentName: name } = waiver
  const takeBack = () => act(() => call(withdrawWaiver, { body: { id, version } }), t('withdrawnToast'))
  return (
    <Button kind="text" busy={busy} aria-label={t('withdrawOf', { name })} onClick={() => void takeBack()}>
      {t('withdraw')}
    </Button>
  )
}
