import { formatRupees, paise, rupees } from '@podium/contract/money'
import { lateFeeOf, type PricedChoice, type StudentFee } from '@podium/contract/students/rules-fee'
import { Figure, Sums } from '#ui/money-sum.tsx'
import { words } from './words.ts'
import { lateWords } from './words-late.ts'

const nothing: StudentFee = {
  regAmount: paise(0),
  schoolExpenses: paise(0),
  bookAmount: paise(0),
  bookSchoolExpenses: paise(0),
}

/** What is collected, what the school keeps of it and what is payable, from the one fee function. */
export function StudentSums({ priced }: { priced?: PricedChoice | undefined }) {
  const t = words.use()
  const l = lateWords.use()
  const fee = priced?.fee ?? nothing
  const late = priced ? rupees(lateFeeOf(priced)) : 0
  const kept = rupees(fee.schoolExpenses) + rupees(fee.bookSchoolExpenses)
  const registration = rupees(fee.regAmount)
  const books = rupees(fee.bookAmount)
  return (
    <Sums>
      <Figure label={t('registration')}>{formatRupees(registration)}</Figure>
      {late > 0 && <Figure label={l('line')}>{formatRupees(late)}</Figure>}
      <Figure label={t('books')}>{formatRupees(books)}</Figure>
      <Figure label={t('keeps')}>
        {kept > 0 && '−'}
        {formatRupees(kept)}
      </Figure>
      <Figure label={t('payable')} className="pay">
        {formatRupees(registration + books - kept)}
      </Figure>
    </Sums>
  )
}
