/** What is read before the access code; the rest is downloaded meanwhile. */
export const en = {
  pageTitle: 'Student details',
  loading: 'Loading',
  codeTitle: 'Details of {name}',
  codeLede: 'Please enter the access code to see and correct them.',
  code: 'Access code',
  codeHint: 'It is printed under the QR code on the slip from school. Small letters are fine.',
  codeWrong: '{failed}. Please compare the code with the slip, letter by letter.',
  wait: { one: 'Please wait {n} minute and try again.', other: 'Please wait {n} minutes and try again.' },
  continue: 'Continue',
  noCode: 'No code? Ask the class teacher. We never ask for a code or money by phone.',
  ended: 'Half an hour is over, so the page was closed. Please enter the code again.',
  endedKept: 'Half an hour is over, so the page was closed. What you typed is kept: enter the code again.',
  offline: 'There is no connection. Please check the internet and try again.',
}
