import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/exams-attendance-school.json'

/** The words of the school's page of attendance. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-attendance-school.json'))
