import type { MergeField } from '@podium/contract/schools/calls-merge'

/** The two schools of a merge by their ids. */
export interface Pair {
  readonly target: number
  readonly source: number
}

/**
 * Every column that refers to a school, and what a merge does with it. `moves`: its rows move to the remaining school, after
 * clashes are resolved (commands-settle.ts). `counted`: figures that are recounted. `stays`: a historical record. A test
 * compares this list with the database, so that new columns are added here.
 */
export const schoolColumns = {
  'students.school_id': 'moves',
  'participations.school_id': 'moves',
  'enrolments.school_id': 'moves',
  'book_choices.school_id': 'moves',
  'applications.school_id': 'moves',
  'bank_lines.guess_school_id': 'moves',
  'consents.school_id': 'moves',
  'contacts.school_id': 'moves',
  'coordinator_offers.school_id': 'moves',
  'data_requests.school_id': 'moves',
  'family_links.school_id': 'moves',
  'files.school_id': 'moves',
  'import_mappings.school_id': 'moves',
  'jobs.school_id': 'moves',
  'library_lines.school_id': 'moves',
  'next_level_invitations.school_id': 'moves',
  'notice_reads.school_id': 'moves',
  'notices.school_id': 'moves',
  'outbox.school_id': 'moves',
  'packets.school_id': 'moves',
  'payments.school_id': 'moves',
  'refunds.school_id': 'moves',
  'result_holds.school_id': 'moves',
  'result_marks.school_id': 'moves',
  'results.school_id': 'moves',
  'school_credits.school_id': 'moves',
  'school_departures.school_id': 'moves',
  'school_import_rows.school_id': 'moves',
  'school_invitations.school_id': 'moves',
  'school_links.school_id': 'moves',
  'school_notes.school_id': 'moves',
  'school_reminders.school_id': 'moves',
  'acting_sessions.school_id': 'moves',
  'schools.merged_into': 'moves',
  'student_imports.school_id': 'moves',
  'student_moves.from_school': 'moves',
  'student_moves.to_school': 'moves',
  'teacher_questions.school_id': 'moves',
  'users.school_id': 'moves',
  'waivers.school_id': 'moves',
  // Schools to recount: the rows moved before have marked them.
  'dispatch_stale.school_id': 'moves',
  'ledger_stale.school_id': 'moves',
  'dispatch_needs.school_id': 'counted',
  'dispatch_parts.school_id': 'counted',
  'dispatch_sums.school_id': 'counted',
  'result_lists.school_id': 'counted',
  'school_figures.school_id': 'counted',
  'event_school_figures.school_id': 'counted',
  'school_ledgers.school_id': 'counted',
  'school_steps.school_id': 'counted',
  // Old lines stay unchanged; the remaining school's history includes them.
  'audit.school_id': 'stays',
  'school_credits.first_school': 'stays',
  'school_links.came_from': 'stays',
  'school_mailing_schools.school_id': 'stays',
  'school_merges.from_school': 'stays',
  'school_merges.to_school': 'stays',
} as const satisfies Record<string, 'moves' | 'counted' | 'stays'>

/** The columns of one kind as table and column, in list order: students before what depends on them. */
export function mergeColumns(fate: 'moves' | 'counted'): { table: string; column: string }[] {
  return Object.entries(schoolColumns)
    .filter(([, is]) => is === fate)
    .map(([name]) => {
      const [table = '', column = ''] = name.split('.')
      return { table, column }
    })
}

/** The columns behind the office's names of a school's details. */
export const columnOf = {
  schName: 'name',
  schAddress: 'address',
  city: 'city',
  district: 'district',
  state: 'state',
  country: 'country',
  pinCode: 'pin_code',
  mobile: 'phone',
  whatsAppNo: 'whatsapp',
  landLineNo: 'landline',
  schFaxNo: 'fax',
  schEmail: 'email',
  schWebSite: 'website',
  udiseCode: 'udise_code',
  affiliationNo: 'affiliation_no',
  schGroupId: 'group_id',
} as const satisfies Record<MergeField, string>
