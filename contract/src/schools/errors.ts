/** How the office's calls about schools refuse; a part of errors.ts. */
export const schoolErrors = {
  'schools.inactive': { status: 409, sentence: 'This school is switched off. Switch it on again first.' },
  'schools.active': { status: 409, sentence: 'This school is switched on already.' },
  'schools.merged': {
    status: 409,
    sentence: 'This school was merged into another one. Open the one that stays.',
  },
  'schools.merge_same': { status: 409, sentence: 'These are one and the same entry. Choose another school.' },
  'schools.merge_blocked': {
    status: 409,
    sentence: 'These two schools can not be merged yet. What stands in the way is listed.',
  },
  'schools.import_busy': {
    status: 409,
    sentence: 'This file is being worked on, or has been brought in already.',
  },
  'schools.import_nothing': {
    status: 409,
    sentence: 'There is no new school in this file to bring in.',
  },
  'schools.likely': {
    status: 409,
    sentence: 'Schools that are known already look like this one. Please compare before you create it.',
  },
  'schools.link_gone': {
    status: 409,
    sentence: 'Somebody else has changed the link of this school meanwhile. The latest state is shown.',
  },
  'schools.code_unreadable': {
    status: 409,
    sentence: 'This access code was made before codes were kept. Make a new one to print it.',
  },
  'schools.letters_none': { status: 409, sentence: 'None of these schools gets a letter.' },
  'schools.letters_many': {
    status: 409,
    sentence: 'These are more schools than one print job takes. Narrow them by state or district.',
  },
  'schools.letters_changed': {
    status: 409,
    sentence: 'Meanwhile these are not as many schools as before. Please look at the figures again.',
  },
  'schools.account_disabled': { status: 409, sentence: 'This account is disabled. Enable it first.' },
  'schools.contact_confirmed': { status: 409, sentence: 'This contact has been confirmed meanwhile.' },
} as const
