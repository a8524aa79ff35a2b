import type { School } from '@podium/contract/schools/calls'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { orNotFound } from '#platform/errors'

/** The own school under the names of the specification (section 3). */
export async function readSchool(db: Db, scope: SchoolScope): Promise<School> {
  const { rows } = await sql<School>`
    select code as "schCode", name as "schName", email as "schEmail", address as "schAddress",
      affiliation_no as "schAffiliationNo", group_id as "schGroupId", city as "cityName", district as "districtName",
      state as "stateName", country as "countryName", landline as "landLineNo", fax as "schFaxNo",
      website as "schWebSite", phone as "schPhoneNo", whatsapp as "whatsAppNo"
    from schools where id = ${scope.schoolId}`.execute(db)
  return orNotFound(rows[0])
}
