const day = 86_400_000

/** Kinds of data with their retention in days (docs/operations.md), in the order in which they are deleted. */
export const retentionDays = {
  /** One-time passwords, links and tickets, after they expire */
  tickets: 1,
  idempotency: 1,
  limits: 0,
  /** After they end */
  sessions: 30,
  /** Content of spreadsheets sent by schools; the row counts remain. Spreadsheets of a school import are deleted entirely */
  imports: 30,
  /** Lists and papers with students' names, meant to be downloaded within a day */
  prints: 2,
  /** Files for requests of a child's data */
  exports: 30,
  /** Texts of undeliverable e-mails; those of delivered ones are deleted at once */
  mails: 35,
  /** The record that an e-mail was sent */
  mailRecords: 365,
  jobs: 365,
  /** Parents' names, addresses and numbers, after the end of the season */
  contacts: 365,
  /** The office's notes on schools without an open follow-up */
  schoolNotes: 3 * 365,
  /** The activity log, except the next */
  changes: 365,
  /** The activity log of money, accounts, results and office users */
  moneyChanges: 8 * 365,
  /** Payment proofs and bank files */
  proofs: 8 * 365,
  /** Records of retention runs and deleted backups */
  runs: 365,
} as const

export type RetentionKind = keyof typeof retentionDays

export const retentionKinds = Object.keys(retentionDays) as RetentionKind[]

/** Audit lines kept for eight years: money, who could decide on it, certificates, and breaches. */
export const longRetainedActions = [
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

/** Data of this kind from before this instant is deleted. */
export const retentionStart = (now: Date, kind: RetentionKind): Date =>
  new Date(now.getTime() - retentionDays[kind] * day)
