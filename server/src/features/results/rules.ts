/** Scores are stored in whole ten-thousandths of a mark, because the weights that break ties are that fine. */
export const markUnit = 10_000

/** Whether decisions about unusual rows of a version in this state can be undone: true, or the code of the refusal. */
export function reopenable(state: string): true | 'results.anomalies_kept' | 'results.wrong_state' {
  if (state === 'imported' || state === 'computed') return true
  return state === 'approved' || state === 'released' || state === 'superseded'
    ? 'results.anomalies_kept'
    : 'results.wrong_state'
}
