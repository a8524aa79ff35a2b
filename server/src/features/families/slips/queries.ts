import { className } from '@podium/contract/classes'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import { type Keys, unseal } from '#platform/auth/secrets'
import type { Db } from '#platform/db/database'

interface SlipChild {
  name: string
  className: string
  section: string
}

/** What one family is handed: its link, its code and the children behind them, the first entered first. */
export interface Slip {
  linkId: string
  /** As it is typed on the family's page, in groups of four */
  code: string
  children: SlipChild[]
}

/**
 * The slips of the families of these students, each once, in the order of the students. Only children of the scope's
 * school whose link is in force count; a family's slip names all its children, also those not asked for.
 */
export async function findSlips(
  db: Db,
  keys: Keys,
  scope: SchoolScope,
  studentIds: readonly number[],
): Promise<Slip[]> {
  const { rows } = await sql<{ id: string; sealed: string; children: (SlipChild & { classId: number })[] }>`
    with asked as (
      select st.family_link_id as link_id, min(a.place) as place
      from unnest(${studentIds}::bigint[]) with ordinality as a (id, place) join students st on st.id = a.id
      where st.school_id = ${scope.schoolId} and st.active
      group by st.family_link_id
    )
    select l.id, l.access_code_sealed as sealed, (
        select jsonb_agg(jsonb_build_object('name', c.name, 'classId', c.class_id, 'section', c.section) order by c.id)
        from students c where c.family_link_id = l.id and c.active) as children
    from asked join family_links l on l.id = asked.link_id and l.revoked_at is null
    order by asked.place`.execute(db)
  return rows.map(({ id, sealed, children }) => ({
    linkId: id,
    code: inFours(unseal(keys, sealed)),
    children: children.map(({ name, classId, section }) => ({
      name,
      className: className(classId),
      section,
    })),
  }))
}

const inFours = (code: string) => code.replace(/.{4}(?=.)/g, '$& ')
