import * as z from 'zod/mini'
import { optionalText, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { isDay } from '../season.ts'

export const noticeAudiences = ['all', 'state', 'school'] as const

const day = (required: string) => z.string(required).check(z.refine(isDay, required))

const fields = {
  title: text(messages.noticeTitleRequired, 120),
  text: text(messages.noticeTextRequired, 2000),
  titleHi: optionalText(120),
  textHi: optionalText(2000),
  important: z.boolean(),
  audience: z.enum(noticeAudiences, messages.noticeAudienceRequired),
  /** Names of states, for `state` */
  states: z._default(z.array(z.string().check(z.maxLength(60))).check(z.maxLength(40)), []),
  /** Code of the school, for `school` */
  schCode: optionalText(20),
  from: day(messages.noticeFromRequired),
  until: day(messages.noticeUntilRequired),
}

type NoticeForm = z.output<z.ZodMiniObject<typeof fields>>

/** Rules between the fields, each with the field its error is shown under. */
export const noticeRules: ReadonlyArray<{
  field: keyof NoticeForm
  message: string
  holds: (notice: NoticeForm) => boolean
}> = [
  {
    field: 'titleHi',
    message: messages.noticeHindiPair,
    holds: ({ titleHi, textHi }) => titleHi !== '' || textHi === '',
  },
  {
    field: 'textHi',
    message: messages.noticeHindiPair,
    holds: ({ titleHi, textHi }) => textHi !== '' || titleHi === '',
  },
  {
    field: 'states',
    message: messages.noticeStateRequired,
    holds: ({ audience, states }) => audience !== 'state' || states.length > 0,
  },
  {
    field: 'schCode',
    message: messages.noticeSchoolRequired,
    holds: ({ audience, schCode }) => audience !== 'school' || schCode !== '',
  },
  { field: 'until', message: messages.noticeUntilEarly, holds: ({ from, until }) => from <= until },
]

/** The fields of the office's dialog. */
export const noticeFields = z.strictObject(fields)
export type NoticeFields = z.output<typeof noticeFields>
