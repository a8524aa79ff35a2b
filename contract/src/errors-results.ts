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
    sentence: 'A version is waiting for its release. Withdraw it before you import another one.',
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
  'results.absent': {
    status: 409,
    sentence: 'There is no certificate and no page of this result: the student did not sit the exam.',
  },
} as const
