import { refusals } from '../refusals.ts'

/** Errors of the calls about results; part of errors.ts. */
export const resultErrors = {
  ...refusals(400, {
    'results.reason_missing': 'Schools have seen a version of these results. Please say why it is corrected.',
    'results.corrections': 'Some of these rows cannot be accepted.',
    'results.release_past': 'This time is in the past. Please choose a later one.',
    'results.early_marks': 'Exams of this event are still to come. Please say why you import marks already.',
    'results.early_release':
      'This is before the day from which schools expect results. Please say why they are released earlier.',
    'results.columns': 'The columns of this file are not those of the event.',
    'results.rules_unfit': 'These rules do not fit the event.',
    'next_level.day_past': 'This day is in the past. Please choose a later one.',
  }),
  ...refusals(403, {
    'results.same_person':
      'You imported, checked or computed this version, or set its rules, so someone else must approve it.',
    'next_level.same_person': 'You created or changed this list, so someone else must approve it.',
  }),
  ...refusals(409, {
    'results.wrong_state': 'This version is not in the right state for that. The latest state is shown.',
    'results.import_running': 'A file of marks is already being read. Please wait until it is done.',
    'results.scheduled': 'A version is waiting for its release. Please cancel the release first.',
    'results.nothing_out':
      'Schools have not seen results of this event yet. Please import a file of marks instead.',
    'results.anomalies_open': 'Please check some rows of the file first, and resolve what is blocking.',
    'results.anomalies_kept':
      'This version is approved, so decisions on its rows stay. Correct mistakes with a new version.',
    'results.exams_to_come':
      'Exams of this event are still to come. Results are approved and released after the last exam date.',
    'results.rules_changed': 'The rules of the event have changed since. Please compute this version again.',
    'results.attendance_changed':
      'Schools have entered attendance since that contradicts the marks. Please compute this version again.',
    'results.places_changed':
      'A school in these results has another state or zone since. Please compute this version again.',
    'results.places_scheduled':
      'Results with the previous state or zone are waiting for their release. Please cancel that release first.',
    'results.papers_open':
      'The papers of the two dates differ. Please decide first whether the marks stay as they are.',
    'results.papers_alike': 'There is nothing to decide: the papers do not differ, or it has been decided.',
    'results.not_computed': 'This version has not been computed yet.',
    'results.preview_over': 'Schools already see this version. The preview only shows unreleased versions.',
    'results.not_approved': 'This version has not been approved yet.',
    'results.not_scheduled': 'No release is scheduled, or the results are already out.',
    'results.no_certificates': 'There is no one in this list to make a certificate for.',
    'results.too_many_certificates': 'One file holds up to 150 certificates. Please choose a class.',
    'results.too_many_bulk':
      'At most 20,000 certificates are made at once. Please choose a state, a school or a class.',
    'results.certificates_old':
      'These results have been corrected or withheld since. Please make the certificates again.',
    'results.absent': 'No certificate and no result page: the student was absent.',
    'next_level.nothing_out': 'Invitations follow the release of the results.',
    'next_level.leads_nowhere': 'This event has no further level.',
    'next_level.made': 'This event already has a list. It is shown now.',
    'next_level.no_list': 'This event has no list yet. Please make it first.',
    'next_level.no_difference': 'The list already matches the released results.',
    'next_level.sending': 'The schools are being e-mailed. Please wait until that is done.',
    'next_level.approved': 'This list is already approved.',
    'next_level.nothing_new': 'The schools already know the whole list.',
    'next_level.not_approved': 'A second person must approve this list before schools get it.',
    'next_level.corrected': 'The results were corrected. Please update this list first.',
    'next_level.nobody_open': 'All schools have answered, or were reminded within a day.',
    'next_level.absent': 'This student was absent.',
    'next_level.listed': 'This student is already on the list.',
    'next_level.closed': 'The deadline for answers is over. Please call the foundation.',
  }),
}
