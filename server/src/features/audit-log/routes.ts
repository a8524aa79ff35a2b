import * as calls from '@podium/contract/audit-log/calls'
import { codeAsWords } from '@podium/contract/audit-log/words'
import actionNames from '@podium/contract/audit-log/words-actions.en.json' with { type: 'json' }
import fieldNames from '@podium/contract/audit-log/words-fields.en.json' with { type: 'json' }
import kindNames from '@podium/contract/audit-log/words-kinds.en.json' with { type: 'json' }
import valueNames from '@podium/contract/audit-log/words-values.en.json' with { type: 'json' }
import { mailName } from '@podium/contract/office/words'
import { officeSchoolHistory } from '@podium/contract/schools/calls-record'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { bankLinesLike, packetsLike, paymentsLike } from '#features/office/search/queries'
import { schoolRecord } from '#features/schools/register/queries-years'
import { notifyOfExport } from '#features/staff/commands-owners'
import { ofName } from '#features/students/register/queries'
import { audit } from '#platform/audit'
import { mayDo, type Permission } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { ReadDb } from '#platform/db/database'
import { hasWords, searchWords } from '#platform/db/list-queries'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { type ListColumn, sheetFile, timestampCell } from '#platform/sheets/spreadsheet-write'
import * as queries from './queries.ts'
import { codeOf } from './rules-words.ts'

/** The words of a line. The index audit_words has exactly this expression, and excludes lines of new students. */
const wordsOfLine = sql`
  array_to_tsvector(array_remove(regexp_split_to_array(lower(left(regexp_replace(
    a.actor_name || ' ' || a.acting_for || ' ' || jsonb_path_query_array(a.change, '$.** ? (@.type() == "object").keyvalue()
      ? (@.key != "parentName" && @.key != "parentEmail" && @.key != "parentMobile" && @.key != "fileId" && @.key != "jobId"
        && @.key != "import" && @.key != "invitation" && @.key != "sort").value[*] ? (@.type() == "string")')::text,
    '(\\S{200})', '\\1 ', 'g'), 20000)), '(?:\\\\.|[\\x01-/:-@[-\\x60{-\\xbf\\u0964\\u0965\\u2000-\\u206f\\u20b9])+'), ''))`

