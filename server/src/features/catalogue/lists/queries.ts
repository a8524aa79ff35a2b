import type { ListEntry, ListKind } from '@podium/contract/catalogue/calls-lists'
import { india, indiaId } from '@podium/contract/catalogue/calls-places'
import { bookKinds, bookNames, hindiBookNames } from '@podium/contract/classes'
import type { Issue } from '@podium/contract/endpoint'
import type { WrittenLanguage } from '@podium/contract/languages'
import { messages } from '@podium/contract/messages'
import { officeMessages } from '@podium/contract/office/messages'
import { otherItemNames } from '@podium/contract/shipping/calls-orders'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { Refusal } from '#platform/errors'
import { languageOf } from '#platform/words'
import { defaultRules } from '../rules.ts'

/** All countries: India first, then by name. */
export async function listCountries(db: Db) {
  return db
    .selectFrom('countries')
    .select(['id as countryId', 'name as countryName'])
    .orderBy((order) => order('id', '<>', indiaId))
    .orderBy('id')
    .execute()
}

/** The states of a country by name; only India has a list. */
export async function listStates(db: Db, countryId: number) {
  return db
    .selectFrom('states')
    .select(['id as stateId', 'name as stateName'])
    .where('country_id', '=', countryId)
    .where('active', '=', true)
    .orderBy('name')
    .execute()
}

/** The districts of an Indian state, by name. */
export async function listDistricts(db: Db, state: string) {
  return db
    .selectFrom('districts')
    .innerJoin('states', 'states.id', 'districts.state_id')
    .select('districts.name as districtName')
    .where('states.name', '=', state)
    .where('districts.active', '=', true)
    .orderBy('districts.name')
    .execute()
}

/**
 * Errors in the country and state of an address: both must be on their list (the state only for India, and active). `had` is
 * the previous state, which may stay.
 */
export async function placeIssues(
  db: Db | Tx,
  country: string,
  state: string,
  had?: string,
): Promise<Issue[]> {
  const known = await db.selectFrom('countries').select('id').where('name', '=', country).executeTakeFirst()
  if (!known) return [{ path: 'country', message: messages.countryUnknown }]
  if (country !== india) return []
  const inIndia = await firstRow(db, 'states', { country_id: indiaId, name: state }, ['active'])
  return inIndia && (inIndia.active || state === had)
    ? []
    : [{ path: 'state', message: messages.stateUnknown }]
}

/**
 * Refuses the new state or zone of these schools `o` while results with the previous one wait for their release: it goes out
 * by the clock alone. Call it after the change, which waits for a decision about results, or is seen by it.
 */
export async function refusePlacesScheduled(tx: Tx, now: Date, schools: RawBuilder<unknown>): Promise<void> {
  await sql`
    select from result_sets where state in ('computed', 'approved') order by id for share`.execute(tx)
  const { rows } = await sql`
    select from result_sets s join results r on (r.set_id, r.event_id) = (s.id, s.event_id) join schools o on o.id = r.school_id
    where s.state = 'approved' and s.release_at > ${now}::timestamptz and ${schools}
      and (r.state, r.zone) <> (o.state, o.zone) limit 1`.execute(tx)
  if (rows.length > 0) throw new Refusal('results.places_scheduled')
}

/** The zone of schools outside India, assigned automatically. */
export const abroadState = 'Abroad'

interface Entry {
  kind: ListKind
  name: string
  code: string
  zone: string
  stateId: number
  day: string
}

/** What an entry lacks: a state needs code and zone, a district its state, a holiday its day. */
export function entryIssues({ kind, code, zone, stateId, day }: Entry): Issue[] {
  if (kind === 'states' && !/^[A-Z]{2,3}$/.test(code))
    return [{ path: 'code', message: officeMessages.entryCodeRequired }]
  if (kind === 'states' && zone === '') return [{ path: 'zone', message: officeMessages.entryZoneRequired }]
  if (kind === 'districts' && stateId === 0)
    return [{ path: 'stateId', message: officeMessages.entryStateRequired }]
  if (kind === 'holidays' && day === '') return [{ path: 'day', message: officeMessages.dayRequired }]
  return []
}

const nothing = sql`'' as code, '' as zone, 0 as "stateId", '' as state, '' as day, false as fixed`

