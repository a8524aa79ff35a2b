import { getCountry, getDistrict, getState } from '@podium/contract/catalogue/calls-places'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { listCountries, listDistricts, listStates } from './queries.ts'

export function placesRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, getCountry, 'public', async () => ({ data: await listCountries(deps.db) }))
  serve(app, deps, getState, 'public', async ({ query }) => ({
    data: await listStates(deps.db, query.countryId),
  }))
  serve(app, deps, getDistrict, 'public', async ({ query }) => ({
    data: await listDistricts(deps.db, query.state),
  }))
}
