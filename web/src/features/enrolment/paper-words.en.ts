/** The words of what is printed of students. */
export const en = {
  title: 'To print',
  what: 'Paper',
  'class-list': 'Class list',
  'fee-list': 'Fee collection list with signatures',
  registration: 'Registration and book order forms for families',
  aboutClassList:
    'A sheet for each class and section, with parents, mobiles, subjects and a column for notes.',
  aboutFeeList:
    'What to collect of each student, what the school keeps, paid or due, and a place to sign; sums for each section and for all.',
  aboutRegistration: 'A page for each student, filled with what is known, to be checked and signed at home.',
  language: 'Language',
  english: 'English',
  hindi: 'हिन्दी',
  who: { one: '{n} active student', other: '{n} active students' },
  groups: { one: 'in {n} section', other: 'in {n} sections' },
  print: 'Make the PDF',
  again: 'Save it again',
  stop: 'Stop',
  progress: 'PDF being made',
  drawn: '{done} of {total} students',
  waiting: 'Waiting for its turn',
  ready: 'The PDF is ready. It is kept for a day.',
  stopped: 'Stopped.',
}
