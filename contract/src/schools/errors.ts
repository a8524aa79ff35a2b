/** How the office's calls about schools refuse; a part of errors.ts. */
export const schoolErrors = {
  'schools.inactive': { status: 409, sentence: 'This school is deactivated. Activate it first.' },
  'schools.active': { status: 409, sentence: 'This school is already active.' },
  'schools.merged': {
    status: 409,
    sentence: 'This school was merged into another one. Open that one instead.',
  },
  'schools.merge_same': { status: 409, sentence: 'This is the same school. Choose another one.' },
  'schools.merge_blocked': {
    status: 409,
    sentence: 'These two schools cannot be merged yet. The reasons are listed.',
  },
  'schools.import_busy': {
    status: 409,
    sentence: 'This file is being imported, or was already imported.',
  },
  'schools.import_nothing': {
    status: 409,
    sentence: 'There is no new school in this file to import.',
  },
  'schools.import_not_alike': {
    status: 409,
    sentence: 'Some of these rows are no longer possible duplicates. Please load the page again.',
  },
  'schools.likely': {
    status: 409,
    sentence: 'Some known schools look like this one. Please compare before you create it.',
  },
  'schools.link_gone': {
    status: 409,
    sentence: 'Someone else has changed the link of this school. The latest state is shown.',
  },
  'schools.code_unreadable': {
    status: 409,
    sentence: 'This access code is too old to be printed. Make a new one.',
  },
  'schools.letters_none': { status: 409, sentence: 'None of these schools gets a letter.' },
  'schools.letters_many': {
    status: 409,
    sentence: 'These are more schools than one print job takes. Filter by state or district.',
  },
  'schools.letters_changed': {
    status: 409,
    sentence: 'The number of schools has changed. Please check the figures again.',
  },
  'schools.account_disabled': { status: 409, sentence: 'This account is disabled. Enable it first.' },
  'schools.contact_confirmed': { status: 409, sentence: 'This contact has already been confirmed.' },
} as const
