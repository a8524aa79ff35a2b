import { rm } from 'node:fs/promises'
import type { Endpoint, Issue, Schema } from '@podium/contract/endpoint'
import { said, sentences } from '@podium/contract/sentences'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Scope } from '../auth/scope.ts'
import { Refusal } from '../errors.ts'
import type { FileStore, Received } from '../files/files.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** `account`, `office` … of the caller, for the log; never who it is. */
    caller: string
    /** Which account or officer, by number, for security events alone. */
    who: string
  }
}

export interface UploadedFile {
  /** As the browser sent it: shown to people, never used as a path */
  name: string
  bytes: Buffer
  /** Where it is instead until the call ends, of one that takes large files; `bytes` are empty then. */
  received: Received
}

export function caller(scope: Scope | undefined): string {
  return scope?.kind ?? 'anonymous'
}

/** The officer who asks, also one who acts for a school. */
export function officerOf(scope: Scope | undefined): { staffId: number; name: string } | undefined {
  if (scope?.kind === 'office') return scope
  return scope?.kind === 'account' || scope?.kind === 'school' ? scope.acting : undefined
}

/** Which account or officer, by number. A family has none: the id of its link opens something. */
export function whoIs(scope: Scope | undefined): string {
  const officer = officerOf(scope)
  if (officer) return `office:${officer.staffId}`
  return scope?.kind === 'account' || scope?.kind === 'school' ? `account:${scope.userId}` : ''
}

/**
 * Calls come from our own pages or from programs, never from another site's page or a browser's guess at the next
 * page. Matters for the specified GET calls that change something (docs/security.md, T23).
 */
export function refuseForeignSite(request: FastifyRequest, publicUrl: string): void {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') throw new Refusal('request.cross_site')
  // Browsers tell the origin of a GET call only to other sites than their page's, older ones nothing but that.
  const { origin } = request.headers
  if (request.method === 'GET' && origin !== undefined && origin !== new URL(publicUrl).origin)
    throw new Refusal('request.cross_site')
  const purpose = request.headers['sec-purpose'] ?? request.headers.purpose
  if (typeof purpose === 'string' && purpose.includes('prefetch')) throw new Refusal('request.cross_site')
}

interface Names {
  query: ReadonlyMap<string, string>
  body: ReadonlyMap<string, string>
}

function declaredNames(schema: Schema): Map<string, string> {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return new Map(Object.keys(shape.properties ?? {}).map((name) => [name.toLowerCase(), name]))
}

/** The specification writes FYear, Fyear and fyear for one thing; so names are matched without regard to case. */
export function foldNames(endpoint: Endpoint): Names {
  return { query: declaredNames(endpoint.query), body: declaredNames(endpoint.body) }
}

function folded(input: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  // Bare, so that `__proto__` is a name as any other, which the schema then refuses.
  const result: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(input)) {
    // Sent by older clients beside the city, and of no use (specification, section 7)
    if (name === 'cityName' && !names.has('cityname')) continue
    const known = names.get(name.toLowerCase())
    // A field that nobody has touched is null in the forms of other clients: the same as left out
    if (value === null && known !== undefined) continue
    const spelt = known ?? name
    // One name in two spellings: which of them counts must not be a matter of their order.
    if (Object.hasOwn(result, spelt) && result[spelt] !== value) {
      const message = said('twice', { field: spelt })
      throw new Refusal('input.invalid', { message, issues: [{ path: spelt, message }] })
    }
    result[spelt] = value
  }
  return result
}

/** Far more levels than any call has. Who nests deeper means to fill our stack. */
const deepest = 32

/** Refuses what is nested too deeply. Counts level by level, for a stack of ours would be what overflows. */
function refuseDeep(input: unknown): void {
  let level: unknown[] = [input]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === deepest)
      throw new Refusal('request.malformed', { message: said('nestedTooDeeply', { n: deepest }) })
    level = level.flatMap((one) => (isNested(one) ? Object.values(one) : [])).filter(isNested)
  }
}

const isNested = (input: unknown): input is object => typeof input === 'object' && input !== null

