/** A class by its id in the calls: Nursery 15, LKG 13, UKG 14, Class 1 to 12 = 1 to 12 (specification, section 9). */
export interface ClassName {
  classId: number
  className: string
}

/** All classes in the order in which a child passes through them. */
export const classes: readonly ClassName[] = [
  { classId: 15, className: 'Nursery' },
  { classId: 13, className: 'LKG' },
  { classId: 14, className: 'UKG' },
  ...Array.from({ length: 12 }, (_, i) => ({ classId: i + 1, className: `Class ${i + 1}` })),
]

const byId = new Map(classes.map((c) => [c.classId, c.className]))

/** `Class 7`, `LKG`; throws for an id that is no class, which is a fault of the caller. */
export function className(classId: number): string {
  const name = byId.get(classId)
  if (name === undefined) throw new RangeError(`no class has the id ${classId}`)
  return name
}

/** The short name of a class in summaries: `7`, `LKG`. */
export function classCode(classId: number): string {
  return className(classId).replace('Class ', '')
}

export function isClassId(classId: number): boolean {
  return byId.has(classId)
}

/** Little-star classes have Text Book and Work Book only. */
export function isLittleStarClass(classId: number): boolean {
  return classId >= 13
}

/** Letters of the little-star subjects. */
export const littleStarLetters: readonly string[] = ['A', 'B', 'C', 'J']

/** Sections to choose from: a dash for none, then A to Z. */
export const sections: readonly string[] = ['-', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Book kinds as the calls name them, with the words of the screens. */
export const bookKinds = ['cb', 'pyqp', 'geneX', 'tb', 'wb'] as const
export type BookKind = (typeof bookKinds)[number]
export const bookNames: Record<BookKind, string> = {
  cb: 'Comprehensive Book',
  pyqp: 'Previous Test Paper',
  geneX: 'Olympiad Excellence Guide',
  tb: 'Text Book',
  wb: 'Work Book',
}

/** The book kinds that a class can order: two for little stars, three for the others. */
export function bookKindsOf(classId: number): readonly BookKind[] {
  return isLittleStarClass(classId) ? ['tb', 'wb'] : ['cb', 'pyqp', 'geneX']
}

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
