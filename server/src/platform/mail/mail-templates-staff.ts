import { formatNumber } from '@podium/contract/figures'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import { type AlarmName, alarms } from '../http/limits.ts'
import { type RenderedMail, renderMail, type Sender } from './mail-templates.ts'

/** To a member of the office's staff, with the link to set a password. `days` is how long the link works. */
export function staffLinkMail(
  sender: Sender,
  mail: { name: string; invited: boolean; role: string; link: string; days: number },
): RenderedMail {
  return renderMail(
    sender,
    'en',
    mail.invited ? `Your account in the office of ${sender.foundation}` : 'Set a new password for the office',
    mail.name,
    mail.invited
      ? `You are invited to the office of ${sender.foundation}, as ${mail.role}.`
      : 'A new password was requested for you in the office.',
    `Set your password here:\n\n${mail.link}`,
    `The link works once, within ${mail.days} days.`,
    mail.invited
      ? 'At your first sign-in you set up an authenticator app on your phone. Please have it at hand.'
      : 'If you did not ask for it, please tell an owner of the office.',
  )
}

/** After an owner has changed a person's office account. */
export function staffChangedMail(
  sender: Sender,
  mail: {
    name: string
    what: 'role' | 'off' | 'on' | 'second-factor'
    role: string
    reason: string
    by: string
  },
): RenderedMail {
  const texts = {
    role: [
      'Your role in the office has changed',
      `${mail.by} has made you ${mail.role}. Please sign in again.`,
    ],
    off: ['Your office account was deactivated', `${mail.by} has deactivated your account in the office.`],
    on: ['Your office account was reactivated', `${mail.by} has reactivated your account in the office.`],
    'second-factor': [
      'Your two-step verification was reset',
      `${mail.by} has reset the two-step verification of your office account. You will set up a new one at your next sign-in.`,
    ],
  } as const
  const [subject, text] = texts[mail.what]
  return renderMail(
    sender,
    'en',
    subject,
    mail.name,
    text,
    mail.reason === '' ? '' : `Reason: ${mail.reason}`,
    'If this is not right, please tell an owner of the office at once.',
  )
}

export type AccountStep = 'proposed' | 'approved' | 'rejected' | 'stopped'

interface ChangedAccount {
  name: string
  step: AccountStep
  /** Who took the step */
  by: string
  /** `registration fees`, `books` */
  purpose: string
  accountNo: string
  ifsc: string
  upiId: string
  reason: string
  validFrom: Date | null
}

const titles: Readonly<Record<AccountStep, string>> = {
  proposed: 'A change of the bank account is proposed',
  approved: 'A change of the bank account is approved',
  rejected: 'A change of the bank account is rejected',
  stopped: 'A change of the bank account is stopped',
}

/** To all owners of the office, at each step of a change to the account schools pay into. */
export function accountChangeMail(sender: Sender, mail: ChangedAccount): RenderedMail {
  const upi = mail.upiId === '' ? 'without a UPI id' : `UPI id ${mail.upiId}`
  const from = mail.validFrom
  const effect =
    mail.step === 'approved' && from
      ? `Schools see it from ${formatDay(istDay(from))}, ${istTime(from)}. Until then it can be stopped in the office.`
      : 'Schools still see the previous account.'
  return renderMail(
    sender,
    'en',
    titles[mail.step],
    mail.name,
    `${mail.by} has ${mail.step} this for ${mail.purpose}: account ${mail.accountNo}, IFSC ${mail.ifsc}, ${upi}.`,
    mail.reason === '' ? '' : `Reason: ${mail.reason}`,
    effect,
    'If you do not know of this, open Settings → Bank accounts in the office now.',
  )
}

/** Officers' actions that all owners are notified of. None contains data about a student. */
export type OwnerNotification =
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
    `More than ${alarms['one-time-passwords'].points} one-time passwords were e-mailed within an hour. Many schools may be registering, or someone may be flooding mailboxes.`,
  ],
  'family-guesses': [
    'Someone may be guessing family links',
    `More than ${alarms['family-guesses'].points} unknown family links or wrong codes were tried within an hour.`,
  ],
  'sign-in-guesses': [
    'Someone may be guessing passwords',
    `More than ${alarms['sign-in-guesses'].points} wrong passwords and codes were tried within an hour.`,
  ],
  'files-of-officer': [
    'Many files have left the portal',
    `has downloaded more than ${alarms['files-of-officer'].points} files within an hour.`,
  ],
}

/** Returns the mail's subject, and what was done, to follow the name of the person who did it. */
function describe(notification: OwnerNotification): readonly [string, string] {
  switch (notification.what) {
    case 'invited':
      return [
        'A user was invited to the office',
        `has invited ${notification.person} as ${notification.role}.`,
      ]
    case 'role':
      return ['A role in the office has changed', `has made ${notification.person} ${notification.role}.`]
    case 'off':
      return ['An office account was deactivated', `has deactivated the account of ${notification.person}.`]
    case 'on':
      return ['An office account was reactivated', `has reactivated the account of ${notification.person}.`]
    case 'second-factor':
      return [
        'Two-step verification was reset',
        `has reset the two-step verification of ${notification.person}.`,
      ]
    case 'approved':
      return ['Results were approved', `has approved the results of ${notification.event}.`]
    case 'released': {
      const when = `${formatDay(istDay(notification.at))}, ${istTime(notification.at)}`
      return ['Results were released', `has released the results of ${notification.event}, from ${when} on.`]
    }
    case 'release-withdrawn':
      return ['A release of results was cancelled', `has cancelled the release of ${notification.event}.`]
    case 'next-level':
      return ['A level 2 list was approved', `has approved who is invited after ${notification.event}.`]
    case 'erased':
      return [
        'A student’s data was erased',
        `has erased a student’s data, as asked in request no. ${notification.request}.`,
      ]
    case 'retention':
      return ['Old data is being deleted', 'has started the deletion of data whose time is over.']
    case 'backup':
      return ['A backup was started', 'has started a backup of all data.']
    case 'exported':
      return [
        'A large list has left the portal',
        `has exported ${notification.list}: ${formatNumber(notification.rows)} rows. You will get no more e-mails today about files that the same person exports.`,
      ]
    case 'mailing':
      return [
        'An e-mail goes to many schools',
        `has sent an e-mail to ${formatNumber(notification.schools)} schools: ${notification.subject}`,
      ]
    case 'alarm':
      return alarmSentences[notification.alarm]
  }
}

/** To all owners of the office, after an action that is hard to undo (policy.ts). */
export function ownersMail(
  sender: Sender,
  name: string,
  by: string,
  notification: OwnerNotification,
): RenderedMail {
  const [subject, text] = describe(notification)
  return renderMail(
    sender,
    'en',
    subject,
    name,
    `${by} ${text}`.trim(),
    'reason' in notification ? `Reason: ${notification.reason}` : '',
    by === ''
      ? 'Whoever runs the portal finds the addresses in its log, in lines with the field “security”.'
      : `If this is not right, deactivate the account of ${by} under Settings → Staff in the office now. The activity log shows what else was done.`,
  )
}
