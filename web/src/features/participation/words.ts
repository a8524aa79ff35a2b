import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/participation.json'

/** The words of Student Report, Student summary and Upload Form. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/participation.json'))
