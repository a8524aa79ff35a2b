import type en from '#words/en/late.json'
import { defineWords } from '../language/words.ts'

/** What schools are told of late fees wherever fees arise. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/late.json'))
