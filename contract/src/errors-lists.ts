/** What is refused when lists of students are printed, signed off and opened again: code → status and sentence. */
export const listErrors = {
  // Paper
  'paper.nobody': { status: 409, sentence: 'There are no active students to print.' },
  'paper.no_offer': { status: 409, sentence: 'Nothing is offered to this class this season.' },
  'paper.too_many': { status: 409, sentence: 'One file holds at most 3000 students. Please choose a class.' },

  // Sign-off
  'signoff.not_coordinator': {
    status: 403,
    sentence: 'Access Denied: only your coordinator can sign off and reopen lists.',
  },
  'signoff.signed': { status: 409, sentence: 'This list has already been signed off.' },
  'signoff.not_signed': { status: 409, sentence: 'This list is open.' },
  'signoff.no_students': { status: 409, sentence: 'There are no students in this list.' },
  'signoff.count_differs': { status: 409, sentence: 'This is not the number of students in the list.' },
} as const
