import { plain } from './words.ts'

/** Kinds of records in English. */
export const en = {
  ...plain(
    'application backup bank_line bank_statement contact courier credit data_request dispatch',
    'exam_papers foundation incident invitation list_entry mail mail_text next_level notice packet',
    'packets payment receipts refund result school schools season student students waiver',
  ),
  account_change: 'Change of bank account',
  changes: 'Record of changes',
  event: 'Rules of an olympiad',
  event_terms: 'Olympiad',
  import: 'Import of students',
  job: 'Long work',
  ledger: 'Ledger of schools',
  library_line: 'Library book',
  money_day: 'Day of money',
  nudge: 'Reminder',
  participation: 'List of a school',
  question: 'Teacher question',
  result_set: 'Results',
  retention: 'Deletion of old data',
  schedule: 'Online schedule',
  slot: 'Exam slot',
  staff: 'Colleague',
  user: 'Account of a school',
  view: 'Saved view',
  visit: 'Visit to the portal',
}
