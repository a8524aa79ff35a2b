const day = 86_400_000

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
