const hour = 3_600_000
const day = 24 * hour

/** How many days a backup is kept: what was erased has left the last of them after that. */
export const backupDays = 35

/** After so long without a backup the office is warned. */
const backupLateAfter = 36 * hour

export function backupIsLate(now: Date, last: Date | undefined): boolean {
  return last === undefined || now.getTime() - last.getTime() > backupLateAfter
}

const istOffset = 5.5 * hour

/** The next time that it is so late in India, in the quiet of the night. */
export function nextNight(now: Date, hours: number, minutes: number): Date {
  const midnight = Math.floor((now.getTime() + istOffset) / day) * day - istOffset
  const today = midnight + hours * hour + minutes * 60_000
  return new Date(today > now.getTime() ? today : today + day)
}

/** Kinds of data with the days they are kept (docs/operations.md), in the order in which they go. */
export const retentionDays = {
  /** One-time passwords, links and proofs of a moment: after their end */
  tickets: 1,
  idempotency: 1,
  limits: 0,
  /** After their end */
  sessions: 30,
  /** Content of spreadsheets that schools have sent; what stays says how many rows there were. Sheets of schools whole */
  imports: 30,
  /** Lists and papers with children's names, made to be fetched within a day */
  prints: 2,
  /** Files made for somebody who asked for a child's data */
  exports: 30,
  /** Mails that could not be delivered; the text of delivered ones goes at once */
  mails: 35,
  /** The record that a mail was sent */
  mailRecords: 365,
  jobs: 365,
  /** Parents' names, addresses and numbers: after the end of the season */
  contacts: 365,
  /** Notes of the office on schools, once there is nothing to follow up */
  schoolNotes: 3 * 365,
  /** The record of changes without what follows */
  changes: 365,
  /** The record of changes of money, accounts, results and the office's people */
  moneyChanges: 8 * 365,
  /** Proofs of payments: pictures and files of banks */
  proofs: 8 * 365,
  /** Notes about runs like this one and backups that are gone */
  runs: 365,
} as const
export type RetentionKind = keyof typeof retentionDays
export const retentionKinds = Object.keys(retentionDays) as RetentionKind[]

/** Records of changes that are kept for eight years: money, who could decide about it, what was certified, and breaches. */
export const keptLong = [
  'payment',
  'bank-line',
  'bank-statement',
  'credit',
  'refund',
  'account-change',
  'money-day',
  'library-line',
  'waiver',
  'staff',
  'incident',
  'result',
  'result_set',
  'data_request',
]

/** From before when a kind of data goes. */
export const keptUntil = (now: Date, kind: RetentionKind): Date =>
  new Date(now.getTime() - retentionDays[kind] * day)

export const retentionJob = 'retention'
export const backupJob = 'backup'
/** The same by themselves; one of each waits for its night. */
export const nightlyRetention = 'retention.night'
export const nightlyBackup = 'backup.night'
