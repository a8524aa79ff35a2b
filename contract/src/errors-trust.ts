/** How calls about people, rights and records refuse; a part of errors.ts. */
export const trustErrors = {
  'logo.not_picture': { status: 400, sentence: 'Please choose a PNG, JPEG or WebP picture.' },
  'logo.too_large': {
    status: 413,
    sentence: 'This picture is larger than 1 MB. Please choose a smaller one.',
  },
  'logo.too_small': {
    status: 400,
    sentence: 'This picture is too small to print: it must be at least 64 pixels high and wide.',
  },
  'logo.too_long': {
    status: 400,
    sentence: 'This picture is too long: at most eight times as wide as high, or twice as high as wide.',
  },
  'logo.unseen': {
    status: 400,
    sentence:
      'This picture would be invisible on white paper. Please choose one with dark or coloured parts.',
  },
  'changes.too_many': {
    status: 409,
    sentence: 'These are more than 20,000 changes. Please narrow the days or filters first.',
  },
  'access.acting': {
    status: 403,
    sentence:
      'Access Denied: only the school can do this. The office cannot do it while acting for a school.',
  },
  'access.not_coordinator': {
    status: 403,
    sentence: 'Access Denied: only the coordinator of your school can do this.',
  },
  'application.not_asked': {
    status: 409,
    sentence: 'The question has already been answered. The latest state is shown.',
  },
  'assignments.cannot_decide': {
    status: 409,
    sentence: 'This person cannot decide on it. Please choose someone who can.',
  },
  'colleagues.coordinator_first': {
    status: 409,
    sentence: 'This is the coordinator. Make someone else at the school the coordinator first.',
  },
  'colleagues.coordinates_already': { status: 409, sentence: 'This person is already the coordinator.' },
  'colleagues.offer_over': { status: 409, sentence: 'This offer has been withdrawn or has expired.' },
  'colleagues.invitation_over': {
    status: 200,
    sentence: 'This invitation has been used, withdrawn or has expired. Please ask the school for a new one.',
  },
  'colleagues.known': {
    status: 200,
    sentence: 'This address now has an account. Please open the link in the e-mail again.',
  },
  'colleagues.elsewhere': {
    status: 200,
    sentence: 'This address already belongs to another school. An account can belong to one school only.',
  },
  'colleagues.disabled': {
    status: 200,
    sentence: 'The account of this address is deactivated. Please call the foundation.',
  },
  'visits.nobody': {
    status: 409,
    sentence: 'No one at this school can sign in, so there is no account to act with.',
  },
  'staff.last_owner': {
    status: 409,
    sentence: 'This is the only owner. Make someone else an owner first.',
  },
  'staff.switched_off': { status: 409, sentence: 'This user is deactivated. Activate them first.' },
  'staff.invite_over': {
    status: 200,
    sentence: 'This invitation has been used or has expired. Please ask for a new one.',
  },
  'nudges.too_soon': {
    status: 409,
    sentence: 'These schools were reminded in the last three days, or have no e-mail address.',
  },
  'notes.not_own': {
    status: 403,
    sentence: 'Access Denied: only the person who wrote a note can change it.',
  },
  'notes.no_follow_up': { status: 409, sentence: 'This note has no follow-up date.' },
  'mails.not_failed': {
    status: 409,
    sentence: 'This e-mail has not failed, or is already being sent again.',
  },
  'mailings.none': { status: 409, sentence: 'None of these schools can be written to.' },
  'mailings.many': {
    status: 409,
    sentence: 'These are more than 20,000 schools. Please narrow the filters.',
  },
  'mailings.changed': {
    status: 409,
    sentence: 'The number of schools has changed meanwhile. Please check it and send again.',
  },
  'mails.expired': {
    status: 409,
    sentence: 'The code or link in this e-mail has expired. Please send a new one from its own page.',
  },
  'mails.address_search': {
    status: 403,
    sentence: 'Access Denied: only the owner and operations find e-mails by an address.',
  },
  'privacy.open_already': {
    status: 409,
    sentence: 'This was already requested and is in progress.',
  },
  'privacy.not_checked': {
    status: 409,
    sentence: 'Please check first that a parent is asking.',
  },
  'privacy.second_person': {
    status: 409,
    sentence: 'Someone other than the person who checked this request has to erase the data.',
  },
  'privacy.money_under_way': {
    status: 409,
    sentence: 'A payment for this student is being verified. The data can be erased after that.',
  },
  'privacy.decided': { status: 409, sentence: 'This request has already been decided.' },
  'privacy.notice_changed': {
    status: 409,
    sentence: 'This notice has changed since you opened the page. Please read the new one.',
  },
  'privacy.file_over': {
    status: 409,
    sentence: 'The file was available for 30 days. Please request it again.',
  },
  'incident.closed': { status: 409, sentence: 'This incident is closed. Reopen it first.' },
  'incident.open': { status: 409, sentence: 'This incident is already open.' },
  'incident.nobody_found': { status: 409, sentence: 'No one new is found.' },
  'incident.too_many': {
    status: 409,
    sentence: 'These are more than 50,000 people. Please add them in several parts.',
  },
  'incident.mail_missing': {
    status: 409,
    sentence: 'Please write the e-mail to those affected first, in both languages.',
  },
  'incident.nobody_to_tell': {
    status: 409,
    sentence: 'There is no one left to e-mail.',
  },
  'incident.sent': { status: 409, sentence: 'The e-mail was sent and can no longer be changed.' },
  'incident.people_waiting': {
    status: 409,
    sentence: 'Some of those affected have not been informed yet.',
  },
  'jobs.ended': { status: 409, sentence: 'This job has already ended.' },
} as const
