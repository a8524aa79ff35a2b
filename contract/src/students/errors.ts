/** How the office's calls about children and waivers refuse; a part of errors.ts. */
export const studentErrors = {
  // Students, in the office
  'students.mobile_search': {
    status: 403,
    sentence: 'Access Denied: only the owner and operations find students by a mobile number.',
  },
  'students.too_many': {
    status: 409,
    sentence: 'One file holds at most 5,000 students. Please narrow the filters down.',
  },
  'students.has_results': {
    status: 409,
    sentence:
      'This child has results of its class and section. They are corrected as a version of the results.',
  },

  // Waivers
  'waivers.asked': { status: 409, sentence: 'A waiver for this child was asked for already.' },
  'waivers.paid': { status: 409, sentence: 'The registration fee of this child is paid already.' },
  'waivers.being_verified': {
    status: 409,
    sentence: 'A payment for this child is being verified. Wait until it is decided.',
  },
  'waivers.nothing_due': { status: 409, sentence: 'No registration fee is due for this child.' },
  'waivers.amount_changed': {
    status: 409,
    sentence: 'The fee of this child has changed since you opened the list. Please check the new amount.',
  },
  'waivers.decided': { status: 409, sentence: 'This waiver has been decided or taken back meanwhile.' },
  'waivers.by_office': {
    status: 403,
    sentence: 'The foundation has asked for this waiver: it is not the school’s to take back.',
  },
  'waivers.own': {
    status: 403,
    sentence: 'You have asked for this waiver yourself. Somebody else decides on it.',
  },
} as const
