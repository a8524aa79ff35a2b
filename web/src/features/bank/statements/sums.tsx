import type { bankLines } from '@podium/contract/bank/calls'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import { words } from './words.ts'

/** What has arrived = what was booked + credit + discarded + open, as a bar and in figures. */
export function Sums({ sums }: { sums: AnswerOf<typeof bankLines>['sums'] }) {
  const t = words.use()
  const parts = [
    ['booked', t('toPayments')],
    ['credited', t('toCredit')],
    ['discarded', t('toNobody')],
    ['open', t('stillOpen')],
  ] as const
  return (
    <section className="bank-sums" aria-label={t('sums')}>
      <div className="bar" aria-hidden="true">
        {parts.map(([key]) => (
          <i key={key} className={key} style={{ flexGrow: sums[key] }} />
        ))}
      </div>
      <dl>
        <div>
          <dt>{t('allLines')}</dt>
          <dd>{formatRupees(sums.all)}</dd>
        </div>
        {parts.map(([key, label]) => (
          <div key={key}>
            <dt className={key}>{label}</dt>
            <dd>{formatRupees(sums[key])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
