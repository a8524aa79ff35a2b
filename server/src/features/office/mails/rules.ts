import type { MailKind } from '@podium/contract/office/words-mails'

/** A code or link in them has expired by the time a mail is given up, or has been replaced by a newer one. */
export const notAgain: readonly string[] = ['otp', 'reset', 'staff', 'invitation'] satisfies MailKind[]
