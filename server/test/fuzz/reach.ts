import type { Endpoint } from '@podium/contract/endpoint'
import { sql } from 'kysely'
import { servedRoutes } from '#platform/http/http'
import type { Door } from '../../src/platform/auth/gate.ts'
import {
  type Ask,
  type Fields,
  nameOf,
  requestOf,
  type Session,
  send,
  succeeded,
  type WireAnswer,
} from './ask.ts'
import { recipes } from './recipes.ts'
import { aSentRound } from './recipes-results.ts'
import { rightFields, type Samples, shapeOf } from './samples.ts'
import { type CallerName, type RecipeContext, usualCaller, type World } from './world.ts'

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

function sessionOf({ callers }: World, door: Door, as: Ask['as']): Session {
  if (typeof as === 'object') return as
  return { token: callers[(as ?? usualCaller(door)) as CallerName] }
}

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
    seen: (table, where) => row(`select id, version from ${table} where ${where} order by id limit 1`),
    async done(name, ask) {
      const route = routes.get(name)
      if (!route) throw new Error(`${name} is no call`)
      const session = sessionOf(world, route.door, ask.as)
      const got = await send(server.url, requestOf(route.endpoint, ask, session), cookiesOf(session))
      if (!succeeded(route.endpoint, got)) throw new Error(`${name}: ${got.status} ${got.text.slice(0, 300)}`)
      return got.body ?? {}
    },
    drained: () => server.jobs.drain(),
    owner: { token: callers['the office, owner'] },
    teacher: { token: callers['the coordinator of school A'] },
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

/** Returns inputs derived from names and types: with required fields only, and with all fields. */
function automatic(world: World, endpoint: Endpoint, door: Door): Ask[] {
  const samples = samplesOf(world, door)
  const say = (name: string) => samples[`${endpoint.path} ${name}`] ?? samples[name]
  return [false, true].map((all) => ({
    query: rightFields(shapeOf(endpoint.query), say, all),
    body: rightFields(shapeOf(endpoint.body), say, all),
  }))
}

/** Makes a valid input of a call and sends it. */
async function reach(ctx: RecipeContext, endpoint: Endpoint, door: Door): Promise<CallResult> {
  const name = shortName(endpoint)
  const recipe = recipes[name]
  const reached = { name, endpoint, door, succeeded: false }
  let last: CallResult = { ...reached, ask: {}, session: {}, detail: 'not asked' }
  try {
    for (const ask of recipe ? [await recipe(ctx)] : automatic(ctx, endpoint, door)) {
      const session = sessionOf(ctx, door, ask.as)
      const got: WireAnswer = await send(
        ctx.server.url,
        requestOf(endpoint, ask, session),
        cookiesOf(session),
      )
      const outcome = `${got.status} ${got.text.slice(0, 200)}`
      last = { ...reached, ask, session, succeeded: succeeded(endpoint, got), detail: outcome }
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
  for (const { endpoint, door } of routes) reached.push(await reach(ctx, endpoint, door))
  return reached
}

export type { Fields }
