import type { words } from './words.ts'

type T = ReturnType<typeof words.use>

export function feeName(t: T, paymentFor: string): string {
  if (paymentFor === 'Library Book Fee') return t('libraryFee')
  return t(paymentFor === 'Book Fee' ? 'bookFee' : 'registrationFee')
}
