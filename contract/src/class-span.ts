import { classes } from './classes.ts'

/** `LKG, 1–3, 7`: classes in the order in which a child passes through them, neighbours joined. */
export function classSpan(classIds: readonly number[]): string {
  const wanted = new Set(classIds)
  const runs: string[][] = []
  let run: string[] | undefined
  for (const { classId, className } of classes) {
    if (!wanted.has(classId)) {
      run = undefined
      continue
    }
    if (!run) {
      run = []
      runs.push(run)
    }
    run.push(className.replace('Class ', ''))
  }
  return runs.map((one) => (one.length > 2 ? `${one[0]}–${one.at(-1)}` : one.join(', '))).join(', ')
}
