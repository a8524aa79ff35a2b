import { classCode } from '@podium/contract/classes'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-lists.json'

/** The words of Student Report, Student summary and Upload Form. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/students-lists.json'))

/** One figure of a summary: a class in a subject. */
export interface Figure {
  season: string
  subjectName: string
  eventLetter: string
  classId: number
}

/** `Class 7`, `LKG`, in the language of the page. */
export function useClassName(): (classId: number) => string {
  const t = words.use()
  return (classId) =>
    classId < 13 ? t('className', { code: classCode(classId) }) : translateSentence(classCode(classId))
}

/** Returns `A`, or a dash if there is no section. */
export const sectionText = (section: string) => (section === '-' || section === '' ? '–' : section)
