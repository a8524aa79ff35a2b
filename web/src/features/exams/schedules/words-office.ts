import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/exams-schedules-office.json'

/** The words of the office's schedules of online olympiads. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-schedules-office.json'))
