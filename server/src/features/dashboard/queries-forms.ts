import type { BookKind } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

/** Paise: the lowest and the highest of the classes that it is offered to */
export type Span = readonly [number, number]

export interface FormSubject {
  letter: string
  name: string
  littleStar: boolean
  mode: string
  firstDate: string | null
  secondDate: string | null
  /** The date that the school has chosen, if it has */
  chosenDate: string | null
  closesOn: string
  fee: Span
  /** null where the book is not made */
  prices: Record<Lowercase<BookKind>, Span | null>
}

export interface FormContact {
  name: string
  designation: string
  title: string
  mobile: string
  email: string
}

export interface FormData {
  /** To be filled in by hand: of the school its code and name alone */
  blank: boolean
  season: Season
  school: {
    code: string
    name: string
    address: string
    city: string
    district: string
    state: string
    country: string
    pin_code: string
    email: string
    phone: string
    landline: string
    website: string
    affiliation_no: string
    udise_code: string
  }
  subjects: FormSubject[]
  contacts: FormContact[]
  /** Active students and books by class and letter, as they are known now */
  counts: Array<{ classId: number; letter: string; students: number }>
  students: Array<{
    classId: number
    section: string
    rollNo: number
    name: string
    letters: string
    books: string
  }>
  /** Copies for the library, as ordered so far; price in paise */
  library: Array<{ subject: string; classId: number; kind: BookKind; copies: number; price: number }>
}

/** The same form with nothing filled in but whose it is. */
export function blankOf(data: FormData): FormData {
  const { code, name } = data.school
  const nothing = Object.fromEntries(Object.keys(data.school).map((key) => [key, '']))
  const school = { ...nothing, code, name } as FormData['school']
  const subjects = data.subjects.map((subject) => ({ ...subject, chosenDate: null }))
  return { ...data, blank: true, school, subjects, contacts: [], counts: [], students: [], library: [] }
}

const books = ['cb', 'pyqp', 'genex', 'tb', 'wb']
const span = (price: RawBuilder<unknown>) =>
  sql`case when max(${price}) is not null then jsonb_build_array(min(${price}), max(${price})) end`

/** All that the three forms are filled with; undefined where there is no such season. */
export async function readFormData(
  db: Db,
  scope: SchoolScope,
  season: Season,
): Promise<FormData | undefined> {
  const school = await db
    .selectFrom('schools')
    .select([
      'code',
      'name',
      'address',
      'city',
      'district',
      'state',
      'country',
      'pin_code',
      'email',
      'phone',
      'landline',
      'website',
      'affiliation_no',
      'udise_code',
    ])
    .where('id', '=', scope.schoolId)
    .executeTakeFirst()
  const subjects = await sql<FormSubject>`
    select e.letter, sub.name, sub.little_star as "littleStar", e.mode, e.closes_on as "closesOn",
      (select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 1) as "firstDate",
      (select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 2) as "secondDate",
      (select d.held_on from participations p join exam_dates d on d.id = p.exam_date_id
        where p.event_id = e.id and p.school_id = ${scope.schoolId}) as "chosenDate",
      ${span(sql.ref('f.fee'))} as fee,
      jsonb_build_object(${sql.join(books.map((kind) => sql`${sql.lit(kind)}, ${span(sql.ref(`f.${kind}`))}`))}) as prices
    from events e join subjects sub on sub.letter = e.letter join event_fees f on f.event_id = e.id
    where e.season = ${season} and e.level = 1
    group by e.id, sub.letter
    order by sub.position`.execute(db)
  if (!school || subjects.rows.length === 0) return undefined
  const contacts = await sql<FormContact>`
    select c.name, d.name as designation, t.name as title, c.mobile, c.email
    from contacts c join designations d on d.id = c.designation_id join titles t on t.id = c.title_id
    where c.school_id = ${scope.schoolId} and c.active and c.season = ${season}
    order by d.position, c.id limit 4`.execute(db)
  const counts = await sql<FormData['counts'][number]>`
    select st.class_id as "classId", letter, count(*) as students
    from students st, unnest(string_to_array(st.letters, ',')) as letter
    where st.school_id = ${scope.schoolId} and st.season = ${season} and st.active
    group by st.class_id, letter`.execute(db)
  const students = await sql<FormData['students'][number]>`
    select class_id as "classId", section, roll_no as "rollNo", name, letters,
      concat_ws('; ', nullif('CB: ' || cb, 'CB: '), nullif('PTP: ' || pyqp, 'PTP: '), nullif('OEG: ' || genex, 'OEG: '),
        nullif('TB: ' || tb, 'TB: '), nullif('WB: ' || wb, 'WB: ')) as books
    from students where school_id = ${scope.schoolId} and season = ${season} and active
    order by array_position(array[15,13,14,1,2,3,4,5,6,7,8,9,10,11,12], class_id), section, roll_no, id`.execute(
    db,
  )
  const library = await sql<FormData['library'][number]>`
    select sub.name as subject, l.class_id as "classId", l.kind, sum(l.quantity)::int as copies, l.price
    from library_lines l join events e on e.id = l.event_id join subjects sub on sub.letter = e.letter
    where l.school_id = ${scope.schoolId} and l.season = ${season} and l.active
    group by sub.name, sub.position, l.class_id, l.kind, l.price
    order by l.class_id, sub.position, l.kind`.execute(db)
  return {
    blank: false,
    library: library.rows,
    season,
    school,
    subjects: subjects.rows,
    contacts: contacts.rows,
    counts: counts.rows,
    students: students.rows,
  }
}
