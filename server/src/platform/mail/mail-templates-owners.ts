import { grouped } from '@podium/contract/grouped'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import { type AlarmName, alarms } from '../http/limits.ts'
import { letter, type RenderedMail, type Sender } from './mail-templates.ts'

/** What an officer has done that every owner is told of. Nothing in it is about a child. */
export type ToldToOwners =
  | { what: 'invited' | 'role'; person: string; role: string }
  | { what: 'off' | 'on' | 'second-factor'; person: string; reason: string }
  | { what: 'approved' | 'release-withdrawn' | 'next-level'; event: string }
  | { what: 'released'; event: string; at: Date }
  | { what: 'erased'; request: number }
  | { what: 'retention' | 'backup' }
  | { what: 'exported'; list: string; rows: number }
  | { what: 'mailing'; subject: string; schools: number }
  | { what: 'alarm'; alarm: AlarmName }

const alarmSentences: Readonly<Record<AlarmName, readonly [string, string]>> = {
  'one-time-passwords': [
    'Many one-time passwords leave the portal',
    `More than ${alarms['one-time-passwords'].points} one-time passwords were mailed within an hour. Perhaps many schools register now; perhaps somebody floods mailboxes.`,
  ],
  'family-guesses': [
    'Somebody may be guessing links of families',
    `More than ${alarms['family-guesses'].points} unknown links or wrong codes of families were tried within an hour.`,
  ],
  'sign-in-guesses': [
    'Somebody may be guessing passwords',
    `More than ${alarms['sign-in-guesses'].points} wrong passwords and codes were tried within an hour.`,
  ],
  'files-of-officer': [
    'Many files have left the portal',
    `has taken more than ${alarms['files-of-officer'].points} files along within an hour.`,
  ],
}

/** The subject of the mail, and what was done after the name of who has done it. */
function said(told: ToldToOwners): readonly [string, string] {
  switch (told.what) {
    case 'invited':
      return ['Somebody was invited to the office', `has invited ${told.person} as ${told.role}.`]
    case 'role':
      return ['A role in the office has changed', `has made ${told.person} ${told.role}.`]
    case 'off':
      return ['An office account is switched off', `has switched the account of ${told.person} off.`]
    case 'on':
      return ['An office account works again', `has switched the account of ${told.person} on again.`]
    case 'second-factor':
      return ['A second factor was taken back', `has taken the second factor of ${told.person} back.`]
    case 'approved':
      return ['Results are approved', `has approved the results of ${told.event}.`]
    case 'released': {
      const when = `${formatDay(istDay(told.at))}, ${istTime(told.at)}`
      return ['Results are released', `has released the results of ${told.event}, from ${when} on.`]
    }
    case 'release-withdrawn':
      return ['A release of results is taken back', `has taken the release of ${told.event} back.`]
    case 'next-level':
      return ['A list for the next level is approved', `has approved who is invited after ${told.event}.`]
    case 'erased':
      return ['A child’s data was erased', `has erased a child’s data as request no. ${told.request} asked.`]
    case 'retention':
      return ['Old data is being deleted', 'has had deleted what is older than it may get.']
    case 'backup':
      return ['A backup is being made', 'has asked for a backup of all data.']
    case 'exported':
      return [
        'A large list has left the portal',
        `has taken ${told.list} as a file: ${grouped(told.rows)} rows. Of more such files today by the same person you are not told again.`,
      ]
    case 'mailing':
      return [
        'An e-mail goes to many schools',
        `has sent an e-mail to ${grouped(told.schools)} schools: ${told.subject}`,
      ]
    case 'alarm':
      return alarmSentences[told.alarm]
  }
}

/** To every owner of the office, after an act that is hard to undo (confirm.ts). */
export function ownersMail(sender: Sender, name: string, by: string, told: ToldToOwners): RenderedMail {
  const [subject, done] = said(told)
  return letter(
    sender,
    'en',
    subject,
    name,
    `${by} ${done}`.trim(),
    'reason' in told ? `Reason: ${told.reason}` : '',
    by === ''
      ? 'Whoever runs the portal finds the addresses in its log, in lines with the field «security».'
      : `If this is not right, switch the account of ${by} off under «Staff and roles» in the office now. The record of changes says what else was done.`,
  )
}
