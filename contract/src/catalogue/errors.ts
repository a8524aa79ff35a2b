import { refusals } from '../refusals.ts'

/** How a call about seasons, events, prices and lists refuses; a part of errors.ts. */
export const catalogueErrors = {
  ...refusals(409, {
    'catalogue.season_exists': 'This season already exists. It is shown below.',
    'catalogue.season_state': 'The season is not in the right state for that. The latest state is shown.',
    'catalogue.not_next': 'A season is opened from the one before it.',
    'catalogue.plan_changed': 'The last season has changed. Please check the differences again.',
    'catalogue.season_incomplete':
      'The season cannot be opened for schools yet: an event has no dates or no prices.',
    'catalogue.season_used': 'This season is in use and cannot be deleted.',
    'catalogue.marks_imported':
      'Marks of this event have been imported: its sections and maximum marks stay as they are.',
    'catalogue.entry_used': 'This is still in use. Move what uses it first.',
    'catalogue.entry_fixed': 'The zone of schools abroad stays as it is.',
    'catalogue.no_results': 'There are no results of an earlier season to try the rules on.',
  }),
}
