import { createContext, useContext } from 'react'

/** The few words the kit itself says. The shell supplies them in the language of the page; English otherwise. */
export const kitWords = {
  close: 'Close',
  cancel: 'Cancel',
  ok: 'OK',
  clear: 'Clear',
  optional: 'optional',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  selectAll: 'Select all',
  unselectAll: 'Unselect all',
  search: 'Search',
  remove: 'Remove {name}',
  more: 'and {n} more',
  noMatch: 'Nothing matches.',
  chosen: '{n} of {total} chosen',
  copy: 'Copy {name}',
  copied: '{name} copied',
  previous: 'Previous',
  next: 'Next',
  range: '{from} to {to} of {total}',
  selectRow: 'Select {name}',
  selectPage: 'Select all rows of this page',
  filters: 'Filters',
  filtersSet: 'Filters, {n} set',
  actions: 'Actions',
  loading: 'Loading',
  tryAgain: 'Try again',
  wentWrong: 'This could not be loaded',
  viewAsTable: 'View as table',
  viewAsChart: 'View as chart',
  gold: 'Gold',
  silver: 'Silver',
  bronze: 'Bronze',
  nextStep: 'Next step',
  stepDone: 'done',
  stepNow: 'next',
  stepLater: 'later',
  removeFile: 'Remove the file',
  collected: 'Collected from families',
  kept: 'Your school keeps',
  payable: 'Payable to the foundation',
  notifications: 'Messages',
  error: 'Error',
}

export type KitWords = Record<keyof typeof kitWords, string>

const Words = createContext<KitWords>(kitWords)
export const KitWordsProvider = Words.Provider

/** Puts values into `{places}` of a sentence. */
export function fill(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

export function useKitWords(): KitWords {
  return useContext(Words)
}
