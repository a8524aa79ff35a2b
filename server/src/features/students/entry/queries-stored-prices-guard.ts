import { type RawBuilder, sql } from 'kysely'

/** Parts of the guard of a save: which prices are as good as the list's for this student. */

interface Known {
  /** 0 for a new one */
  id: number
  fields: { classId: number }
  /** The import that is taken back */
  putsBack?: string
}

/** A price at which the student stood before an import that is taken back; `part` is one of the kept lists. */
const stoodAt = ({ id, putsBack, fields }: Known, part: 'fees' | 'books', same: RawBuilder<unknown>) =>
  putsBack === undefined
    ? sql``
    : sql`or exists (
        select from student_import_changes c cross join lateral jsonb_to_recordset(c.prices -> ${part}::text)
          as x ("eventId" bigint, kind text, price int, retained int, late int)
        where c.import_id = ${putsBack} and c.student_id = ${id} and (c.prices ->> 'classId')::int = ${fields.classId} and ${same})`

/** What a student is enrolled in already is as good as the price list: it keeps its own price. */
export const keptFee = (draft: Known) =>
  draft.id === 0
    ? sql``
    : sql`or exists (select from enrolments k where k.student_id = ${draft.id} and k.event_id = w.event_id
        and k.class_id = ${draft.fields.classId} and k.fee = w.fee and k.retained = w.retained and k.late_fee = w.late)
        ${stoodAt(draft, 'fees', sql`x."eventId" = w.event_id and x.price = w.fee and x.retained = w.retained and x.late = w.late`)}`
/** In another class, too. */
export const keptLate = ({ id }: Known) =>
  id === 0
    ? sql``
    : sql`or exists (select from enrolments k where k.student_id = ${id} and k.event_id = w.event_id and k.late_fee = w.late)`
export const keptBook = (draft: Known) =>
  draft.id === 0
    ? sql``
    : sql`or exists (select from book_choices k where k.student_id = ${draft.id} and k.event_id = b.event_id
        and k.kind = b.kind and k.class_id = ${draft.fields.classId} and k.price = b.price and k.retained = b.retained)
        ${stoodAt(draft, 'books', sql`x."eventId" = b.event_id and x.kind = b.kind and x.price = b.price and x.retained = b.retained`)}`
