import type { OfficeEventRow } from '@podium/contract/catalogue/calls-events'
import { formatRupees } from '@podium/contract/money'
import { dayText } from '#shell/format.tsx'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/catalogue-late.json'

/** The words of late fees in the office. */
export const lateWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-late.json'))

/** Returns `₹50 from 25-Nov-2026`, or that there is none. */
export function useLateText(): (event: Pick<OfficeEventRow, 'lateFrom' | 'lateFee'>) => string {
  const t = lateWords.use()
  return ({ lateFrom, lateFee }) =>
    lateFrom === '' ? t('none') : t('rule', { fee: formatRupees(lateFee), day: dayText(lateFrom) })
}
