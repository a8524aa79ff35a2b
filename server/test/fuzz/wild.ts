import { sep } from 'node:path'
import { failureSchema } from '@podium/contract/endpoint'
import { errors } from '@podium/contract/errors'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { pick, requestOf, send, type WireAnswer, type WireRequest } from './ask.ts'
import type { CallResult } from './reach.ts'
import { type Samples, shapeOf } from './samples.ts'
import {
  type CallerName,
  callerNames,
  type Fault,
  foreignMark,
  mayEnter,
  strangersToB,
  usualCaller,
  type World,
} from './world.ts'
import { aFileSpoiling, aSpoiling, type Spoiling, spoil } from './wrong.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

const json = 'application/json'
const boundary = 'podium-fuzz'
const part = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\n\r\nClass,Section\r\n7,A`

interface Raw {
  label: string
  type?: string
  body: (sent: WireRequest) => WireRequest['body']
  headers?: Record<string, string>
}

const text = (sent: WireRequest) => (typeof sent.body === 'string' ? sent.body : '{}')
const always = (body: string) => () => body

/** Bodies that no client sends, with their media types. */
const raws: readonly Raw[] = [
  { label: 'cut off', type: json, body: (sent) => text(sent).slice(0, -1) },
  { label: 'no body', type: json, body: always('') },
  { label: 'null', type: json, body: always('null') },
  { label: 'a number', type: json, body: always('1') },
  { label: 'a text', type: json, body: always('"x"') },
  { label: 'a list', type: json, body: always('[]') },
  { label: 'twice', type: json, body: (sent) => text(sent).repeat(2) },
  {
    label: 'prototype',
    type: json,
    body: always('{"__proto__":{"id":1},"constructor":{"prototype":{"id":1}}}'),
  },
  { label: 'halves', type: json, body: always('{"id":"\\ud83d","\\udc00":1}') },
  { label: 'NUL', type: json, body: always('{"id":"\\u0000","name":"\\u0000"}') },
  {
    label: 'no UTF-8',
    type: json,
    body: () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  },
  { label: 'large', type: json, body: always(`{"id":"${'x'.repeat(400_000)}"}`) },
  { label: 'deep JSON', type: json, body: always(deep(20_000)) },
  { label: 'rather deep JSON', type: json, body: always(`{"id":${deep(200)}}`) },
  { label: 'XML', type: 'application/xml', body: always('<id>1</id>') },
  { label: 'a form', type: 'application/x-www-form-urlencoded', body: always('id=1&version=1') },
  { label: 'plain text', type: 'text/plain', body: text },
  { label: 'no type', type: '', body: text },
  { label: 'an odd charset', type: `${json}; charset=utf-7`, body: text },
  { label: 'a broken type', type: 'application/', body: text },
  { label: 'multipart empty', type: `multipart/form-data; boundary=${boundary}`, body: always('') },
  {
    label: 'multipart ended',
    type: `multipart/form-data; boundary=${boundary}`,
    body: always(`--${boundary}--\r\n`),
  },
  { label: 'multipart cut off', type: `multipart/form-data; boundary=${boundary}`, body: always(part) },
  {
    label: 'multipart without a boundary',
    type: 'multipart/form-data',
    body: always(`${part}\r\n--${boundary}--\r\n`),
  },
  {
    label: 'multipart of another name',
    type: `multipart/form-data; boundary=${boundary}`,
    body: always(`${part.replace('name="file"', 'name="other"')}\r\n--${boundary}--\r\n`),
  },
  {
    label: 'multipart with NUL and bytes that are no list',
    type: `multipart/form-data; boundary=${boundary}`,
    body: always(`${part.replace('list.csv', 'li\u0000st.xlsx')}\u0000PK\u0003\u0004\r\n--${boundary}--\r\n`),
  },
  { label: 'an odd token', body: (sent) => sent.body, headers: { authorization: 'Bearer ../../x' } },
  { label: 'odd cookies', body: (sent) => sent.body, headers: { cookie: '%00=%ff; a=; =b; __proto__=1' } },
  { label: 'from another site', body: (sent) => sent.body, headers: { 'sec-fetch-site': 'cross-site' } },
  { label: 'a retry', body: (sent) => sent.body, headers: { 'idempotency-key': 'fuzz-fuzz-fuzz' } },
  { label: 'an odd retry', body: (sent) => sent.body, headers: { 'idempotency-key': '\u00ff' } },
]
/**
 * Spoils the request itself: its body, media type or headers. Reading calls have no body, and multipart is for files.
 */
function spoilRequest(sent: WireRequest, at: number, upload: boolean): { sent: WireRequest; label: string } {
  const fitting = raws.filter(({ label, headers }) => {
    if (headers !== undefined) return true
    return sent.method !== 'GET' && (label.startsWith('multipart') === upload || at % 5 === 0)
  })
  const raw = pick(fitting, at)
  if (!raw) return { sent, label: '' }
  const headers = { ...sent.headers, ...raw.headers }
  if (raw.type !== undefined) headers['content-type'] = raw.type
  const body = raw.body(sent)
  return {
    sent: { method: sent.method, path: sent.path, headers, ...(body === undefined ? {} : { body }) },
    label: raw.label,
  }
}

/** Internals that no answer may reveal. */
const insides: readonly [string, RegExp][] = [
  ['a stack', /\bat (?:async )?[\w.<>]+ \(?(?:file:|node:|\/)[^\s"]*:\d+/],
  ['a file of the server', /node_modules|server\/src\/|\.ts:\d+|file:\/\//],
  [
    'SQL',
    /\b(?:select|insert into|update|delete from)\b[^"]{0,200}\b(?:from|values|set|where)\b[^"]{0,80}(?:\$\d|=)/i,
  ],
  [
    'an error of the database',
    /violates [\w-]+ constraint|relation "|column "|syntax error at or near|invalid input syntax|duplicate key|out of range for type|pg_catalog|SQLSTATE/,
  ],
  [
    'an error of the program',
    /\b(?:TypeError|RangeError|SyntaxError|ReferenceError)\b|is not a function|Cannot read propert|Maximum call stack|is not iterable|Invalid time value|Unexpected token|ECONNREFUSED|ENOENT|FST_ERR/,
  ],
  ['what is secret', /password_hash|access_code_hash|access_code_sealed|token_hash|totp_secret|argon2/],
]

interface JudgedAnswer {
  caller: string
  got: WireAnswer
  /** The request as text: if it comes back, it is an echo and not a leak */
  sent: string
  dataDir: string
}

function envelopeFaults({ status, type, file, body }: WireAnswer): string[] {
  if (status === 200 && file) return []
  if (!type.startsWith('application/json') || body === undefined)
    return [`no envelope (${type || 'no type'})`]
  if (typeof body.message !== 'string') return ['an envelope without a message']
  if (body.result === 'success') return status === 200 ? [] : [`a success with status ${status}`]
  const failure = z.safeParse(failureSchema, body)
  if (!failure.success) return ['no envelope of a failure']
  if (!Object.hasOwn(errors, failure.data.code))
    return [`a code that is in no catalogue: ${failure.data.code}`]
  return failure.data.message === '' ? ['a refusal without a sentence'] : []
}

/** Returns what is wrong with an answer, whatever the request was; empty if nothing is. */
function faultsOf({ caller, got, sent, dataDir }: JudgedAnswer): string[] {
  const faults = got.status >= 500 ? [`status ${got.status}`] : []
  faults.push(...envelopeFaults(got))
  // A PDF or workbook is compressed: only text can be checked here.
  if (got.file && !/^text\/|json|csv/.test(got.type)) return faults
  for (const [what, pattern] of insides) {
    const leaked = pattern.exec(got.text)?.[0]
    if (leaked !== undefined && !sent.includes(leaked)) faults.push(`tells ${what}: ${leaked.slice(0, 100)}`)
  }
  if (got.text.includes(dataDir) || got.text.includes(`${process.cwd()}${sep}`)) faults.push('tells a path')
  const marked = new RegExp(foreignMark, 'i')
  if (strangersToB.has(caller) && marked.test(got.text) && !marked.test(sent))
    faults.push('tells what is of school B')
  return faults
}

const usually = 80

/** A wild call before it is applied to a call of the server: who makes it, and how it is spoilt. */
interface Plan {
  /** Below 80: the call's usual caller; else anyone */
  usual: number
  caller: number
  first: Spoiling
  /** For calls with a file, used two times out of three instead of the first */
  file: Spoiling
  second: Spoiling | undefined
}

const aPlan: fc.Arbitrary<Plan> = fc.record({
  usual: fc.nat(99),
  caller: fc.nat(callerNames.length - 1),
  first: aSpoiling,
  file: aFileSpoiling,
  // Two faults hide each other, so a second one is the exception.
  second: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: aSpoiling }),
})

/** A wild call with a wrong answer, with everything needed to reproduce it. */
export interface Finding {
  at: number
  name: string
  caller: string
  sent: string
  label: string
  answered: string
  faults: readonly string[]
  logged: readonly Fault[]
}

function callerOf({ usual, caller }: Plan, { door }: CallResult): CallerName {
  const anybody = callerNames[caller] ?? 'nobody'
  if (usual >= usually) return anybody
  // A public call is as usual from any caller as from nobody.
  return door !== 'public' && mayEnter(door, anybody) ? anybody : usualCaller(door)
}

/** Returns a request as text: its content may appear in the answer. */
function textOf({ method, path, headers, body }: WireRequest): string {
  const text = typeof body === 'string' ? body : body === undefined ? '' : '[bytes]'
  return `${method} ${path} ${headers['content-type'] ?? ''} ${text}`
}

interface WildOptions {
  seed: number
  calls: number
  /** Called with each answer, for counting */
  heard?: (got: WireAnswer) => void
}

/** Calls that do much work for valid input: papers by the hundred, backups. */
const laborious = new Set([
  'POST ManageStudent/FamilySlips',
  'POST office/backups/backUp',
  'POST office/dispatch/packAll',
  'POST office/exams/start',
  'POST office/results/packetCertificates',
  'POST office/results/startCertificates',
  'POST office/schools/letterStart',
])

/** Cycles through the calls; a laborious one gives three of four turns to another. */
function turnOf(reached: readonly CallResult[], at: number): CallResult | undefined {
  const turn = pick(reached, at)
  const round = Math.floor(at / reached.length)
  return turn && laborious.has(turn.name) && round % 4 > 0 ? pick(reached, at + 1 + round) : turn
}

/**
 * Makes a number of wild calls, cycling through the server's calls; the same seed spoils the same inputs in the same
 * way.
 */
export async function goWild(
  world: World,
  reached: readonly CallResult[],
  options: WildOptions,
): Promise<Finding[]> {
  const { server, callers, samples } = world
  const plans = fc.sample(aPlan, { seed: options.seed, numRuns: options.calls })
  const findings: Finding[] = []
  for (const [index, plan] of plans.entries()) {
    const turn = turnOf(reached, index)
    if (!turn) break
    const caller = callerOf(plan, turn)
    // What a recipe creates belongs to its own caller, who is then the usual caller.
    const own = caller === usualCaller(turn.door) && plan.usual < usually
    const session = own ? turn.session : { token: callers[caller] }
    const { sent, label } = requestFor(turn, plan, session, samples.foreign)
    const got = await sendPatiently(server, sent)
    options.heard?.(got)
    const text = textOf(sent)
    const dataDir = server.deps.settings.dataDir
    const faults = faultsOf({ caller, got, sent: text, dataDir })
    const logged = world.takeFaults()
    if (faults.length > 0 || logged.length > 0)
      findings.push({
        at: index,
        name: turn.name,
        caller,
        sent: text.slice(0, 600),
        label,
        answered: `${got.status} ${got.text.slice(0, 300)}`,
        faults,
        logged,
      })
    if (got.status === 401 && world.shouldLive(caller)) await world.revive()
  }
  return findings
}

/** Sends a request; if a background job makes the server answer `busy`, waits for it and sends again. */
async function sendPatiently(server: World['server'], sent: WireRequest): Promise<WireAnswer> {
  const got = await send(server.url, sent)
  if (got.status !== 503 || got.body?.code !== 'busy') return got
  await server.drain()
  return send(server.url, sent)
}

/**
 * Beyond this the request's headers are too large, which says nothing about the call (http.test.ts tests that once).
 */
const longestPath = 12_000

function requestFor(turn: CallResult, plan: Plan, session: CallResult['session'], ofSchoolB: Samples) {
  const foreign = (name: string) => ofSchoolB[`${turn.endpoint.path} ${name}`] ?? ofSchoolB[name]
  const shapes = [shapeOf(turn.endpoint.query), shapeOf(turn.endpoint.body)] as const
  const first = turn.endpoint.upload && plan.usual % 3 > 0 ? plan.file : plan.first
  const spoilings = [first, ...(plan.second ? [plan.second] : [])]
  const ask = spoilings.reduce((so, spoiling) => spoil(so, spoiling, shapes, foreign), turn.ask)
  const whole = requestOf(turn.endpoint, ask, session)
  const sent = { ...whole, path: whole.path.slice(0, longestPath).replace(/%.?$/, '') }
  const raw = spoilings.find((spoiling) => spoiling.how === 'raw')
  const label = spoilings.map(({ how }) => how).join(', ')
  if (raw?.how !== 'raw') return { sent, label }
  const spoiltSent = spoilRequest(sent, raw.raw, turn.endpoint.upload)
  return { sent: spoiltSent.sent, label: `${label}: ${spoiltSent.label}` }
}
