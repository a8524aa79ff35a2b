import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/ledger.json'

export function feeName(t: ReturnType<typeof words.use>, paymentFor: string): string {
  if (paymentFor === 'Library Book Fee') return t('libraryFee')
  return t(paymentFor === 'Book Fee' ? 'bookFee' : 'registrationFee')
}

/** Translations of the office's ledger pages: receipts, daily closing, credits, refunds and bank accounts. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/ledger.json'))
