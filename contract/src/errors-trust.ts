import { refusals } from './refusals.ts'

/** How calls about people, rights and records refuse; a part of errors.ts. */
export const trustErrors = {
  ...refusals(200, {
    'colleagues.invitation_over':
      'This invitation has been used, withdrawn or has expired. Please ask the school for a new one.',
    'colleagues.known': 'This address now has an account. Please open the link in the e-mail again.',
    'colleagues.elsewhere':
      'This address already belongs to another school. An account can belong to one school only.',
    'colleagues.disabled': 'The account of this address is deactivated. Please call the foundation.',
    'staff.invite_over': 'This invitation has been used or has expired. Please ask for a new one.',
  }),
  ...refusals(400, {
    'logo.not_picture': 'Please choose a PNG, JPEG or WebP picture.',
    'logo.too_small': 'This picture is too small to print: it must be at least 64 pixels high and wide.',
    'logo.too_long':
      'This picture is too long: at most eight times as wide as high, or twice as high as wide.',
    'logo.unseen':
      'This picture would be invisible on white paper. Please choose one with dark or coloured parts.',
  }),
  ...refusals(403, {
    'access.acting':
      'Access Denied: only the school itself can do this, not the office signed in as the school.',
    'access.not_coordinator': 'Access Denied: only the coordinator of your school can do this.',
    'notes.not_own': 'Access Denied: only the person who wrote a note can change it.',
    'mails.address_search': 'Access Denied: only owners and operations can find e-mails by address.',
  }),
  ...refusals(409, {
    'changes.too_many': 'These are more than 20,000 changes. Please narrow the days or filters first.',
    'application.not_asked': 'The question has already been answered. The latest state is shown.',
    'assignments.cannot_decide': 'This person cannot decide on it. Please choose someone who can.',
    'colleagues.coordinator_first':
      'This is the coordinator. Make someone else at the school the coordinator first.',
    'colleagues.coordinates_already': 'This person is already the coordinator.',
    'colleagues.offer_over': 'This offer has been withdrawn or has expired.',
    'visits.nobody': 'No one at this school can sign in, so there is no account to act with.',
    'staff.last_owner': 'This is the only owner. Make someone else an owner first.',
    'staff.switched_off': 'This user is deactivated. Activate them first.',
    'nudges.too_soon': 'These schools were reminded in the last three days, or have no e-mail address.',
    'notes.no_follow_up': 'This note has no follow-up date.',
    'mails.not_failed': 'This e-mail has not failed, or is already being sent again.',
    'mailings.none': 'None of these schools can be written to.',
    'mailings.many': 'These are more than 20,000 schools. Please narrow the filters.',
    'mailings.changed': 'The number of schools has changed meanwhile. Please check it and send again.',
    'mails.expired': 'The code or link in this e-mail has expired. Please send a new one from its own page.',
    'privacy.open_already': 'This was already requested and is in progress.',
    'privacy.not_checked': 'Please check first that a parent is asking.',
    'privacy.second_person': 'You checked this request, so someone else must erase the data.',
    'privacy.money_under_way':
      'A payment for this student is being verified. The data can be erased after that.',
    'privacy.decided': 'This request has already been decided.',
    'privacy.notice_changed': 'This notice has changed since you opened the page. Please read the new one.',
    'privacy.file_over': 'The file was available for 30 days. Please request it again.',
    'incident.closed': 'This incident is closed. Reopen it first.',
    'incident.open': 'This incident is already open.',
    'incident.nobody_found': 'No one new is found.',
    'incident.too_many': 'These are more than 50,000 people. Please add them in several parts.',
    'incident.mail_missing': 'Please write the e-mail to those affected first, in both languages.',
    'incident.nobody_to_tell': 'There is no one left to e-mail.',
    'incident.sent': 'The e-mail was sent and can no longer be changed.',
    'incident.people_waiting': 'Some of those affected have not been informed yet.',
    'jobs.ended': 'This job has already ended.',
    'jobs.too_many': 'You have 10 unfinished background jobs. Please wait until one is done.',
  }),
  ...refusals(413, { 'logo.too_large': 'This picture is larger than 1 MB. Please choose a smaller one.' }),
}
