import { india, indiaId } from '@podium/contract/catalogue/calls-places'
import type { Issue } from '@podium/contract/envelope'
import { messages } from '@podium/contract/messages'
import type { Db, Tx } from '#platform/db/database'

/** All countries: India first, the others by name. */
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

/** The districts of a state of India that the list has, by name. */
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
 * What is wrong with the country and state of an address: both must be on the list, the state for India only and
 * offered; `had` is the state that stood there before, which may stay.
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
  const inIndia = await db
    .selectFrom('states')
    .select('active')
    .where('country_id', '=', indiaId)
    .where('name', '=', state)
    .executeTakeFirst()
  return inIndia && (inIndia.active || state === had)
    ? []
    : [{ path: 'state', message: messages.stateUnknown }]
}
