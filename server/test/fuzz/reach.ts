import type { Endpoint, Schema } from '@podium/contract/endpoint'
import { sql } from 'kysely'
import { servedRoutes } from '#platform/http/http'
import type { Door } from '../../src/platform/auth/gate.ts'
import type { ServedRoute } from '../../src/platform/http/openapi.ts'
import { type Ask, nameOf, requestOf, type Session, send, succeeded } from './ask.ts'
import { recipes } from './recipes.ts'
import { aSentRound } from './recipes-results.ts'
import { givenFields, rightFields, type Samples, shapeOf } from './samples.ts'
import { type Given, type RecipeContext, usualCaller, type World } from './world.ts'

/** A call with valid input, and its answer. */
export interface CallResult {
  name: string
  endpoint: Endpoint
  door: Door
  ask: Ask
  session: Session
  succeeded: boolean
  detail: string
}

/** Shortens `POST /api/x/Y` to the recipes' `POST x/Y`. */
export const shortName = (endpoint: Endpoint) => nameOf(endpoint).replace('/api/', '')

/** Returns the context of recipes. */
function contextOf(world: World): RecipeContext {
  const { server, callers } = world
  const routes = new Map(servedRoutes(server.app).map((route) => [shortName(route.endpoint), route]))
  const row = async <Row>(statement: string): Promise<Row> => {
    const { rows } = await sql.raw<Row>(statement).execute(server.deps.db)
    const [first] = rows
    if (first === undefined) throw new Error(`no row: ${statement}`)
    return first
  }
  const ctx: RecipeContext = {
    ...world,
    row,
    seen: (table, which) => {
      const where = typeof which === 'number' ? `id = ${which}` : which
      return row(`select id, version from ${table} where ${where} order by id limit 1`)
    },
    newest: async (table) => (await row<{ id: number }>(`select max(id) as id from ${table}`)).id,
    async done(name, given = {}) {
      const route = routes.get(name)
      if (!route) throw new Error(`${name} is no call`)
      const { got } = await makeCall(world, route, given)
      if (!succeeded(route.endpoint, got)) throw new Error(`${name}: ${got.status} ${got.text.slice(0, 300)}`)
      return got.body ?? {}
    },
    drained: () => server.jobs.drain(),
    owner: { token: callers['the office, owner'] },
    aSentRound: async () => aSentRound(ctx),
  }
  return ctx
}

/** A browser stores the cookies it receives. */
const cookiesOf = ({ cookies }: Session) =>
  cookies instanceof Map ? (cookies as Map<string, string>) : undefined

function samplesOf({ samples }: World, door: Door): Samples {
  if (door.startsWith('office:')) return samples.office
  return door === 'family' ? samples.family : samples.school
}

/**
 * Returns the input of a call: what was given for the fields that its schemas have, and valid values for its other
 * required fields; with `all`, for the optional ones too.
 */
function inputOf(world: World, { endpoint, door }: ServedRoute, given: Given, all: boolean): Ask {
  const samples = samplesOf(world, door)
  const say = (name: string) => samples[`${endpoint.path} ${name}`] ?? samples[name]
  const fieldsBy = (schema: Schema) => {
    const shape = shapeOf(schema)
    return { ...rightFields(shape, say, all), ...givenFields(shape, given) }
  }
  const ask = { query: fieldsBy(endpoint.query), body: fieldsBy(endpoint.body) }
  return given.upload ? { ...ask, file: given.upload } : ask
}

/** Makes one call. */
async function makeCall(world: World, route: ServedRoute, given: Given, all = false) {
  const { caller = usualCaller(route.door) } = given
  const session = typeof caller === 'object' ? caller : { token: world.callers[caller] }
  const ask = inputOf(world, route, given, all)
  const got = await send(world.server.url, requestOf(route.endpoint, ask, session), cookiesOf(session))
  return { ask, session, got }
}

/** Makes a call with valid input: by its recipe, or with required fields only and then with all fields. */
async function reach(ctx: RecipeContext, route: ServedRoute): Promise<CallResult> {
  const name = shortName(route.endpoint)
  const recipe = recipes[name]
  let last: CallResult = { ...route, name, succeeded: false, ask: {}, session: {}, detail: 'not asked' }
  try {
    const given = (await recipe?.(ctx)) ?? {}
    for (const all of recipe ? [false] : [false, true]) {
      const { got, ...sent } = await makeCall(ctx, route, given, all)
      const detail = `${got.status} ${got.text.slice(0, 200)}`
      last = { ...last, ...sent, succeeded: succeeded(route.endpoint, got), detail }
      if (last.succeeded) return last
    }
  } catch (error) {
    last = { ...last, detail: String(error) }
  }
  return last
}

/** Makes every call of the server with valid input: first those that read, then those that write. */
export async function reachAll(world: World): Promise<CallResult[]> {
  const ctx = contextOf(world)
  const routes = servedRoutes(world.server.app).toSorted((a, b) =>
    shortName(a.endpoint) < shortName(b.endpoint) ? -1 : 1,
  )
  const reached: CallResult[] = []
  for (const route of routes) reached.push(await reach(ctx, route))
  return reached
}
