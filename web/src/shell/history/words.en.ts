/** The words of a record's history, and of what stands in it. */
export const en = {
  history: 'History',
  noHistory: 'Nothing has happened yet.',
  older: 'Older',
  byOffice: 'Foundation',
  byAccount: 'School',
  byFamily: 'Family',
  bySystem: 'Podium',
  actingFor: 'acting for {name}',
  changes: { one: '{n} change', other: '{n} changes' },
  from: 'from',
  to: 'to',
  nothingThere: 'empty',
}
