import { classCode } from '@podium/contract/classes'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-entry.json'

/** The words of the students' list and the student dialog; the specification's own where it has them. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/students-entry.json'))

/** `Class 7`, `LKG`, in the language of the page. */
export function useClassName(): (classId: number) => string {
  const t = words.use()
  return (classId) =>
    classId < 13 ? t('className', { code: classCode(classId) }) : translateSentence(classCode(classId))
}

/** Returns `7 A` or `LKG A`; just the class if there is no section. */
export function classAndSection(classId: number, section: string): string {
  const code = translateSentence(classCode(classId))
  return section === '-' || section === '' ? code : `${code} ${section}`
}
