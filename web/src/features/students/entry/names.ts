import { classCode } from '@podium/contract/classes'
import { translateSentence } from '#shell/language/sentences.ts'
import { words } from './words.ts'

/** `Class 7`, `LKG`, in the language of the page. */
export function useClassName(): (classId: number) => string {
  const t = words.use()
  return (classId) =>
    classId < 13 ? t('className', { code: classCode(classId) }) : translateSentence(classCode(classId))
}

/** `7 A`, `LKG A`; without a section where there is none. */
export function classAndSection(classId: number, section: string): string {
  const code = translateSentence(classCode(classId))
  return section === '-' || section === '' ? code : `${code} ${section}`
}
