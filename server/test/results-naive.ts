interface Sat {
  school: number
  state: string
  zone: string
  classId: number
  present: boolean
  marks: readonly number[]
  weight: number
}

/** Whether one result is strictly better: final score, then the sections in order. */
function beats(a: Sat, b: Sat): boolean {
  const total = (sat: Sat) =>
    Math.round((sat.marks.reduce((sum, mark) => sum + mark, 0) + sat.weight) * 10_000)
  if (total(a) !== total(b)) return total(a) > total(b)
  for (const [index, mark] of a.marks.entries()) {
    const other = b.marks[index] ?? 0
    if (mark !== other) return mark > other
  }
  return false
}

/** The rank by its definition: one more than there are better ones in the pool. Class, state, zonal, olympiad. */
export function naiveRanks(all: readonly Sat[]): (number | null)[][] {
  return all.map((own) => {
    if (!own.present) return [null, null, null, null]
    const pools: ((other: Sat) => boolean)[] = [
      (other) => other.school === own.school,
      (other) => other.state === own.state,
      (other) => other.zone === own.zone,
      () => true,
    ]
    return pools.map(
      (within) =>
        1 + all.filter((o) => o.present && o.classId === own.classId && within(o) && beats(o, own)).length,
    )
  })
}
