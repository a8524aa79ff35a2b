/** A class and its id: Nursery 15, LKG 13, UKG 14, Class 1 to 12 = 1 to 12 (specification, section 9). */
interface ClassName {
  classId: number
  className: string
}

/** All classes, in ascending order of age. */
export const classes: readonly ClassName[] = [
  { classId: 15, className: 'Nursery' },
  { classId: 13, className: 'LKG' },
  { classId: 14, className: 'UKG' },
  ...Array.from({ length: 12 }, (_, i) => ({ classId: i + 1, className: `Class ${i + 1}` })),
]

const byId = new Map(classes.map((c) => [c.classId, c.className]))

/** Returns `Class 7`, `LKG`; throws for an id that is no class, which is a programming error. */
export function className(classId: number): string {
  const name = byId.get(classId)
  if (name === undefined) throw new RangeError(`no class has the id ${classId}`)
  return name
}

/** Returns the short name of a class for summaries: `7`, `LKG`. */
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

/** Subject letters for little-star classes. */
export const littleStarLetters: readonly string[] = ['A', 'B', 'C', 'J']

/** Sections to choose from: a dash for none, then A to Z. */
export const sections: readonly string[] = ['-', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Kinds of books by their names in calls, with their labels. */
export const bookKinds = ['cb', 'pyqp', 'geneX', 'tb', 'wb'] as const
export type BookKind = (typeof bookKinds)[number]
export const bookNames: Record<BookKind, string> = {
  cb: 'Comprehensive Book',
  pyqp: 'Previous Test Paper',
  geneX: 'Olympiad Excellence Guide',
  tb: 'Text Book',
  wb: 'Work Book',
}
export const hindiBookNames: Record<BookKind, string> = {
  cb: 'व्यापक पुस्तक',
  pyqp: 'पिछला प्रश्नपत्र',
  geneX: 'ओलंपियाड उत्कृष्टता गाइड',
  tb: 'पाठ्यपुस्तक',
  wb: 'अभ्यास पुस्तिका',
}

/** The kinds of books a class can order: two for little stars, three for the others. */
export function bookKindsOf(classId: number): readonly BookKind[] {
  return isLittleStarClass(classId) ? ['tb', 'wb'] : ['cb', 'pyqp', 'geneX']
}

/** Formats classes as `LKG, 1–3, 7`: in ascending order of age, neighbours joined. */
export function classSpan(classIds: readonly number[]): string {
  const ids = new Set(classIds)
  const runs: string[][] = []
  let run: string[] | undefined
  for (const { classId, className } of classes) {
    if (!ids.has(classId)) {
      run = undefined
      continue
    }
    if (!run) {
      run = []
      runs.push(run)
    }
    run.push(className.replace('Class ', ''))
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(', '))).join(', ')
}

/** Replaces the names of classes in a short text: `Class 7 B, 2025-26`, `Nursery–UKG`. */
export const replaceClassNames = (text: string, translate: (name: string) => string): string =>
  text.replace(/Class \d+|Nursery|LKG|UKG/g, (name) => translate(name))
