/** How a call about seasons, events, prices and lists refuses; a part of errors.ts. */
export const catalogueErrors = {
  // Seasons and catalogue, in the office
  'catalogue.season_exists': { status: 409, sentence: 'This season already exists. It is shown below.' },
  'catalogue.season_state': {
    status: 409,
    sentence: 'The season is not in the right state for that. The latest state is shown.',
  },
  'catalogue.not_next': { status: 409, sentence: 'A season is opened from the one before it.' },
  'catalogue.plan_changed': {
    status: 409,
    sentence: 'The last season has changed. Please check the differences again.',
  },
  'catalogue.season_incomplete': {
    status: 409,
    sentence: 'The season cannot be opened for schools yet: an event has no dates or no prices.',
  },
  'catalogue.season_used': {
    status: 409,
    sentence: 'This season is in use and cannot be deleted.',
  },
  'catalogue.marks_imported': {
    status: 409,
    sentence: 'Marks of this event have been imported: its sections and maximum marks stay as they are.',
  },
  'catalogue.entry_used': {
    status: 409,
    sentence: 'This is still in use. Move what uses it first.',
  },
  'catalogue.entry_fixed': { status: 409, sentence: 'The zone of schools abroad stays as it is.' },
  'catalogue.no_results': {
    status: 409,
    sentence: 'There are no results of an earlier season to try the rules on.',
  },
} as const
