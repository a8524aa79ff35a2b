import { letter, type RenderedMail, type Sender } from './mail-templates.ts'

/** To somebody of the office: the link with which the password is set. `days` is how long it works. */
export function staffLinkMail(
  sender: Sender,
  mail: { name: string; invited: boolean; role: string; link: string; days: number },
): RenderedMail {
  return letter(
    sender,
    'en',
    mail.invited ? `Your account in the office of ${sender.foundation}` : 'Set a new password for the office',
    mail.name,
    mail.invited
      ? `You are invited to the office of ${sender.foundation}, as ${mail.role}.`
      : 'A new password was requested for you in the office.',
    `Set your password here:\n\n${mail.link}`,
    `The link works for ${mail.days} days, and once.`,
    mail.invited
      ? 'At your first sign-in you set up an authenticator app on your phone. Please have it at hand.'
      : 'If you did not ask for it, please tell an owner of the office.',
  )
}

/** After something of somebody's office account was changed by an owner. */
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
  const said = {
    role: [
      'Your role in the office has changed',
      `${mail.by} has made you ${mail.role}. Please sign in again.`,
    ],
    off: ['Your office account was deactivated', `${mail.by} has deactivated your account in the office.`],
    on: ['Your office account was reactivated', `${mail.by} has reactivated your account in the office.`],
    'second-factor': [
      'Your two-step verification was reset',
      `${mail.by} has reset the two-step verification of your office account. You set up a new one at your next sign-in.`,
    ],
  } as const
  const [subject, text] = said[mail.what]
  return letter(
    sender,
    'en',
    subject,
    mail.name,
    text,
    mail.reason === '' ? '' : `Reason: ${mail.reason}`,
    'If this is not right, please tell an owner of the office at once.',
  )
}
