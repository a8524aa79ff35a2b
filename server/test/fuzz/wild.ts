import fc from 'fast-check'
import { type Got, pick, requestOf, type Sent, send } from './ask.ts'
import { type CallerName, callerNames, mayEnter, usualCaller } from './callers.ts'
import { faultsOf } from './judge.ts'
import { rawly } from './raw.ts'
import type { Reached } from './reach.ts'
import type { Samples } from './samples.ts'
import { shapeOf } from './shapes.ts'
import type { Fault, World } from './world.ts'
import { aFileSpoiling, aSpoiling, type Spoiling, spoilt } from './wrong.ts'

const usually = 80

/** One wild call before it meets a call of the server: who, how spoilt. */
interface Plan {
  /** Below 80: whoever usually makes the call; else anybody */
  usual: number
  caller: number
  first: Spoiling
  /** Of a call that takes a file, twice out of three in the place of the first */
  file: Spoiling
  second: Spoiling | undefined
}

const aPlan: fc.Arbitrary<Plan> = fc.record({
  usual: fc.nat(99),
  caller: fc.nat(callerNames.length - 1),
  first: aSpoiling,
  file: aFileSpoiling,
  // Two faults hide each other: the second is the exception.
  second: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: aSpoiling }),
})

/** A wild call that was answered wrongly, with all that is needed to see it again. */
export interface Finding {
  at: number
  name: string
  caller: string
  sent: string
  says: string
  answered: string
  faults: readonly string[]
  logged: readonly Fault[]
}

function callerOf({ usual, caller }: Plan, { door }: Reached): CallerName {
  const anybody = callerNames[caller] ?? 'nobody'
  if (usual >= usually) return anybody
  // A public call by anybody is as usual as one by nobody.
  return door !== 'public' && mayEnter(door, anybody) ? anybody : usualCaller(door)
}

/** A request as text: what stands in it may stand in the answer. */
function textOf({ method, path, headers, body }: Sent): string {
  const said = typeof body === 'string' ? body : body === undefined ? '' : '[bytes]'
  return `${method} ${path} ${headers['content-type'] ?? ''} ${said}`
}

export interface WildOptions {
  seed: number
  calls: number
  /** Told of each answer, for counting */
  heard?: (got: Got) => void
}

/** Calls that make much work of a right input: papers by the hundred, backups. */
const laborious = new Set([
  'POST ManageStudent/FamilySlips',
  'POST office/care/backUp',
  'POST office/dispatch/packAll',
  'POST office/exams/start',
  'POST office/results/packetCertificates',
  'POST office/results/startCertificates',
  'POST office/schools/letterStart',
])

/** Each call in its turn; a laborious one leaves three turns of four to another. */
function turnOf(reached: readonly Reached[], at: number): Reached | undefined {
  const one = pick(reached, at)
  const round = Math.floor(at / reached.length)
  return one && laborious.has(one.name) && round % 4 > 0 ? pick(reached, at + 1 + round) : one
}

/** So many wild calls, each call of the server in turn; the same seed spoils the same inputs in the same way. */
export async function goWild(
  world: World,
  reached: readonly Reached[],
  options: WildOptions,
): Promise<Finding[]> {
  const { server, callers, samples } = world
  const plans = fc.sample(aPlan, { seed: options.seed, numRuns: options.calls })
  const findings: Finding[] = []
  for (const [at, plan] of plans.entries()) {
    const one = turnOf(reached, at)
    if (!one) break
    const caller = callerOf(plan, one)
    // What a recipe made belongs to whom it made: the usual caller of such a call is that one.
    const own = caller === usualCaller(one.door) && plan.usual < usually
    const session = own ? one.session : { token: callers[caller] }
    const { sent, says } = requestFor(one, plan, session, samples.foreign)
    const got = await patiently(server, sent)
    options.heard?.(got)
    const text = textOf(sent)
    const dataDir = server.deps.settings.dataDir
    const faults = faultsOf({ caller, got, sent: text, dataDir })
    const logged = world.takeFaults()
    if (faults.length > 0 || logged.length > 0)
      findings.push({
        at,
        name: one.name,
        caller,
        sent: text.slice(0, 600),
        says,
        answered: `${got.status} ${got.text.slice(0, 300)}`,
        faults,
        logged,
      })
    if (got.status === 401 && world.shouldLive(caller)) await world.revive()
  }
  return findings
}

/** Long work that was asked for may hold what a call wants: that is said with `busy`, and once it has ended no more. */
async function patiently(server: World['server'], sent: Sent): Promise<Got> {
  const got = await send(server.url, sent)
  if (got.status !== 503 || got.body?.code !== 'busy') return got
  await server.drain()
  return send(server.url, sent)
}

/** Beyond this the head of a request is too large, which says nothing of the call (http.test.ts asks that once). */
const longestPath = 12_000

function requestFor(one: Reached, plan: Plan, session: Reached['session'], ofSchoolB: Samples) {
  const foreign = (name: string) => ofSchoolB[`${one.endpoint.path} ${name}`] ?? ofSchoolB[name]
  const shapes = [shapeOf(one.endpoint.query), shapeOf(one.endpoint.body)] as const
  const first = one.endpoint.upload && plan.usual % 3 > 0 ? plan.file : plan.first
  const spoilings = [first, ...(plan.second ? [plan.second] : [])]
  const ask = spoilings.reduce((so, spoiling) => spoilt(so, spoiling, shapes, foreign), one.ask)
  const whole = requestOf(one.endpoint, ask, session)
  const sent = { ...whole, path: whole.path.slice(0, longestPath).replace(/%.?$/, '') }
  const raw = spoilings.find((spoiling) => spoiling.how === 'raw')
  const says = spoilings.map(({ how }) => how).join(', ')
  if (raw?.how !== 'raw') return { sent, says }
  const spoiltSent = rawly(sent, raw.raw, one.endpoint.upload)
  return { sent: spoiltSent.sent, says: `${says}: ${spoiltSent.says}` }
}
