import { refusals } from '../refusals.ts'

/** How the office's calls about schools refuse; a part of errors.ts. */
export const schoolErrors = {
  ...refusals(409, {
    'schools.inactive': 'This school is deactivated. Activate it first.',
    'schools.active': 'This school is already active.',
    'schools.merged': 'This school was merged into another one. Open that one instead.',
    'schools.merge_same': 'This is the same school. Choose another one.',
    'schools.merge_blocked': 'These two schools cannot be merged yet. The reasons are listed.',
    'schools.import_busy': 'This file is being imported, or was already imported.',
    'schools.import_nothing': 'There is no new school in this file to import.',
    'schools.import_not_alike':
      'Some of these rows are no longer possible duplicates. Please load the page again.',
    'schools.likely': 'Some known schools look like this one. Please compare before you create it.',
    'schools.link_gone': 'Someone else has changed the link of this school. The latest state is shown.',
    'schools.code_unreadable': 'This access code is too old to be printed. Make a new one.',
    'schools.letters_none': 'None of these schools gets a letter.',
    'schools.letters_many': 'These are more schools than one print job takes. Filter by state or district.',
    'schools.letters_changed': 'The number of schools has changed. Please check the figures again.',
    'schools.account_disabled': 'This account is disabled. Enable it first.',
    'schools.contact_confirmed': 'This contact has already been confirmed.',
  }),
}