const betweenWords = /[\s!-/:-@[-`{-\u00bf\u0964\u0965\u2000-\u206f\u20b9]+/
/** Of records that share a name, the newest this many; add the school to the search to find others. */
const maxNamed = 200

/**
 * Lines that match a search: by a user or school of that name, containing the words, or about records with that name. A
 * school's code among the words restricts the search to that school.
 */
async function searched(
  db: ReadDb,
  scope: OfficeScope,
  typed: string,
): Promise<queries.SearchMatches | undefined> {
  if (typed === '') return
  const parts = typed.normalize('NFC').split(/\s+/)
  const { rows: schools } = await sql<{ id: number; code: string }>`
    select o.id, c.code from schools c join schools o on o.id = c.id or o.merged_into = c.id
    where c.code = any(${parts.map((part) => part.toUpperCase())}::text[])`.execute(db)
  const codes = new Set(schools.map(({ code }) => code))
  const ofSchool =
    codes.size === 0 ? sql`true` : sql`a.school_id = any(${schools.map(({ id }) => id)}::bigint[])`
  const text = parts.filter((part) => !codes.has(part.toUpperCase())).join(' ')
  if (text === '') return { lines: [ofSchool], records: [] }
  const words = text.split(betweenWords).filter(Boolean)
  if (words.length === 0) return { lines: [], records: [] }
  const query = words.map((word, index) => `'${word}'${index === words.length - 1 ? ':*' : ''}`).join(' & ')
  const lines = [
    sql`a.action not in ('student.added', 'student.imported') and ${wordsOfLine} @@ lower(${query})::tsquery`,
    await queries.peopleNamed(db, text),
    ...(await schoolsNamed(db, scope, text)),
  ]
  const records = await recordsNamed(db, scope, text)
  const here = (part: RawBuilder<unknown>) => sql`${ofSchool} and ${part}`
  return { lines: lines.map(here), records: records.map(here) }
}

async function schoolsNamed(db: ReadDb, scope: OfficeScope, text: string): Promise<RawBuilder<unknown>[]> {
  if (!mayDo(scope.role, 'schools.read') || searchWords(text).join('').length < 3) return []
  const { rows } = await sql<{ id: number }>`
    select id from schools where ${hasWords(text, sql`search_key`)} limit ${maxNamed}`.execute(db)
  return rows.length === 0 ? [] : [sql`a.school_id = any(${rows.map(({ id }) => id)}::bigint[])`]
}

const kindsOf = {
  student: ['student', 'waiver'],
  payment: ['payment'],
  line: ['bank-line'],
  packet: ['packet'],
}

/** Students by name or exam roll no; payments, bank lines and parcels by number. Only kinds that the role may read. */
async function recordsNamed(db: ReadDb, scope: OfficeScope, text: string): Promise<RawBuilder<unknown>[]> {
  const ifRead = (permission: Permission, from: number, ...found: RawBuilder<unknown>[]) =>
    mayDo(scope.role, permission) && text.length >= from ? found : []
  const child = ofName(text)
  const found = [
    ...(child
      ? ifRead(
          'students.read',
          3,
          sql`(select 'student', s.id from students s where ${child} limit ${maxNamed})`,
        )
      : []),
    ...ifRead(
      'payments.read',
      4,
      sql`select 'payment', p.id from (${paymentsLike(text, maxNamed)}) p (id)`,
      sql`select 'line', l.id from ${bankLinesLike(text, maxNamed)} l (id)`,
    ),
    ...ifRead('dispatch.read', 1, sql`select 'packet', c.id from (${packetsLike(text, maxNamed)}) c (id)`),
  ]
  if (found.length === 0) return []
  const { rows } = await sql<{ kind: keyof typeof kindsOf; id: number }>`
    select f.kind, f.id from (${sql.join(found, sql` union all `)}) f (kind, id)`.execute(db)
  return Object.entries(kindsOf).flatMap(([kind, kinds]) => {
    const ids = rows.flatMap((row) => (row.kind === kind ? [String(row.id)] : []))
    return ids.length === 0
      ? []
      : [sql`(a.subject_kind = any(${kinds}::text[]) and a.subject_id = any(${ids}::text[]))`]
  })
}

const wordIn = (words: Readonly<Record<string, string>>, key: string) =>
  Object.hasOwn(words, key) ? words[key] : undefined

function fieldName(field: string): string {
  if (field.startsWith('=')) return field.slice(1)
  return wordIn(fieldNames, field.replaceAll(/[^a-zA-Z]/g, '').toLowerCase()) ?? codeAsWords(field)
}

/** A value in English; the screen translates it for the reader. */
function valueText(value: string, as: calls.AuditChange['as']): string {
  if (as === undefined || value === '') return value
  const textOf = (item: string) => {
    if (item.startsWith('gone:')) return valueNames.gone.replace('{id}', item.slice('gone:'.length))
    if (as === 'mails') return mailName(item)
    return (as === 'words' ? wordIn(valueNames, codeOf(item)) : undefined) ?? item
  }
  return value.split(', ').map(textOf).join(', ')
}

function changeText({ field, within = [], from, to, as }: calls.AuditChange): string {
  const name = [...within, ...(field === '' ? [] : [field])].map(fieldName).join(' · ')
  const before = from === '' ? '' : `${valueText(from, as)} → `
  return `${name === '' ? '' : `${name}: `}${before}${to === '' ? 'empty' : valueText(to, as)}`
}

const people = { office: 'Foundation', account: 'School', family: 'Family', system: 'System' }

/** In English like all office files. */
const columns: readonly ListColumn<calls.ChangeRow>[] = [
  { title: 'When', width: 22, value: (row) => timestampCell(row.at) },
  { title: 'Who', width: 28, value: (row) => row.actorName },
  { title: 'Signed in as', width: 24, value: (row) => row.actingFor },
  { title: 'Source', width: 14, value: (row) => wordIn(people, row.actorKind) ?? row.actorKind },
  {
    title: 'What',
    width: 28,
    value: (row) => wordIn(actionNames, row.action.replaceAll('.', '_')) ?? codeAsWords(codeOf(row.action)),
  },
  {
    title: 'Kind of record',
    width: 18,
    value: (row) => wordIn(kindNames, codeOf(row.subjectKind)) ?? codeAsWords(row.subjectKind),
  },
  {
    title: 'Record',
    width: 28,
    value: (row) =>
      valueText(row.subjectName, ['mail_text', 'list_entry'].includes(row.subjectKind) ? 'words' : 'names'),
  },
  { title: 'Record ID', width: 14, value: (row) => row.subjectId },
  { title: 'School code', width: 14, value: (row) => row.schCode },
  { title: 'School', width: 32, value: (row) => row.schName },
  { title: 'Change', width: 60, value: (row) => row.changes.map(changeText).join('; ') },
]

/** Routes of the activity log: the history of one record, and the whole log with search. */
export function auditLogRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps

  serve(app, deps, calls.recordHistory, 'office:signed-in', ({ scope, query }) =>
    queries.historyOf(db, scope, query),
  )

  serve(app, deps, officeSchoolHistory, 'office:schools.read', async ({ scope, query }) => {
    await schoolRecord(db, scope, query.id)
    return queries.schoolHistory(db, scope, query.id, query.before)
  })

  serve(app, deps, calls.changeList, 'office:changes.read', async ({ scope, query }) =>
    queries.changesPage(db, scope, query, await searched(db, scope, query.search)),
  )

  serve(app, deps, calls.changeActions, 'office:changes.read', ({ scope }) => queries.knownActions(db, scope))

  serve(app, deps, calls.exportChanges, 'office:changes.export', async ({ scope, body, now }) => {
    const { format, ...query } = body
    const rows = await reads.caughtUp(async (tx) =>
      queries.changesOfFilters(tx, scope, query, await searched(tx, scope, query.search)),
    )
    await db.transaction().execute(async (tx) => {
      const filters = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
      const change = { format, lines: rows.length, filters }
      await audit(tx, now, scope, 'changes.exported', { kind: 'changes', id: 'all' }, change)
      await notifyOfExport(tx, scope, now, 'the record of changes', rows.length)
    })
    return { file: sheetFile('Activity log', columns, rows, format) }
  })
}