const isKeepable = (input: unknown): boolean => {
  if (typeof input === 'string') return input.isWellFormed()
  if (typeof input !== 'object' || input === null) return true
  if (Array.isArray(input)) return input.every(isKeepable)
  return Object.entries(input).every(([name, value]) => name.isWellFormed() && isKeepable(value))
}

/**
 * Without halves of characters: a text that was cut in the midst of an emoji ends with one, and no database keeps it.
 * What has none is given back as it is.
 */
function wellFormed(input: unknown): unknown {
  if (isKeepable(input)) return input
  if (typeof input === 'string') return input.replace(/\p{Surrogate}/gu, '')
  if (Array.isArray(input)) return input.map(wellFormed)
  const pairs = Object.entries(input as object)
  return Object.fromEntries(pairs.map(([name, value]) => [wellFormed(name), wellFormed(value)]))
}

function issuesOf(error: z.core.$ZodError): Issue[] {
  return error.issues.map((issue) => {
    const path = issue.path.join('.')
    if (issue.code === 'unrecognized_keys')
      return { path: issue.keys.join(', '), message: sentences.fieldUnknown }
    return { path, message: issue.message }
  })
}

function parse(schema: Schema, input: unknown): unknown {
  const parsed = z.safeParse(schema, input)
  if (parsed.success) return parsed.data
  const issues = issuesOf(parsed.error)
  const message = issues.length === 1 && issues[0] ? issues[0].message : undefined
  throw new Refusal('input.invalid', message === undefined ? { issues } : { issues, message })
}

/** Query and body through the contract's schemas; every issue is answered, not the first alone. */
export function parseInput(
  endpoint: Endpoint,
  names: Names,
  request: FastifyRequest,
): { query: unknown; body: unknown } {
  const query = parse(endpoint.query, folded(request.query, names.query))
  if (endpoint.method === 'GET' || endpoint.upload) return { query, body: {} }
  const sent = request.body ?? {}
  refuseDeep(sent)
  return { query, body: parse(endpoint.body, folded(wellFormed(sent), names.body)) }
}

const notReceived: Received = { path: '', sha256: '', size: 0 }
export const noFile: UploadedFile = { name: '', bytes: Buffer.alloc(0), received: notReceived }

/** What a form's reader throws is the sender's doing: it broke off, has no boundary, or is too large. */
function asRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown
  const large = thrown instanceof Error && 'statusCode' in thrown && thrown.statusCode === 413
  return new Refusal(large ? 'request.too_large' : 'request.malformed')
}

async function filePart(request: FastifyRequest, limit: number) {
  // Who has hung up by now sends nothing any more, and the reader would wait for it for ever.
  if (!request.isMultipart() || request.raw.destroyed) throw new Refusal('request.malformed')
  const part = await request
    .file({ limits: { files: 1, parts: 10, fileSize: limit } })
    .catch((thrown: unknown) => {
      throw asRefusal(thrown)
    })
  if (part?.fieldname !== 'file') throw new Refusal('request.malformed')
  return part
}

/** The one file of a multipart request, in memory, bounded by the endpoint's limit. */
export async function readUpload(request: FastifyRequest, limit: number): Promise<UploadedFile> {
  const part = await filePart(request, limit)
  const bytes = await part.toBuffer().catch((thrown: unknown) => {
    throw asRefusal(thrown)
  })
  return { name: part.filename, bytes, received: notReceived }
}

/** The same on the disk, written while it arrives. Whoever asks removes it. */
export async function receiveUpload(
  request: FastifyRequest,
  files: FileStore,
  limit: number,
): Promise<UploadedFile> {
  const part = await filePart(request, limit)
  const received = await files.receive(part.file).catch((thrown: unknown) => {
    // What the stream did not throw the disk did, and that is ours.
    throw thrown === part.file.errored ? asRefusal(thrown) : thrown
  })
  if (part.file.truncated) {
    await rm(received.path, { force: true })
    throw new Refusal('request.too_large')
  }
  return { name: part.filename, bytes: Buffer.alloc(0), received }
}
