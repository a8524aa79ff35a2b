/** The words of late fees in the office. */
export const en = {
  title: 'Late fee',
  none: 'No late fee',
  rule: '{fee} from {day}',
  set: 'Set the late fee',
  setAll: 'Late fee',
  dialogTitle: 'Late fee, {what}',
  says: 'Who is entered on this day (IST) or later pays so much more for each subject. The school keeps nothing of it; it goes to the foundation.',
  from: 'From this day on',
  fromHint: 'Leave it empty to end the late fee.',
  fee: 'Added per student and subject',
  events: 'Events',
  all: 'All events',
  closes: 'Entries close on {day}',
  keep: {
    one: '{n} entry made so far keeps the fee as it is. Schools see the new late fee as soon as it is saved.',
    other:
      '{n} entries made so far keep the fee as it is. Schools see the new late fee as soon as it is saved.',
  },
  nobody: 'Nobody is entered yet. Schools see the late fee as soon as it is saved.',
  saved: 'The late fee is saved.',
  noneChosen: 'Choose at least one event.',
  mayNot: 'Only the owner and operations change late fees.',
}
