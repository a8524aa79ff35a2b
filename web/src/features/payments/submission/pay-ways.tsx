import { formatRupees } from '@podium/contract/money'
import { type PaymentItem, upiLimit } from '@podium/contract/payments/calls'
import { buttonClass } from '#ui/button.tsx'
import { AccountNumber, CopyButton, KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Note } from '#ui/note.tsx'
import { Qr } from '#ui/qr.tsx'
import { words } from './words.ts'

/** Where to pay a fee: bank details to copy, and a UPI code for exactly the amount. The better way for it comes first. */
export function PayWays({ item }: { item: PaymentItem }) {
  const t = words.use()
  if (item.accountNo === '') return <Note kind="bad">{t('noAccount')}</Note>
  const large = item.payableAmount > upiLimit
  const bank = <BankDetails key="bank" item={item} large={large} />
  const upi = item.upi === '' ? null : <UpiCode key="upi" item={item} />
  if (upi === null) return <div className="way">{bank}</div>
  return <div className={large ? 'way' : 'way upi-first'}>{large ? [bank, upi] : [upi, bank]}</div>
}

/** The account that was paid to, folded: there is nothing to pay any more, so it has no code to scan. */
export function PaidTo({ item }: { item: PaymentItem }) {
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
  return (
    <div>
      <h3>{t('bankTransfer')}</h3>
      <KeyValues>
        <KeyValue label={t('accountName')} copy={item.accountName}>
          {item.accountName}
        </KeyValue>
        <KeyValue label={t('bankName')}>{item.bankName}</KeyValue>
        <KeyValue label={t('accountNo')} copy={item.accountNo}>
          <AccountNumber value={item.accountNo} />
        </KeyValue>
        <KeyValue label={t('ifsc')} copy={item.ifsc}>
          {item.ifsc}
        </KeyValue>
        <KeyValue label={t('reference')} copy={item.reference}>
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
        <CopyButton name={t('upiId')} value={item.upiId} />
      </p>
      <a className={buttonClass('secondary', 'open-app wide')} href={item.upi}>
        {t('upiOpen')}
      </a>
    </div>
  )
}
