import { type BookKind, bookKindsOf } from '@podium/contract/classes'
import { priceChoice } from '@podium/contract/students/rules-fee'
import { studentFields } from '@podium/contract/students/schemas'
import { demoFamilyLink } from '../src/features/accounts/demo/rules.ts'
import { readCatalogue, type SeasonCatalogue } from '../src/features/catalogue/queries.ts'
import { importRows } from '../src/features/students/import/commands-rows.ts'
import type { GoodRow } from '../src/features/students/import/rules-classify.ts'
import { codeHash, seal } from '../src/platform/auth/secrets.ts'
import type { DemoSeason } from './calendar.ts'
import { bookShare, type Child, classAt, subjectsFor } from './children.ts'
import { randomOf } from './random.ts'
import type { School, World } from './world.ts'

/** Gives the next roll no in a class and section. */
export type Rolls = Map<string, number>

interface Batch {
  school: School
  season: DemoSeason
  now: Date
  children: readonly Child[]
  /** How many years ago the season was: so many classes lower */
  yearsAgo: number
  rolls: Rolls
}

/** Two years ago the schools took part in these alone. */
const subjectsOfBeginnings = ['M', 'S', 'E', 'G', 'A', 'B']

function nextRoll(rolls: Rolls, classId: number, section: string): number {
  const key = `${classId} ${section}`
  const roll = (rolls.get(key) ?? 0) + 1
  rolls.set(key, roll)
  return roll
}

function rowOf(batch: Batch, catalogue: SeasonCatalogue, child: Child, row: number): GoodRow | undefined {
  const classId = classAt(child.place - batch.yearsAgo)
  if (classId === undefined) return undefined
  const random = randomOf(`${child.key} in ${batch.season.label}`)
  const offer = catalogue.offerTo(classId)
  const letters = subjectsFor(
    random,
    offer
      .map(({ letter }) => letter)
      .filter((letter) => batch.yearsAgo < 2 || subjectsOfBeginnings.includes(letter)),
  )
  const books: Record<BookKind, string[]> = { cb: [], pyqp: [], geneX: [], tb: [], wb: [] }
  for (const kind of bookKindsOf(classId)) {
    books[kind] = offer
      .filter(({ letter, books: made }) => letters.includes(letter) && made[kind] !== undefined)
      .filter(() => random.chance(bookShare(classId, kind)))
      .map(({ letter }) => letter)
  }
  const fields = studentFields.parse({
    classId,
    section: child.section,
    rollno: nextRoll(batch.rolls, classId, child.section),
    studentName: child.name,
    parentName: child.parentName,
    parentEmailId: child.parentEmail,
    parentMobileNo: child.parentMobile,
    subjectName: letters.join(),
    ...Object.fromEntries(Object.entries(books).map(([kind, chosen]) => [kind, chosen.join()])),
  })
  const { fee } = priceChoice(offer, { subjects: fields.subjectName, books })
  return { row, fields, fee }
}

/** Gives the family of the demo page, whose children are entered, a link and a code that stay the same in every world. */
export async function nameFamilyLink({ db, deps }: World, school: School, season: DemoSeason): Promise<void> {
  const { id, code, mobile } = demoFamilyLink
  await db.transaction().execute(async (tx) => {
    const made = await tx
      .updateTable('family_links')
      .set({ parent_mobile: '' })
      .where('school_id', '=', school.id)
      .where('season', '=', season.label)
      .where('parent_mobile', '=', mobile)
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('family_links')
      .values({
        id,
        school_id: school.id,
        season: season.label,
        parent_mobile: mobile,
        access_code_hash: codeHash(deps.keys, id, code),
        access_code_sealed: seal(deps.keys, code),
        created_at: season.at(0.26),
      })
      .execute()
    await tx
      .updateTable('students')
      .set({ family_link_id: id })
      .where('family_link_id', '=', made.id)
      .execute()
    await tx.deleteFrom('family_links').where('id', '=', made.id).execute()
  })
}

/** Enters children as a confirmed import does, a piece at a time, by the rules and prices of the season. */
export async function enrol(world: World, batch: Batch): Promise<void> {
  const { db, deps } = world
  const { school, season, now } = batch
  const catalogue = await readCatalogue(db, season.label, now)
  if (!catalogue) throw new Error(`there is no season ${season.label}`)
  const rows = batch.children
    .map((child, index) => rowOf(batch, catalogue, child, index + 2))
    .filter((row) => row !== undefined)
  const importId = `demo-${school.seed.code}-${season.label}`
  for (let first = 0; first < rows.length; first += 200) {
    const piece = rows.slice(first, first + 200)
    const into = { season: season.label, importId, catalogue }
    const { imported, refused } = await db
      .transaction()
      .execute((tx) => importRows(tx, school.scope, deps.keys, now, into, piece))
    if (imported < piece.length) throw new Error(`not entered: ${JSON.stringify(refused.slice(0, 3))}`)
  }
}
