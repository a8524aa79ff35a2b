/** How a call about results refuses; a part of errors.ts. */
export const resultErrors = {
  // Results
  'results.wrong_state': {
    status: 409,
    sentence: 'This version is not in the right state for that. The latest state is shown.',
  },
  'results.import_running': {
    status: 409,
    sentence: 'A file of marks is already being read. Please wait until it is done.',
  },
  'results.scheduled': {
    status: 409,
    sentence: 'A version is waiting for its release. Cancel the release before you import another file.',
  },
  'results.reason_missing': {
    status: 400,
    sentence: 'Schools have seen a version of these results. Please say why it is corrected.',
  },
  'results.nothing_out': {
    status: 409,
    sentence: 'Schools have not seen results of this event yet. Please import a file of marks instead.',
  },
  'results.corrections': { status: 400, sentence: 'Some of these rows cannot be accepted.' },
  'results.release_past': { status: 400, sentence: 'This time is in the past. Please choose a later one.' },
  'results.anomalies_open': {
    status: 409,
    sentence: 'Please check some rows of the file first, and resolve what is blocking.',
  },
  'results.anomalies_kept': {
    status: 409,
    sentence: 'This version is approved, so decisions on its rows stay. Correct mistakes with a new version.',
  },
  'results.exams_to_come': {
    status: 409,
    sentence:
      'Exams of this event are still to come. Results are approved and released after the last exam date.',
  },
  'results.early_marks': {
    status: 400,
    sentence: 'Exams of this event are still to come. Please say why you import marks already.',
  },
  'results.early_release': {
    status: 400,
    sentence:
      'This is before the day from which schools expect results. Please say why they are released earlier.',
  },
  'results.same_person': {
    status: 403,
    sentence:
      'Access Denied: someone else has to approve, because you imported, judged or computed this version.',
  },
  'results.rules_changed': {
    status: 409,
    sentence: 'The rules of the event have changed since. Please compute this version again.',
  },
  'results.papers_open': {
    status: 409,
    sentence: 'The papers of the two dates differ. Please decide first whether the marks stay as they are.',
  },
  'results.papers_alike': {
    status: 409,
    sentence: 'There is nothing to decide: the papers do not differ, or it has been decided.',
  },
  'results.not_computed': { status: 409, sentence: 'This version has not been computed yet.' },
  'results.preview_over': {
    status: 409,
    sentence: 'Schools already see this version. The preview only shows unreleased versions.',
  },
  'results.not_approved': { status: 409, sentence: 'This version has not been approved yet.' },
  'results.not_scheduled': {
    status: 409,
    sentence: 'No release is scheduled, or the results are already out.',
  },
  'results.columns': { status: 400, sentence: 'The columns of this file are not those of the event.' },
  'results.rules_unfit': { status: 400, sentence: 'These rules do not fit the event.' },
  'results.no_certificates': {
    status: 409,
    sentence: 'There is no one in this list to make a certificate for.',
  },
  'results.too_many_certificates': {
    status: 409,
    sentence: 'One file holds up to 150 certificates. Please choose a class.',
  },
  'results.too_many_bulk': {
    status: 409,
    sentence: 'At most 20,000 certificates are made at once. Please choose a state, a school or a class.',
  },
  'results.certificates_old': {
    status: 409,
    sentence: 'These results have been corrected since. Please make the certificates again.',
  },
  'results.absent': {
    status: 409,
    sentence: 'No certificate and no result page: the student was absent.',
  },
  // The way to the next level
  'next_level.nothing_out': {
    status: 409,
    sentence: 'Schools have not seen results of this event yet. Invitations follow their release.',
  },
  'next_level.leads_nowhere': { status: 409, sentence: 'This event has no further level.' },
  'next_level.made': { status: 409, sentence: 'This event already has a list. It is shown now.' },
  'next_level.no_list': {
    status: 409,
    sentence: 'This event has no list yet. Please make it first.',
  },
  'next_level.no_difference': {
    status: 409,
    sentence: 'The list already matches the released results.',
  },
  'next_level.sending': {
    status: 409,
    sentence: 'The schools are being e-mailed. Please wait until that is done.',
  },
  'next_level.day_past': {
    status: 400,
    sentence: 'This day is in the past. Please choose a later one.',
  },
  'next_level.approved': { status: 409, sentence: 'This list is already approved.' },
  'next_level.nothing_new': { status: 409, sentence: 'The schools already know the whole list.' },
  'next_level.same_person': {
    status: 403,
    sentence: 'Access Denied: someone else has to approve, because you made or changed this list.',
  },
  'next_level.not_approved': {
    status: 409,
    sentence: 'A second person has to approve this list before schools get it.',
  },
  'next_level.nobody_open': {
    status: 409,
    sentence: 'There is no school to remind: all have answered, or were reminded within a day.',
  },
  'next_level.absent': {
    status: 409,
    sentence: 'This student was absent, so there is no result to invite by.',
  },
  'next_level.listed': { status: 409, sentence: 'This student is already on the list.' },
  'next_level.closed': {
    status: 409,
    sentence: 'The deadline for answers is over. Please call the foundation.',
  },
} as const
