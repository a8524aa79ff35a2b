/** How calls about people, rights and records refuse; a part of errors.ts. */
export const trustErrors = {
  'logo.not_picture': { status: 400, sentence: 'Please choose a PNG, JPEG or WebP picture.' },
  'logo.too_large': {
    status: 413,
    sentence: 'This picture is larger than 1 MB. Please choose a smaller one.',
  },
  'logo.too_small': {
    status: 400,
    sentence: 'This picture is too small to be printed: it must be at least 64 pixels high and wide.',
  },
  'logo.too_long': {
    status: 400,
    sentence:
      'This picture is too long: at most eight times as wide as high, and not higher than twice its width.',
  },
  'logo.unseen': {
    status: 400,
    sentence: 'This picture would not be seen on white paper. Please choose one with dark or coloured parts.',
  },
  'changes.too_many': {
    status: 409,
    sentence: 'These are more than 20,000 changes. Please narrow the days or filters first.',
  },
  'access.acting': {
    status: 403,
    sentence:
      'Access Denied: the school does this itself. The office can not do it while it acts for a school.',
  },
  'access.not_coordinator': {
    status: 403,
    sentence: 'Access Denied: only the coordinator of your school does this.',
  },
  'application.not_asked': {
    status: 409,
    sentence: 'The question has been taken care of meanwhile. The latest state is shown.',
  },
  'colleagues.coordinator_first': {
    status: 409,
    sentence: 'This is the coordinator. Make somebody else of the school the coordinator first.',
  },
  'colleagues.coordinates_already': { status: 409, sentence: 'This person is the coordinator already.' },
  'colleagues.offer_over': { status: 409, sentence: 'This offer has been taken back or has run out.' },
  'colleagues.invitation_over': {
    status: 200,
    sentence:
      'This invitation has been used, taken back or has run out. Please ask the school for a new one.',
  },
  'colleagues.known': {
    status: 200,
    sentence: 'This address has an account by now. Please open the link of the mail once more.',
  },
  'colleagues.elsewhere': {
    status: 200,
    sentence: 'The account of this address belongs to another school. One account belongs to one school.',
  },
  'colleagues.disabled': {
    status: 200,
    sentence: 'The account of this address is switched off. Please call the foundation.',
  },
  'visits.nobody': {
    status: 409,
    sentence: 'Nobody of this school can sign in, so there is no account to act with.',
  },
  'staff.last_owner': {
    status: 409,
    sentence: 'This is the only owner. Make somebody else an owner first.',
  },
  'staff.switched_off': { status: 409, sentence: 'This person is switched off. Switch them on again first.' },
  'staff.invite_over': {
    status: 200,
    sentence: 'This invitation has been used or has run out. Please ask for a new one.',
  },
  'nudges.too_soon': {
    status: 409,
    sentence: 'These schools have been reminded in the last three days, or nobody of them has an e-mail.',
  },
  'mails.not_failed': { status: 409, sentence: 'This mail has not failed, or is on its way again already.' },
  'mails.address_search': {
    status: 403,
    sentence: 'Access Denied: only the owner and operations find mails by an address.',
  },
  'privacy.open_already': {
    status: 409,
    sentence: 'This has been asked for already and is being worked on.',
  },
  'privacy.not_checked': {
    status: 409,
    sentence: 'Please check first that a parent of the child asks.',
  },
  'privacy.second_person': {
    status: 409,
    sentence: 'Somebody else than the person who checked this request has to erase the data.',
  },
  'privacy.money_under_way': {
    status: 409,
    sentence: 'A payment for this child is being verified. Its data can be erased once that is decided.',
  },
  'privacy.decided': { status: 409, sentence: 'This request has been decided already.' },
  'privacy.notice_changed': {
    status: 409,
    sentence: 'This notice has been changed since the page was opened. Please read the new one.',
  },
  'privacy.file_over': {
    status: 409,
    sentence: 'The file could be taken for 30 days. Please ask for it again.',
  },
  'incident.closed': { status: 409, sentence: 'This incident is closed. Reopen it first.' },
  'incident.open': { status: 409, sentence: 'This incident is open already.' },
  'incident.nobody_found': { status: 409, sentence: 'Nobody new is found by this.' },
  'incident.too_many': {
    status: 409,
    sentence: 'These are more than 50,000 people. Please add them in several parts.',
  },
  'incident.mail_missing': {
    status: 409,
    sentence: 'Please write first, in both languages, what those affected are told.',
  },
  'incident.nobody_to_tell': {
    status: 409,
    sentence: 'Nobody who can be told by mail waits for it.',
  },
  'incident.sent': { status: 409, sentence: 'The mail was sent and stays as it is.' },
  'incident.people_waiting': {
    status: 409,
    sentence: 'Some of those affected have not been told yet.',
  },
  'jobs.ended': { status: 409, sentence: 'This work has ended already.' },
} as const
