/** Scores are whole ten-thousandths of a mark inside: the weights that break ties are as fine as that. */
export const markUnit = 10_000

/** Whether decisions about odd rows of a version in this state can be taken back: true, or the code of the refusal. */
export function reopenable(state: string): true | 'results.anomalies_kept' | 'results.wrong_state' {
  if (state === 'imported' || state === 'computed') return true
  return state === 'approved' || state === 'released' || state === 'superseded'
    ? 'results.anomalies_kept'
    : 'results.wrong_state'
}
