/** The words of the notices that a school sees. */
export const en = {
  title: 'Notices',
  unread: { one: '{n} unread', other: '{n} unread' },
  allRead: 'All read',
  important: 'Important',
  since: 'Since {from}, until {until}',
  markRead: 'Mark as read',
  markReadOf: 'Mark as read: {title}',
  read: 'Read',
}
