import { classCode, classes } from '@podium/contract/classes'
import { translateSentence } from '#shell/language/sentences.ts'
import { carryWords } from '../carry-over/words.ts'

/** `Class 7`, `Class 7 A`, in the language of the page. */
export function useWhere() {
  const t = carryWords.use()
  const name = (classId: number) =>
    classId < 13 ? t('className', { code: classCode(classId) }) : translateSentence(classCode(classId))
  const of = (classId: number, section: string) =>
    section === '-' ? name(classId) : `${name(classId)} ${section}`
  /** Of a class that an answer gives by its English name. */
  const named = (className: string, section: string) => {
    const known = classes.find((one) => one.className === className)
    return known ? of(known.classId, section) : className
  }
  return { name, of, named }
}
