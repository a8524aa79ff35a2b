import { className } from '@podium/contract/classes'
import { type Paise, rupees } from '@podium/contract/money'
import { sql } from 'kysely'
import { lettersOf, signedOffLetters } from '#features/students/sign-off/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { SerializedJson } from '#platform/http/http'
import {
  findStudents,
  type StudentFilter,
  seasonDoors,
  studentValues,
  wantedStudents,
  youngestFirst,
} from './queries.ts'
import { allowances, type SeasonDoors } from './rules.ts'

/** Between columns and rows of one text; no name has them. */
const [unit, record] = ['\u001f', '\u001e']
const columns = 27
/** What JSON writes otherwise than as it stands. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const toEscape = /["\\\u0000-\u001d\u007f\u2028\u2029\ud800-\udfff]/

/**
 * The list of `findStudents` in words of the call. The rows come as one text and leave as one: reading two thousand
 * values one by one and making objects of them takes eight times as long. Where a text has what can't be told from the
 * marks between the columns, the rows are read one by one.
 */
export async function listStudents(db: Db, scope: SchoolScope, now: Date, filter: StudentFilter) {
  const doors = await seasonDoors(db, filter.season, now)
  const { rows } = await sql<{ signed_off: string; text: string | null }>`
    select ${signedOffLetters(scope.schoolId, filter.season)} as signed_off, (
      select string_agg(concat_ws(${unit}, ${studentValues}), ${record} order by st.class_id, st.section, st.roll_no, st.id)
      from students st where ${wantedStudents(scope, filter)}) as text`.execute(db)
  const [found] = rows
  if (!found || found.text === null) return new SerializedJson('[]')
  const lines = found.text.split(record).map((line) => line.split(unit))
  if (lines.some(({ length }) => length !== columns)) return findStudents(db, scope, now, filter)
  const write = rowWriter(
    { ...doors, signedOff: lettersOf(found.signed_off) },
    toEscape.test(found.text.replaceAll(record, '').replaceAll(unit, ''))
      ? JSON.stringify
      : (text) => `"${text}"`,
  )
  return new SerializedJson(
    `[${youngestFirst(lines.map((line) => ({ class_id: Number(line[1]), line })))
      .map(({ line }) => write(line))
      .join(',')}]`,
  )
}

/** Writes a row as `studentRow` would have it, from its columns as the database spells them. */
function rowWriter(
  doors: SeasonDoors,
  text: (value: string) => string,
): (columns: readonly string[]) => string {
  const cans = new Map<string, string>()
  const can = (active: string, paid: string, locked: string, cancelled: string, letters: string) => {
    const key = active + paid + locked + cancelled + letters
    const known = cans.get(key)
    if (known !== undefined) return known
    const is = (column: string) => column === 't'
    const standing = {
      ...{ active: is(active), paid: is(paid), locked: is(locked), cancelled: is(cancelled) },
      letters,
    }
    const made = JSON.stringify(allowances(standing, doors))
    cans.set(key, made)
    return made
  }
  const amount = (paise = '0') => rupees(Number(paise) as Paise)
  return (line) => {
    const [
      id = '',
      classId,
      section = '',
      rollNo,
      name = '',
      parent = '',
      email = '',
      mobile = '',
      active = '',
      paid = '',
      locked = '',
      cancelled = '',
      subjects = '',
      letters = '',
      cb = '',
      pyqp = '',
      genex = '',
      tb = '',
      wb = '',
      reg,
      retained,
      late,
      book,
      bookRetained,
      books,
      version,
      sent = '',
    ] = line
    return (
      `{"id":${id},"individualRegId":${id},"bookRegId":${books === '0' ? 0 : id},"classId":${classId},` +
      `"className":"${className(Number(classId))}","studentName":${text(name)},"section":${text(section)},"rollNo":${rollNo},` +
      `"parentName":${text(parent)},"parentEmailId":${text(email)},"parentMobileNo":${text(mobile)},` +
      `"subjectName":${text(subjects)},"eventLetter":${text(letters)},"cb":${text(cb)},"pyqp":${text(pyqp)},` +
      `"genex":${text(genex)},"tb":${text(tb)},"wb":${text(wb)},"bookCount":${books},"currency":"INR",` +
      `"regAmount":${amount(reg)},"bookAmount":${amount(book)},"school_Expenses":${amount(retained)},` +
      `"book_school_Expenses":${amount(bookRetained)},"lateFee":${amount(late)},"status":${active === 't'},` +
      `"paymentStatus":${paid === 't'},"registrationSent":${sent === 't'},"version":${version},"can":${can(active, paid, locked, cancelled, letters)}}`
    )
  }
}
