import { type RawBuilder, sql } from 'kysely'
import { mayDo, type Permission } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { ReadDb } from '#platform/db/database'
import { type Entity, entities } from './rules-names.ts'
import type { NameOf } from './rules-words.ts'

const eventName = sql`u.name || case when e.level > 1 then ' ' || e.level else '' end || ', ' || e.season`
const ofEvent = sql`join events e on e.id = x.event_id join subjects u on u.letter = e.letter`

/** Where each kind of record `x` has its name. */
const sources: Record<Exclude<Entity, 'subject'>, RawBuilder<unknown>> = {
  user: sql`x.name from users x`,
  staff: sql`x.name from staff x`,
  school: sql`x.code || ' ' || x.name from schools x`,
  student: sql`x.name from students x`,
  event: sql`u.name || case when x.level > 1 then ' ' || x.level else '' end || ', ' || x.season
    from events x join subjects u on u.letter = x.letter`,
  result_set: sql`${eventName} || ' (' || x.version || ')' from result_sets x ${ofEvent}`,
  participation: sql`${eventName} from participations x ${ofEvent}`,
  slot: sql`${eventName} from exam_slots x ${ofEvent}`,
  designation: sql`x.name from designations x`,
  title: sql`x.name from titles x`,
  state: sql`x.name from states x`,
  zone: sql`x.name from zones x`,
  district: sql`x.name from districts x`,
  holiday: sql`x.name from holidays x`,
  payment: sql`x.reference from payments x`,
  'bank-line': sql`coalesce(nullif(x.utr, ''), left(x.narration, 40)) from bank_lines x`,
  'bank-statement': sql`x.file_name from bank_statements x`,
  'library-line': sql`u.name || ' × ' || x.quantity from library_lines x ${ofEvent}`,
  application: sql`x.school_name from applications x`,
  contact: sql`x.name from contacts x`,
  invitation: sql`x.name from school_invitations x`,
  courier: sql`x.name from couriers x`,
  notice: sql`x.title from notices x`,
  question: sql`left(x.question, 60) from teacher_questions x`,
  view: sql`x.name from saved_views x`,
}

/** Names that not everybody in the office may read; a role without the permission sees that there is one. */
const namePermissions: Partial<Record<Entity, Permission>> = {
  payment: 'payments.read',
  'bank-line': 'payments.read',
  'bank-statement': 'payments.read',
  'library-line': 'payments.read',
}

const hidden = '•••'

/**
 * The names of records in one question, however many lines name them. `gone:` and the number for one that was deleted,
 * dots for what the role may not read.
 */
export async function namesOf(
  db: ReadDb,
  scope: OfficeScope,
  wanted: Iterable<readonly [Entity, string]>,
): Promise<NameOf> {
  const ids = new Map<Entity, Set<string>>(entities.map((entity) => [entity, new Set()]))
  for (const [entity, id] of wanted) ids.get(entity)?.add(id)
  const asked = [...ids].filter(([, some]) => some.size > 0)
  const parts = asked.flatMap(([entity, some]) => {
    const permission = namePermissions[entity]
    if (permission !== undefined && !mayDo(scope.role, permission)) return []
    if (entity === 'subject')
      return sql`select 'subject' as entity, x.letter as id, x.name from subjects x where x.letter = any(${[...some]}::text[])`
    const numbers = [...some].filter((id) => /^\d{1,15}$/.test(id)).map(Number)
    return sql`select ${entity}::text as entity, x.id::text as id, ${sources[entity]} where x.id = any(${numbers}::bigint[])`
  })
  if (parts.length === 0) return (entity) => (namePermissions[entity] === undefined ? undefined : hidden)
  const { rows } = await sql<{ entity: Entity; id: string; name: string | null }>`
    select n.entity, n.id, n.name from (${sql.join(parts, sql` union all `)}) n (entity, id, name)`.execute(
    db,
  )
  const names = new Map(rows.map(({ entity, id, name }) => [`${entity} ${id}`, name ?? '']))
  return (entity, id) => {
    const permission = namePermissions[entity]
    if (permission !== undefined && !mayDo(scope.role, permission)) return hidden
    return names.get(`${entity} ${id}`) ?? (entity === 'subject' ? undefined : `gone:${id}`)
  }
}
