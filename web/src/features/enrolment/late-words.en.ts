/** What the list and the dialog of students say of late fees. */
export const en = {
  ofFee: 'late fee {fee} in it',
  eachAhead: 'from {day} {fee} more as a late fee',
  line: 'Late fees in it',
}
