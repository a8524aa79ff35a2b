/** A final score as the table shows it: four decimals, like the weights that break ties. */
export const finalScore = (marks: number): string => marks.toFixed(4)

/** A raw score: as many decimals as it has. */
export const rawScore = (marks: number): string => String(marks)
