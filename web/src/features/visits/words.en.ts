/** The words of the foundation's visits in a school's portal. */
export const en = {
  title: {
    one: 'The foundation acted in your portal',
    other: 'The foundation acted in your portal {n} times in the last 90 days',
  },
  now: 'The foundation is in your portal now',
  line: '{officer}, with the account of {account}: {reason}',
  untilNow: 'still there',
  done: 'What was done',
  nothingDone: 'Looked, changed nothing.',
}
