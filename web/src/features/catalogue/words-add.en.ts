/** The words of adding an event by hand. */
export const en = {
  add: 'Add an event',
  title: 'Add an event to {season}',
  subject: 'Subject',
  choose: 'Choose',
  fresh: 'A new subject',
  letter: 'Letter',
  name: 'Name of the subject',
  littleStar: 'A little-star subject, for Nursery, LKG and UKG',
  level: 'Level',
  marks: 'Maximum marks',
  takes: 'Sections, rules and prices are taken over from {season}; change them on the page of the event.',
  begins:
    'It begins with one section, the usual rules and without prices. Schools can enter it once it has prices.',
  further: 'Schools do not enter students for level {n}: who goes there is decided by the results.',
  added: 'The event is added.',
}
