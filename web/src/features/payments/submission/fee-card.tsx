import { messages } from '@podium/contract/messages'
import { formatRupees } from '@podium/contract/money'
import { type PaymentItem, paymentProof, withdrawPayment } from '@podium/contract/payments/calls'
import { upiLimit } from '@podium/contract/payments/rules'
import { type ReactNode, useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { openFile } from '#shell/download.ts'
import { Day, dayText } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { fetchFile } from '#shell/use-downloads.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { AccountNumber, CopyButton, KeyValue, KeyValues } from '#ui/copyable.tsx'
import { MoneySum } from '#ui/money-sum.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Qr } from '#ui/qr.tsx'
import type en from '#words/en/payments.json'

/** Translations of the page Manage Payments. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/payments.json'))

type T = ReturnType<typeof words.use>

/** «264 students, 830 entries at ₹175», «486 books for 184 students». */
function factOf(t: T, item: PaymentItem): string {
  const students = t('students', { n: item.students })
  if (item.paymentFor === 'Library Book Fee') return t('libraryFact', { n: item.books })
  if (item.paymentFor === 'Book Fee') return t('bookFact', { books: t('books', { n: item.books }), students })
  const entries = t('entries', { n: item.entries })
  if (item.entryFee === null) return t('registrationFact', { students, entries })
  return t('registrationFactAt', { students, entries, fee: formatRupees(item.entryFee) })
}

export function paymentKind(t: T, paymentFor: PaymentItem['paymentFor']): string {
  if (paymentFor === 'Library Book Fee') return t('libraryFee')
  return paymentFor === 'Book Fee' ? t('bookFee') : t('registrationFee')
}

/** The figures of a fee. Library books are for the school itself, so the labels don't say «collected». */
function sumsOf(t: T, item: PaymentItem) {
  const library = item.paymentFor === 'Library Book Fee'
  return {
    ...(library
      ? { labels: { collected: t('price'), schoolShare: t('schoolShare'), payable: t('toFoundation') } }
      : {}),
    collected: formatRupees(item.gross),
    schoolShare: formatRupees(item.retained),
    payable: formatRupees(item.payableAmount),
  }
}

interface CardProps {
  item: PaymentItem
  badge: ReactNode
  children: ReactNode
  foot?: ReactNode
}

function Card({ item, badge, children, foot }: CardProps) {
  const t = words.use()
  return (
    <Panel title={paymentKind(t, item.paymentFor)} aside={badge} padded={false} className="fee" foot={foot}>
      <p className="facts">
        {factOf(t, item)}
        {item.lateFee > 0 && `, ${t('lateFees', { amount: formatRupees(item.lateFee) })}`}
      </p>
      {children}
    </Panel>
  )
}

/** A fee that is due: three figures, where to pay, and the button to report the payment. */
export function DueCard({ item, onUpdate }: { item: PaymentItem; onUpdate: () => void }) {
  const t = words.use()
  const amount = formatRupees(item.payableAmount)
  const foot = (
    <>
      <p>{pendingReason(t, item) ?? t('paidAlready')}</p>
      <Button kind="primary" big disabled={blockedReason(t, item)} onClick={onUpdate}>
        {t('update', { amount })}
      </Button>
    </>
  )
  return (
    <Card item={item} badge={<Badge kind="pending">{t('pending')}</Badge>} foot={foot}>
      <div className="part">
        <MoneySum {...sumsOf(t, item)} />
        {item.slab && <p className="hint">{slabText(t, item.slab)}</p>}
      </div>
      {item.rejected && (
        <div className="part">
          <Note kind="bad">
            {t('dueAgain', {
              amount: formatRupees(item.rejected.payableAmount),
              day: dayText(item.rejected.paymentDate),
            })}
            <br />
            {t('reasonIs', { reason: item.rejected.reason })}
          </Note>
        </div>
      )}
      {/* No account or code while the payment cannot be reported yet. */}
      {item.can.submit === 'payments.pending_first' ? null : <PaymentMethods item={item} />}
    </Card>
  )
}

/** «Your school has 112 children: it keeps ₹25 of each entry. From 200 children it keeps ₹30.» */
function slabText(t: T, { heads, share, next }: NonNullable<PaymentItem['slab']>): string {
  const now = t('slabNow', { n: heads, share: formatRupees(share) })
  return next ? `${now} ${t('slabNext', { n: next.from, share: formatRupees(next.share) })}` : now
}

/** Explains that newer entries wait while an earlier payment is being verified. */
function pendingReason(t: T, item: PaymentItem): string | undefined {
  if (item.can.submit !== 'payments.pending_first') return undefined
  return item.paymentFor === 'Library Book Fee' ? t('pendingFirstBooks') : t('pendingFirst')
}

function blockedReason(t: T, item: PaymentItem): string | undefined {
  if (item.can.submit === true) return undefined
  return item.can.submit === 'payments.no_account' ? t('noAccount') : pendingReason(t, item)
}

/** A payment that was reported and waits for the foundation. */
export function SentCard({ item }: { item: PaymentItem }) {
  const t = words.use()
  const translate = useSentences()
  return (
    <Card item={item} badge={<Badge kind="waiting">{t('beingVerified')}</Badge>}>
      <div className="part">
        <MoneySum {...sumsOf(t, item)} as="lines" />
      </div>
      <div className="part">
        <Note kind="due">{translate(messages.paymentPending)}</Note>
      </div>
      {item.sent && <SentDetails sent={item.sent} reference={item.reference} />}
      {item.sent && <Withdraw id={item.sent.id} />}
      <PayeeDetails item={item} />
    </Card>
  )
}

function SentDetails({ sent, reference }: { sent: NonNullable<PaymentItem['sent']>; reference: string }) {
  const t = words.use()
  const open = () => fetchFile(paymentProof, { query: { id: String(sent.id) } }, openFile)
  return (
    <div className="sent">
      <h3>{t('whatYouSent')}</h3>
      <KeyValues>
        <KeyValue label={t('paymentDate')}>
          <Day value={sent.paymentDate} />
        </KeyValue>
        {sent.utr !== '' && (
          <KeyValue label={t('utr')}>
            <span className="code">{sent.utr}</span>
          </KeyValue>
        )}
        <KeyValue label={t('proof')}>
          <button
            type="button"
            className="lk"
            aria-label={t('openProof', { name: sent.proofName })}
            onClick={() => void open()}>
            {sent.proofName}
          </button>
        </KeyValue>
        <KeyValue label={t('remarks')}>{sent.remarks}</KeyValue>
        <KeyValue label={t('reference')}>{reference}</KeyValue>
        <KeyValue label={t('sentBy')}>{sent.sentBy}</KeyValue>
      </KeyValues>
    </div>
  )
}

/** Withdraws a payment that was sent with a wrong date, UTR or proof. */
function Withdraw({ id }: { id: number }) {
  const t = words.use()
  const [asking, setAsking] = useState(false)
  return (
    <div className="part">
      <Button icon="undo" onClick={() => setAsking(true)}>
        {t('withdraw')}
      </Button>
      {asking && (
        <ConfirmAction
          title={t('withdrawTitle')}
          action={t('withdraw')}
          cancel={t('withdrawBack')}
          act={() => call(withdrawPayment, { body: { id } })}
          invalidates="all"
          done={t('withdrawDone')}
          onClose={() => setAsking(false)}>
          <p>{t('withdrawHint')}</p>
        </ConfirmAction>
      )}
    </div>
  )
}

/** A fee that is paid in full. */
export function PaidCard({ item }: { item: PaymentItem }) {
  const t = words.use()
  return (
    <Card
      item={item}
      badge={<Badge kind="paid">{t('paidAmount', { amount: formatRupees(item.payableAmount) })}</Badge>}>
      <div className="part">
        <MoneySum {...sumsOf(t, item)} as="lines" />
      </div>
      <div className="part">
        <Note kind="ok">{t('allPaid')}</Note>
      </div>
      <PayeeDetails item={item} />
    </Card>
  )
}

/** Where to pay a fee: bank details and a UPI code for the exact amount. The better way for the amount comes first. */
function PaymentMethods({ item }: { item: PaymentItem }) {
  const t = words.use()
  if (item.accountNo === '') return <Note kind="bad">{t('noAccount')}</Note>
  const large = item.payableAmount > upiLimit
  const bank = <BankDetails key="bank" item={item} large={large} />
  const upi = item.upi === '' ? null : <UpiCode key="upi" item={item} />
  if (upi === null) return <div className="way">{bank}</div>
  return <div className={large ? 'way' : 'way upi-first'}>{large ? [bank, upi] : [upi, bank]}</div>
}

/** The account that was paid to, collapsed. Nothing is due any more, so there is no UPI code. */
function PayeeDetails({ item }: { item: PaymentItem }) {
  const t = words.use()
  if (item.accountNo === '') return null
  return (
    <details className="paid-to">
      <summary>{t('paidTo')}</summary>
      <KeyValues>
        <KeyValue label={t('accountName')}>{item.accountName}</KeyValue>
        <KeyValue label={t('bankName')}>{item.bankName}</KeyValue>
        <KeyValue label={t('accountNo')}>
          <AccountNumber value={item.accountNo} />
        </KeyValue>
        <KeyValue label={t('ifsc')}>{item.ifsc}</KeyValue>
      </KeyValues>
    </details>
  )
}

function BankDetails({ item, large }: { item: PaymentItem; large: boolean }) {
  const t = words.use()
  const of = paymentKind(t, item.paymentFor)
  return (
    <div>
      <h3>{t('bankTransfer')}</h3>
      <KeyValues>
        <KeyValue label={t('accountName')} copy={item.accountName} of={of}>
          {item.accountName}
        </KeyValue>
        <KeyValue label={t('bankName')}>{item.bankName}</KeyValue>
        <KeyValue label={t('accountNo')} copy={item.accountNo} of={of}>
          <AccountNumber value={item.accountNo} />
        </KeyValue>
        <KeyValue label={t('ifsc')} copy={item.ifsc} of={of}>
          {item.ifsc}
        </KeyValue>
        <KeyValue label={t('reference')} copy={item.reference} of={of}>
          {item.reference}
        </KeyValue>
      </KeyValues>
      <Note>{large ? t('upiTooLarge', { limit: formatRupees(upiLimit) }) : t('putReference')}</Note>
    </div>
  )
}

function UpiCode({ item }: { item: PaymentItem }) {
  const t = words.use()
  return (
    <div className="upi">
      <h3>{t('upi')}</h3>
      <Qr value={item.upi} label={t('upiCode', { amount: formatRupees(item.payableAmount) })} />
      <p className="hint">{t('upiScan')}</p>
      <p className="upi-id">
        {item.upiId}
        <CopyButton name={`${t('upiId')}, ${paymentKind(t, item.paymentFor)}`} value={item.upiId} />
      </p>
      <a className={buttonClass('secondary', 'open-app wide')} href={item.upi}>
        {t('upiOpen')}
      </a>
    </div>
  )
}
