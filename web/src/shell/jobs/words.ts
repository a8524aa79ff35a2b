import type en from '#words/en/jobs.json'
import { defineWords } from '../language/words.ts'

/** What is said of papers, certificates and letters that are made in the background. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/jobs.json'))
