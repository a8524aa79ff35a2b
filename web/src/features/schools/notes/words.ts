import { officeWaiting } from '@podium/contract/office/calls-overview'
import { officeSchool, officeSchoolHistory, schoolNotes } from '@podium/contract/schools/calls-record'
import { officeSchools } from '@podium/contract/schools/calls-register'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-notes.json'

/** The words of a school's notes and e-mails in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-notes.json'))

/** Everything that shows notes or follow-ups: refetched after each change. */
export const noteCalls = [schoolNotes, officeSchool, officeSchoolHistory, officeSchools, officeWaiting]
