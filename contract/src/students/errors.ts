import { refusals } from '../refusals.ts'

/** How the office's calls about children and waivers refuse; a part of errors.ts. */
export const studentErrors = {
  ...refusals(403, {
    'students.mobile_search':
      'Access Denied: only the owner and operations find students by a mobile number.',
    'waivers.by_office': 'The foundation requested this waiver, so the school cannot withdraw it.',
    'waivers.own': 'You requested this waiver yourself. Someone else has to decide on it.',
  }),
  ...refusals(409, {
    'students.too_many': 'One file holds at most 5,000 students. Please narrow the filters.',
    'students.has_results':
      'This student has results for the class and section. Correct them with a version of the results.',
    'waivers.asked': 'A waiver for this student was already requested.',
    'waivers.paid': 'The registration fee of this student is already paid.',
    'waivers.being_verified': 'A payment for this student is being verified. Please wait until that is done.',
    'waivers.nothing_due': 'No registration fee is due for this student.',
    'waivers.amount_changed':
      'The fee of this student has changed since you opened the list. Please check the new amount.',
    'waivers.decided': 'This waiver has already been decided or withdrawn.',
  }),
}
