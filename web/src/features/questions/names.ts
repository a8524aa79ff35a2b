import { className } from '@podium/contract/classes'
import { words } from './words.ts'

/** The letters in front of the four options. */
export const letters = ['A', 'B', 'C', 'D'] as const

/** Classes and chapters in the language of the page. */
export function useNames() {
  const t = words.use()
  return {
    classOf: (classId: number) => (classId <= 12 ? t('classNo', { n: classId }) : className(classId)),
  }
}
