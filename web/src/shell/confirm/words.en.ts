/** The words of the dialog that asks for a fresh proof. */
export const en = {
  title: 'Confirm that it is you',
  says: 'You last confirmed it more than 10 minutes ago. What you have begun goes on once you have.',
  code: 'Code',
  codeHint: 'The six digits that your authenticator shows, or a recovery code.',
  password: 'Password',
  usePassword: 'Use the password',
  useCode: 'Use a code',
  confirm: 'Confirm',
}
