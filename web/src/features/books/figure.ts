import { bookKindOf } from '@podium/contract/books/calls'
import { classCode } from '@podium/contract/classes'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/books.json'

/** The words of Book order, Book summary and the dialog behind its figures. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/books.json'))

/** One figure of the summary: a kind of book in a subject and class. */
export interface Figure {
  season: string
  subjectName: string
  classId: number
  bookCategory: string
}

/** Returns functions that name a class (`Class 7`, `LKG`) and a category, in the language of the page. */
export function useNames() {
  const t = words.use()
  return {
    ofClass: (classId: number) =>
      classId < 13 ? t('className', { code: classCode(classId) }) : translateSentence(classCode(classId)),
    ofCategory: (category: string) => {
      const kind = bookKindOf(category)
      return kind ? t(kind) : category
    },
  }
}
