/** How a call about results refuses; a part of errors.ts. */
export const resultErrors = {
  // Results
  'results.wrong_state': {
    status: 409,
    sentence: 'This version is not in the state for that. The latest state is shown.',
  },
  'results.import_running': {
    status: 409,
    sentence: 'A file of marks is being read already. Please wait until it is done.',
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
    sentence: 'Schools have seen nothing of this event yet. Please import a file of marks instead.',
  },
  'results.corrections': { status: 400, sentence: 'Some of these rows can not be taken.' },
  'results.release_past': { status: 400, sentence: 'This time is over. Please choose one that is to come.' },
  'results.anomalies_open': {
    status: 409,
    sentence: 'Some rows of the file must be looked at first: resolve what is blocking.',
  },
  'results.anomalies_kept': {
    status: 409,
    sentence:
      'This version is approved: what was decided about its rows stays. What is wrong is corrected by a new version.',
  },
  'results.exams_to_come': {
    status: 409,
    sentence:
      'Exams of this event are still to come. Results are approved and released after the last exam date.',
  },
  'results.early_marks': {
    status: 400,
    sentence: 'Exams of this event are still to come. Please say why marks are imported already.',
  },
  'results.early_release': {
    status: 400,
    sentence:
      'This is before the day from which schools expect results. Please say why they are released earlier.',
  },
  'results.same_person': {
    status: 403,
    sentence:
      'Access Denied: somebody else has to approve, because you have imported, judged or computed this version.',
  },
  'results.rules_changed': {
    status: 409,
    sentence: 'The rules of the event have changed since. Please compute this version again.',
  },
  'results.papers_open': {
    status: 409,
    sentence:
      'The papers of the two dates differ. Somebody has to decide first whether the marks stand as they are.',
  },
  'results.papers_alike': {
    status: 409,
    sentence: 'There is nothing to decide: the papers do not differ, or it has been decided.',
  },
  'results.not_computed': { status: 409, sentence: 'This version has not been computed yet.' },
  'results.preview_over': {
    status: 409,
    sentence: 'Schools see this version already. The preview shows what is not released.',
  },
  'results.not_approved': { status: 409, sentence: 'This version has not been approved yet.' },
  'results.not_scheduled': {
    status: 409,
    sentence: 'Nothing is waiting for its release, or it is out already.',
  },
  'results.columns': { status: 400, sentence: 'The columns of this file are not those of the event.' },
  'results.rules_unfit': { status: 400, sentence: 'These rules do not fit the event.' },
  'results.no_certificates': {
    status: 409,
    sentence: 'There is nobody in this list to make a certificate for.',
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
    sentence: 'There is no certificate and no page of this result: the student did not sit the exam.',
  },
  // The way to the next level
  'next_level.nothing_out': {
    status: 409,
    sentence: 'Schools have seen no results of this event yet. Invitations follow their release.',
  },
  'next_level.leads_nowhere': { status: 409, sentence: 'The rules of this event lead to no further level.' },
  'next_level.made': { status: 409, sentence: 'There is a list for this event already. It is shown now.' },
  'next_level.no_list': {
    status: 409,
    sentence: 'There is no list for this event yet. Please make it first.',
  },
  'next_level.no_difference': {
    status: 409,
    sentence: 'The list stands by the results that schools see now: there is nothing to take over.',
  },
  'next_level.sending': {
    status: 409,
    sentence: 'The schools are being told just now. Please wait until that is done.',
  },
  'next_level.day_past': {
    status: 400,
    sentence: 'This day is over. Please choose one that is to come.',
  },
  'next_level.approved': { status: 409, sentence: 'This list is approved already.' },
  'next_level.nothing_new': { status: 409, sentence: 'The schools know all of this list already.' },
  'next_level.same_person': {
    status: 403,
    sentence: 'Access Denied: somebody else has to approve, because you have made or changed this list.',
  },
  'next_level.not_approved': {
    status: 409,
    sentence: 'A second person has to approve this list before schools are told.',
  },
  'next_level.nobody_open': {
    status: 409,
    sentence: 'There is no school to remind: all have answered, or were reminded within a day.',
  },
  'next_level.absent': {
    status: 409,
    sentence: 'This student did not sit the exam, so there is no result to be invited by.',
  },
  'next_level.listed': { status: 409, sentence: 'This student is on the list already.' },
  'next_level.closed': {
    status: 409,
    sentence: 'The last day for answers is over. Please call the foundation.',
  },
} as const
