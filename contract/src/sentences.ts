/**
 * Sentences of the server and the shared rules that are in neither errors.ts nor messages.ts, with placeholders in
 * braces. `formatSentence` fills them in; the web recognises a filled sentence by its words and translates it
 * (web/src/shell/language/lookup.ts, web/words/hi/sentences.json).
 */
export const sentences = {
  // Checks of students: dialog, grid, import, carry-over
  closedOn: 'Enrolment for {subjects} closed on {day}.',
  listSignedOff: 'The list of {subject} is signed off.',
  notForClass: 'This class has no subject called {subject}.',
  subjectFirst: '{book}: please choose the subject {subject} first.',
  bookNotOffered: '{book} is not offered for {subject} in this class.',
  rollTwice: 'Roll no {roll} in {place} is already used in row {row}.',
  rollTaken: 'Roll no {roll} in {place} is taken by {name}.',
  rollTakenByNow: 'Roll no {roll} in {place} is now taken by {name}.',
  sameName: '{name} of {place}, roll no {roll}, has the same name.',
  figuresInName: 'Check the number in the name {name}.',
  carriedAgain: '{name} was brought over again and is in the list.',
  classNotOffered: '{place} is not offered: {subjects}.',
  notToBeEntered: 'This student is not one of those who can be entered.',
  nobodyToEnter: 'There is no one to enter.',
  changedMeanwhile: 'This student was changed after the file was checked, and stays as it is.',
  rollOfAnother: 'This roll no belongs to another student.',
  carriedMeanwhile: 'Someone else has already brought this student over.',
  amountsSinceCheck: 'The amounts have changed since the file was checked. Please send it again.',
  amountsSinceList: 'The amounts have changed since the list was shown. Please check the list again.',
  rollSinceCheck: 'This roll no was given to another student after the file was checked.',
  rollSinceList: 'This roll no was given to another student after the list was shown.',
  noFieldOfStudent: 'This is not a field of a student.',
  seasonNotValid: 'Season is not valid.',
  versionRequired: 'Say which version was changed.',
  // A row of a list of students
  classUnknown: 'This is not a class: Nursery, LKG, UKG or 1 to 12.',
  rollWhole: 'Roll No is a whole number from 1.',
  rollMost: 'Roll No is at most 999999.',
  sectionUnknown: 'Section is A to Z, or - for none.',
  dateMade: 'The spreadsheet program turned this into a date.',
  numberShortened: 'The spreadsheet program shortened this number. Please type all its digits.',
  sectionsDiffer: 'The class names a different section than the section column.',
  nameLetters: 'This is not a name: it has no letters.',
  nameOneLine: 'A name is letters on one line.',
  nameBegins: 'A name does not begin with =, +, - or @.',
  subjectsMost: 'At most 50 subjects.',
  // Files
  numberOfParcel: 'Parcel {id} already has this number.',
  rowsTooMany: 'This spreadsheet has more than {n} rows. Please split it into several files.',
  columnsTooMany: 'Row {row} has more than {n} columns. Please use the template.',
  textTooLong: 'Row {row}, column {column} holds more than {n} characters.',
  sheetTooLarge: "This spreadsheet is larger than {n} MB. Please split it or remove what you don't need.",
  fileTooLarge: 'This file is larger than {n} MB. Please choose a smaller one.',
  studentsTooMany: 'These are more than {n} students. Please enter them in several parts.',
  // Files of schools
  schoolTwice: 'The same school is in row {row}.',
  countryUnknown: 'This country is not known.',
  countryMeant: 'This country is not known. Did you mean “{name}”?',
  stateUnknown: 'This state is not known.',
  stateMeant: 'This state is not known. Did you mean “{name}”?',
  // Payments
  paymentVerified: '{name} has already verified this payment (receipt {receipt}).',
  paymentRejected: '{name} has already rejected this payment.',
  withdrawnBySchool: 'Withdrawn by the school.',
  lineBooked: '{name} has already booked this line.',
  lineDiscarded: '{name} has already discarded this line.',
  dayWithoutLine: 'Please write why payments of this day have no bank line.',
  // Requests about children's data
  requestWords: 'Please write who asked, and for what.',
  requestNote: 'Please write what was checked.',
  requestReason: 'Please write the reason. The family reads it.',
  requestWho: 'Please write which parent asked, when, and for what.',
  // Breaches of personal data
  incidentMoment: 'Enter day and time, as 21-11-2026 and 14:30.',
  incidentHappened: 'Please write what happened.',
  incidentNote: 'Please write the note.',
  incidentInFuture: 'This is in the future.',
  incidentNobody: 'Please write at least one that is known.',
  howNotifiedRequired: 'Please write how they were informed.',
  incidentWords: 'Please fill this in. Those affected read it.',
  // Files of marks
  rollMissing: 'The roll no is missing.',
  attendanceNeither: 'Neither P nor A.',
  notMarks: 'Enter the marks as a number.',
  marksInRow: 'This student’s marks come from row {n} of the file.',
  maximumIs: 'The maximum is {n}.',
  marksBeside: '{n} marks beside it.',
  noMarkAtAll: 'Present, and no mark at all.',
  notScore: 'Not a score with at most four decimals.',
  weightsAdd: 'Weights add less than one mark to the {n} of the sections.',
  scoresDiffer: 'Final score and weights do not agree.',
  rollOfNobody: 'No student of this season has this roll no.',
  notInEvent: 'The student is not enrolled in this event.',
  rowBefore: 'The student is already in row {row} with the same marks.',
  rowBeforeOther: 'The student is already in row {row} with other marks: {there} there, {here} here.',
  faultyRowBefore: 'The student is in the file before, with an error; this row counts.',
  reportedAbsent: 'The school has reported this student absent.',
  reportedPresent: 'The school has reported this student present.',
  paidNotInFile: 'Paid, and not in the file.',
  columnMissing: 'The column {name} is missing.',
  columnUnknown: 'The column {name} is not known here.',
  columnTwice: 'The column {name} appears twice.',
  noSuchSection: 'The event has no section {name}.',
  // Every call
  nestedTooDeeply: 'The request is nested more than {n} levels deep.',
  wholeBetween: 'Enter a whole number from {least} to {most}.',
  longest: 'At most {n} characters.',
  twice: '{field} appears twice.',
  fieldUnknown: 'This field is not known here.',
  withReference: '{sentence} Reference: {id}',
  jobFailed: 'Something went wrong on our side. Please start it again.',
  somebodyElse: 'Someone else',
  anotherStudent: 'another student',
  /** The reason offered for reversing the payments of a bank line */
  returnedByBank: 'Returned by the bank on {day}',
} as const

export type SentenceKey = keyof typeof sentences

type PlaceholdersOf<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never

/** Fills in the placeholders of a sentence. */
export function formatSentence<K extends SentenceKey>(
  key: K,
  values: Readonly<Record<PlaceholdersOf<(typeof sentences)[K]>, string | number>>,
): string {
  return sentences[key].replace(/\{(\w+)\}/g, (_, name: string) =>
    String((values as Record<string, string | number>)[name]),
  )
}
