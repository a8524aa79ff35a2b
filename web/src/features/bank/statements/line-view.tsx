import { type BankLine, reopenLine } from '@podium/contract/bank/calls'
import { formatRupees } from '@podium/contract/money'
import { lazy, Suspense, useState } from 'react'
import { call } from '#shell/call.ts'
import { Day, Moment } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { useAct } from '#shell/use-action.ts'
import { useKey } from '#shell/use-shortcuts.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { LineEditor } from './line-editor.tsx'
import { Reasons } from './reasons.tsx'
import { words } from './words.ts'

const DiscardDialog = lazy(() => import('./discard-dialog.tsx').then((m) => ({ default: m.DiscardDialog })))

interface LineProps {
  line: BankLine
  onDecided: () => void
}

/** What the bank says on the left, what it may be for on the right. */
export function LineView({ line, onDecided }: LineProps) {
  const t = words.use()
  const [discarding, setDiscarding] = useState(false)
  const decides = line.can.decide === true
  useKey('x', decides ? () => setDiscarding(true) : undefined)
  const open = line.state !== 'booked' && line.state !== 'discarded'
  return (
    <>
      <div className="bank-said">
        <h2>{formatRupees(line.amount)}</h2>
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
          <Decided line={line} />
        )}
      </div>
      {discarding && (
        <Suspense>
          <DiscardDialog
            line={line}
            onClose={() => setDiscarding(false)}
            onDecided={() => {
              setDiscarding(false)
              onDecided()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** What became of a line, by whom and when. */
function Decided({ line }: { line: BankLine }) {
  const t = words.use()
  const booked = line.state === 'booked'
  return (
    <>
      <h3>{t('what')}</h3>
      <p>
        <Badge kind={booked ? 'verified' : 'none'}>{t(booked ? 'bookedAs' : 'discardedAs')}</Badge>
      </p>
      <ul className="bank-items">
        {line.booked.map((one) => (
          <li key={one.paymentId}>
            <span>
              {one.schName}{' '}
              <small className="under">{`${one.schCode}, ${t('receipt', { receiptNo: one.receiptNo })}`}</small>
            </span>
            <b>{formatRupees(one.amount)}</b>
          </li>
        ))}
        {line.credited.map((one) => (
          <li key={one.schoolId}>
            <span>
              {one.schName} <small className="under">{`${one.schCode}, ${t('credit')}`}</small>
            </span>
            <b>{formatRupees(one.amount)}</b>
          </li>
        ))}
      </ul>
      <KeyValues>
        {line.reason !== '' && <KeyValue label={t('reason')}>{line.reason}</KeyValue>}
        <KeyValue label={t('by')}>{line.decidedBy}</KeyValue>
        <KeyValue label={t('on')}>{line.decidedAt && <Moment value={line.decidedAt} />}</KeyValue>
      </KeyValues>
      {line.state === 'discarded' && <Reopen line={line} />}
      <RecordHistory kind="bank-line" id={line.id} />
    </>
  )
}

function Reopen({ line }: { line: BankLine }) {
  const t = words.use()
  const { busy, act } = useAct('all')
  const { id, version } = line
  const reopen = () => act(() => call(reopenLine, { body: { id, version } }), t('doneReopened'))
  return (
    <div className="acts">
      <Button
        icon="undo"
        busy={busy}
        disabled={line.can.reopen === true ? undefined : t('mayNot')}
        onClick={() => void reopen()}
      >
        {t('reopen')}
      </Button>
    </div>
  )
}
