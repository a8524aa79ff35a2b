/** How the office's calls about children and waivers refuse; a part of errors.ts. */
export const studentErrors = {
  // Students, in the office
  'students.mobile_search': {
    status: 403,
    sentence: 'Access Denied: only the owner and operations find students by a mobile number.',
  },
  'students.too_many': {
    status: 409,
    sentence: 'One file holds at most 5,000 students. Please narrow the filters.',
  },
  'students.has_results': {
    status: 409,
    sentence:
      'This student has results for the class and section. Correct them with a version of the results.',
  },

  // Waivers
  'waivers.asked': { status: 409, sentence: 'A waiver for this student was already requested.' },
  'waivers.paid': { status: 409, sentence: 'The registration fee of this student is already paid.' },
  'waivers.being_verified': {
    status: 409,
    sentence: 'A payment for this student is being verified. Please wait until that is done.',
  },
  'waivers.nothing_due': { status: 409, sentence: 'No registration fee is due for this student.' },
  'waivers.amount_changed': {
    status: 409,
    sentence: 'The fee of this student has changed since you opened the list. Please check the new amount.',
  },
  'waivers.decided': { status: 409, sentence: 'This waiver has already been decided or withdrawn.' },
  'waivers.by_office': {
    status: 403,
    sentence: 'The foundation requested this waiver, so the school cannot withdraw it.',
  },
  'waivers.own': {
    status: 403,
    sentence: 'You requested this waiver yourself. Someone else has to decide on it.',
  },
} as const
