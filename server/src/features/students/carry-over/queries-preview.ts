import { classes, className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { paise, rupees } from '@podium/contract/money'
import type { Season } from '@podium/contract/season'
import type { CarryOptions, CarryRow, previewCarryOver } from '@podium/contract/students/calls-carry-over'
import { amountFields, type StudentFee } from '@podium/contract/students/rules-fee'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { totalFee } from '../import/rules.ts'
import { openOffers, planFor } from './queries.ts'
import type { PlannedRow } from './rules.ts'

const nothing: StudentFee = {
  regAmount: paise(0),
  schoolExpenses: paise(0),
  bookAmount: paise(0),
  bookSchoolExpenses: paise(0),
}

function carryRow({ last, priced, other, ...row }: PlannedRow): CarryRow {
  const lines = priced?.registration ?? []
  return {
    studentId: last.id,
    studentName: last.name,
    parentName: last.parentName,
    parentMobileNo: last.parentMobile,
    fromClassId: last.classId,
    fromSection: last.section,
    fromRollNo: last.rollNo,
    state: row.state,
    classId: row.classId,
    section: row.section,
    rollNo: row.rollNo,
    subjectName: lines.map(({ name }) => name).join(','),
    eventLetter: lines.map(({ letter }) => letter).join(','),
    bookCount: priced?.books.length ?? 0,
    ...amountFields(priced?.fee ?? nothing),
    level2: last.level2,
    proposed: row.proposed,
    looks: row.looks,
    issues: row.issues,
    other: other
      ? {
          id: other.id,
          studentName: other.name,
          className: className(other.classId),
          section: other.section,
          rollNo: other.rollNo,
        }
      : null,
  }
}

/** What carrying over would do, as a difference, with its totals and what the classes can choose from. */
export async function carryPreview(
  db: Db,
  scope: SchoolScope,
  now: Date,
  season: Season,
  options: CarryOptions,
): Promise<AnswerOf<typeof previewCarryOver>> {
  const { from, rows, digest, catalogue, closed } = await planFor(db, scope, now, season, options)
  const entering = rows.filter(({ proposed, fields }) => proposed && fields)
  const open = openOffers(catalogue, closed)
  const wanted = new Set(rows.filter(({ state }) => state === 'new').map(({ classId }) => classId))
  const count = (test: (row: PlannedRow) => boolean) => rows.filter(test).length
  return {
    fromSeason: from,
    digest,
    rows: rows.map(carryRow),
    offers: classes
      .filter(({ classId }) => wanted.has(classId))
      .map(({ classId }) => ({
        classId,
        subjects: open(classId).map(({ letter, name, price }) => ({
          eventLetter: letter,
          subjectName: name,
          eventFee: rupees(price),
        })),
      })),
    totals: {
      enter: entering.length,
      look: count(({ state, looks, issues }) => state === 'new' && looks.length + issues.length > 0),
      there: count(({ state }) => state === 'there'),
      leaves: count(({ state }) => state === 'leaves'),
      ...amountFields(totalFee(entering.map(({ priced }) => ({ fee: priced?.fee ?? nothing })))),
    },
  }
}
