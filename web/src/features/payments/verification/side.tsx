import { formatRupees } from '@podium/contract/money'
import type { PaymentState } from '@podium/contract/payments/calls'
import {
  type BankSign,
  type Doubt,
  type OfficePayment,
  officePaymentReceipt,
  reopenPayment,
} from '@podium/contract/payments/calls-verification'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { Assigned } from '#shell/assignments/assigned.tsx'
import { call } from '#shell/call.ts'
import { FileDialog } from '#shell/file-view.tsx'
import { Day, dayText, Moment, placeText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { officePaths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { MoneySum } from '#ui/money-sum.tsx'
import { Note } from '#ui/note.tsx'
import { BankBadge, paymentKind, stateOf, words } from './queue.tsx'

interface PaymentPanelProps {
  payment: OfficePayment
  onVerify: () => void
  onReject: () => void
  onOpen: (id: number, state: PaymentState) => void
}

/** The school, figures, remarks and doubts of a payment, and the decision. */
export function PaymentPanel({ payment, onVerify, onReject, onOpen }: PaymentPanelProps) {
  const t = words.use()
  const library = payment.paymentFor === 'Library Book Fee'
  return (
    <>
      <div className="sec">
        <h2>{payment.schName}</h2>
        <p className="quiet">{placeText(payment.schCode, payment.cityName, payment.stateName)}</p>
        <Assigned
          kind="payment"
          id={payment.id}
          to={payment.assignee}
          waits={payment.state === 'pending'}
          decides={payment.can.decide === true}
        />
      </div>
      <div className="sec">
        <h3>
          {t('forWhom', {
            what: paymentKind(t, payment.paymentFor),
            students: library ? t('books', { n: payment.books }) : t('students', { n: payment.students }),
          })}
        </h3>
        <MoneySum
          as="lines"
          labels={{ collected: t('gross'), schoolShare: t('schoolShare'), payable: t('payable') }}
          collected={formatRupees(payment.gross)}
          schoolShare={formatRupees(payment.retained)}
          payable={formatRupees(payment.payableAmount)}
        />
        {payment.lateFee > 0 && (
          <p className="quiet">{t('lateFees', { amount: formatRupees(payment.lateFee) })}</p>
        )}
        {library ? <CoveredBooks payment={payment} /> : <CoveredStudents payment={payment} />}
      </div>
      {payment.onBank !== null && <BankMatch payment={payment} bankState={payment.onBank} />}
      {payment.doubtDetails.length > 0 && (
        <div className="sec">
          <h3>{t('checkCarefully')}</h3>
          {payment.doubtDetails.map((doubt) => (
            <DoubtNote
              key={`${doubt.kind}${doubt.paymentId}`}
              doubt={doubt}
              library={library}
              onOpen={onOpen}
            />
          ))}
        </div>
      )}
      <div className="sec">
        <h3>{t('submittedDetails')}</h3>
        <SchoolRemarks payment={payment} />
      </div>
      {payment.state === 'pending' ? (
        <DecisionButtons payment={payment} onVerify={onVerify} onReject={onReject} />
      ) : (
        <PaymentDecision payment={payment} onReopened={() => onOpen(payment.id, 'pending')} />
      )}
    </>
  )
}

/** Shows the matching line of the bank statement, or says that there is none. */
function BankMatch({ payment, bankState }: { payment: OfficePayment; bankState: BankSign }) {
  const t = words.use()
  const line = payment.bankLine
  return (
    <div className="sec">
      <h3>{t('onBank')}</h3>
      <p>
        <BankBadge bankState={bankState} />
      </p>
      {line && (
        <>
          <p>
            {t('bankLine', {
              day: dayText(line.day),
              amount: formatRupees(line.amount),
              file: line.fileName,
              row: line.rowNo,
            })}
          </p>
          <Link className="lk" to={officePaths.statements} search={{ id: line.id }}>
            {t('openLine')}
          </Link>
        </>
      )}
    </div>
  )
}

interface DoubtProps {
  doubt: Doubt
  library: boolean
  onOpen: PaymentPanelProps['onOpen']
}

const doubtWords = { proof: 'sameProof', utr: 'sameUtr', rejected: 'rejectedBefore' } as const

function DoubtNote({ doubt, library, onOpen }: DoubtProps) {
  const t = words.use()
  if (doubt.kind === 'amount') {
    const amount = formatRupees(doubt.payableAmount ?? 0)
    return <Note kind="due">{t(library ? 'amountNowBooks' : 'amountNow', { amount })}</Note>
  }
  const values = {
    what: paymentKind(t, doubt.paymentFor ?? ''),
    school: `${doubt.schName} (${doubt.schCode})`,
    day: dayText(doubt.paymentDate),
    state: doubt.receiptNo || stateOf(t, doubt.state),
  }
  const id = doubt.paymentId ?? 0
  const state = doubt.state === 'verified' || doubt.state === 'rejected' ? doubt.state : 'pending'
  return (
    <Note kind="due">
      {t(doubtWords[doubt.kind], values)}{' '}
      <button type="button" className="lk" onClick={() => onOpen(id, state)}>
        {t('openOther')}
      </button>
    </Note>
  )
}

function SchoolRemarks({ payment }: { payment: OfficePayment }) {
  const t = words.use()
  return (
    <KeyValues>
      <KeyValue label={t('paymentDate')}>
        <Day value={payment.paymentDate} />
      </KeyValue>
      <KeyValue label={t('utr')} copy={payment.utr || undefined}>
        {payment.utr ? (
          <span className="code">{payment.utr}</span>
        ) : (
          <span className="quiet">{t('noUtr')}</span>
        )}
      </KeyValue>
      <KeyValue label={t('reference')} copy={payment.reference}>
        {payment.reference}
      </KeyValue>
      <KeyValue label={t('remarks')}>{payment.remarks}</KeyValue>
      <KeyValue label={t('sentBy')}>{payment.sentBy}</KeyValue>
      <KeyValue label={t('sentOn')}>
        <Moment value={payment.creationDate} />
      </KeyValue>
    </KeyValues>
  )
}

function CoveredStudents({ payment }: { payment: OfficePayment }) {
  const t = words.use()
  const items =
    payment.paymentFor === 'Book Fee'
      ? t('books', { n: payment.books })
      : t('entries', { n: payment.entries })
  return (
    <details>
      <summary>
        {t('covered')} ({items})
      </summary>
      <ul className="covered mt-2 small">
        {payment.covered.map((student) => (
          <li key={student.id}>
            <span>{student.studentName}</span>
            <b>{formatRupees(student.gross)}</b>
            <small>
              {translateSentence(student.className)} {student.section} {student.rollNo} ·{' '}
              {payment.paymentFor === 'Book Fee'
                ? t('books', { n: Number.parseInt(student.covers, 10) })
                : translateSentence(student.covers.replaceAll(',', ', '))}
            </small>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The books of a library order, which has no students. */
function CoveredBooks({ payment }: { payment: OfficePayment }) {
  const t = words.use()
  return (
    <details>
      <summary>
        {t('coveredBooks')} ({t('books', { n: payment.books })})
      </summary>
      <ul className="covered mt-2 small">
        {payment.copies.map((line) => (
          <li key={line.id}>
            <span>
              {line.quantity} × {translateSentence(line.bookCategory)}
            </span>
            <b>{formatRupees(line.gross)}</b>
            <small>
              {translateSentence(line.className)} · {translateSentence(line.subjectName)}
            </small>
          </li>
        ))}
      </ul>
    </details>
  )
}

function DecisionButtons({ payment, onVerify, onReject }: Omit<PaymentPanelProps, 'onOpen'>) {
  const t = words.use()
  const reason = payment.can.decide === true ? undefined : t('mayNotDecide')
  return (
    <div className="end">
      <p>{reason ?? t('nextReceipt', { receiptNo: payment.nextReceiptNo })}</p>
      <Button kind="primary" big shortcut="V" disabled={reason} onClick={onVerify}>
        {t('verify', { amount: formatRupees(payment.payableAmount) })}
      </Button>
      <Button kind="danger" shortcut="R" disabled={reason} onClick={onReject}>
        {t('reject')}
      </Button>
    </div>
  )
}

function PaymentDecision({ payment, onReopened }: { payment: OfficePayment; onReopened: () => void }) {
  const t = words.use()
  const [reopening, setReopening] = useState(false)
  const amounts = { amount: formatRupees(payment.payableAmount), school: payment.schName }
  const verified = payment.state === 'verified'
  const [shown, setShown] = useState(false)
  const receipt = t('receiptOf', { receiptNo: payment.receiptNo })
  const reversed = payment.reversedAt !== null
  return (
    <div className="end">
      {reversed && (
        <>
          <div>
            <Badge kind="rejected">{t('reversedBy', { name: payment.reversedBy })}</Badge>
          </div>
          <p>
            {t('reversedOn')} <Moment value={payment.reversedAt} />
          </p>
        </>
      )}
      {payment.reason !== '' && reversed && <Note kind="bad">{translateSentence(payment.reason)}</Note>}
      <div>
        {payment.withdrawn ? (
          <Badge kind="inactive">{t('withdrawn')}</Badge>
        ) : (
          <Badge kind={verified || reversed ? 'verified' : 'rejected'}>
            {verified || reversed
              ? t('verifiedBy', { name: payment.decidedBy })
              : t('rejectedBy', { name: payment.decidedBy })}
          </Badge>
        )}
      </div>
      <p>
        {t(payment.withdrawn ? 'withdrawnOn' : 'decidedOn')} <Moment value={payment.decidedAt} />
      </p>
      {payment.reason !== '' && !reversed && !payment.withdrawn && <Note kind="bad">{payment.reason}</Note>}
      {payment.can.reopen === true && (
        <Button icon="undo" onClick={() => setReopening(true)}>
          {t('reopen')}
        </Button>
      )}
      {reopening && (
        <ConfirmAction
          title={t('reopenTitle', amounts)}
          action={t('reopen')}
          act={() => call(reopenPayment, { body: { id: payment.id, version: payment.version } })}
          invalidates="all"
          done={t('reopenDone', amounts)}
          onDone={onReopened}
          onClose={() => setReopening(false)}>
          <p>{t('reopenHint', amounts)}</p>
        </ConfirmAction>
      )}
      {payment.receiptNo !== '' && (
        <Button icon="file" onClick={() => setShown(true)}>
          {t('viewReceipt', { receiptNo: payment.receiptNo })}
        </Button>
      )}
      {shown && (
        <FileDialog
          file={{ call: officePaymentReceipt, id: payment.id, label: receipt }}
          onClose={() => setShown(false)}
        />
      )}
    </div>
  )
}
