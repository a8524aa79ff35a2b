/** How calls about people, rights and records refuse; a part of errors.ts. */
export const trustErrors = {
  'changes.too_many': {
    status: 409,
    sentence: 'These are more than 20,000 changes. Please narrow the days or filters first.',
  },
  'access.acting': {
    status: 403,
    sentence:
      'Access Denied: the school does this itself. The office can not do it while it acts for a school.',
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
  'jobs.ended': { status: 409, sentence: 'This work has ended already.' },
} as const