/** SQL of each list: its own columns, the number of users of each entry, and the order. */
const reads: Record<ListKind, RawBuilder<unknown>> = {
  designations: sql`
    select l.id, l.version, l.name, l.name_hi as "nameHi", l.active, ${nothing},
      (select count(*)::int from contacts c where c.designation_id = l.id) as used
    from designations l order by l.position, l.id`,
  titles: sql`
    select l.id, l.version, l.name, l.name_hi as "nameHi", l.active, ${nothing},
      (select count(*)::int from contacts c where c.title_id = l.id) as used
    from titles l order by l.position, l.id`,
  zones: sql`
    select l.id, l.version, l.name, l.name_hi as "nameHi", l.active, '' as code, '' as zone, 0 as "stateId", '' as state, '' as day,
      l.name = ${abroadState} as fixed, (select count(*)::int from states s where s.zone = l.name) as used
    from zones l order by l.position, l.id`,
  states: sql`
    select l.id, l.version, l.name, l.name_hi as "nameHi", l.active, l.code, l.zone, 0 as "stateId", '' as state, '' as day, false as fixed,
      coalesce(h.schools, 0) as used
    from states l left join (
      select state, count(*)::int as schools from schools where country = 'India' group by state) h on h.state = l.name
    order by l.name`,
  districts: sql`
    select l.id, l.version, l.name, l.name_hi as "nameHi", l.active, '' as code, '' as zone, l.state_id as "stateId", s.name as state,
      '' as day, false as fixed, coalesce(h.schools, 0) as used
    from districts l join states s on s.id = l.state_id left join (
      select state, district, count(*)::int as schools from schools where country = 'India' group by state, district) h
      on h.state = s.name and h.district = l.name
    order by s.name, l.name`,
  holidays: sql`
    select l.id, l.version, l.name, l.name_hi as "nameHi", l.active, '' as code, '' as zone, 0 as "stateId", '' as state, l.held_on::text as day,
      false as fixed, 0 as used
    from holidays l order by l.held_on desc`,
}

/** The entries of a list, in order. */
export async function officeList(db: Db | Tx, _scope: OfficeScope, kind: ListKind): Promise<ListEntry[]> {
  return (await sql<ListEntry>`${reads[kind]}`.execute(db)).rows
}

/** What people say they are when they register; “Teacher” is in the office's list of designations. */
const hindiApplicants = { Parent: 'अभिभावक', School: 'विद्यालय' }

/**
 * All Hindi names by their English: those entered by the office, including standard reasons, and those of what a parcel can
 * contain. Prizes and awards come from every version of the rules, because results keep the words they were computed with;
 * the newest rules win.
 */
export async function hindiNames(db: Db): Promise<Record<string, string>> {
  const lists = ['designations', 'titles', 'states', 'zones', 'districts', 'holidays', 'subjects'] as const
  const ofLists = lists.map(
    (list) => sql`select 2 as rank, null::bigint as id, name, name_hi from ${sql.table(list)}`,
  )
  const { rows } = await sql<{ name: string; hindi: string }>`
    with ladders as (
      select 0 as rank, event_id as id, rules from event_rules union all select 1, id, rules from events),
    places as (
      select rank, id, place from ladders, jsonb_path_query(rules, 'lax $.ladders[*].places[*]') as place)
    select name, name_hi as hindi from (
      ${sql.join(ofLists, sql` union all `)}
      union all select 0, null, reason ->> 'en', reason ->> 'hi'
        from standard_reasons, jsonb_array_elements(reasons) as reason
      union all select rank, id, place ->> 'title', place ->> 'titleHi' from places
      union all select rank, id, place ->> 'message', place ->> 'messageHi' from places
      union all select 1, id, part ->> 'name', part ->> 'nameHi'
        from events, jsonb_path_query(sections, 'lax $[*]') as part) n
    where name_hi <> '' order by rank, id`.execute(db)
  const places = defaultRules({ letter: 'M', level: 1, sections: [] }).ladders.flatMap(
    (ladder) => ladder.places,
  )
  return Object.fromEntries([
    ...Object.entries(hindiApplicants),
    ...bookKinds.map((kind) => [bookNames[kind], hindiBookNames[kind]]),
    ...Object.values(otherItemNames).map(({ en, hi }) => [en, hi]),
    ...places.flatMap(({ title, titleHi, message, messageHi }) => [
      [title, titleHi ?? title],
      [message, messageHi ?? message],
    ]),
    ...rows.map(({ name, hindi }) => [name, hindi]),
  ])
}

/** Returns a function that translates office names for a document in this language; names can be joined by semicolons. */
export async function namesIn(db: Db, language: WrittenLanguage): Promise<(name: string) => string> {
  if (language === 'en') return (name) => name
  const names = await hindiNames(db)
  return (all) =>
    all
      .split('; ')
      .map((name) => names[name] ?? name)
      .join('; ')
}

/** The same for several readers with their own languages. Hindi names are read once, and only if needed. */
export async function namesFor(db: Db, readers: readonly { language: string }[]) {
  const hindi = readers.some((reader) => languageOf(reader) === 'hi') ? await namesIn(db, 'hi') : String
  return (language: WrittenLanguage, name: string): string => (language === 'hi' ? hindi(name) : name)
}
