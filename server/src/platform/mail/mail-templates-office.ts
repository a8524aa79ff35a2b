import { formatDay, istDay, istTime } from '@podium/contract/season'
import { letter, type RenderedMail, type Sender } from './mail-templates.ts'

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

/** To every owner of the office, at each step of a change of where schools pay to. */
export function accountChangeMail(sender: Sender, mail: ChangedAccount): RenderedMail {
  const upi = mail.upiId === '' ? 'without a UPI id' : `UPI id ${mail.upiId}`
  const from = mail.validFrom
  const effect =
    mail.step === 'approved' && from
      ? `Schools see it from ${formatDay(istDay(from))}, ${istTime(from)}. Until then it can be stopped in the office.`
      : 'Schools see the account they saw before.'
  return letter(
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
