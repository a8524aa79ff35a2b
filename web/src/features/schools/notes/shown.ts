import { officeWaiting } from '@podium/contract/office/calls-overview'
import { schoolNotes } from '@podium/contract/schools/calls-notes'
import { officeSchool, officeSchoolHistory } from '@podium/contract/schools/calls-record'
import { officeSchools } from '@podium/contract/schools/calls-register'

/** Everything that shows notes or follow-ups: asked for anew after each change. */
export const shownOfNotes = [schoolNotes, officeSchool, officeSchoolHistory, officeSchools, officeWaiting]
