/** The words of the list of sessions. */
export const en = {
  title: 'Where you are signed in',
  ended: 'Signed out there',
  since: 'Since',
  here: 'This one',
  inPortal: 'in the portal of {school}',
  end: 'Sign out',
  endOf: 'Sign out {device}, last used {when}',
  noSessions: 'Signed in nowhere.',
  unknownDevice: 'Unknown device',
  lastSeen: 'Last seen',
}
