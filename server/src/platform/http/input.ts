import { rm } from 'node:fs/promises'
import type { Endpoint, Issue, Schema } from '@podium/contract/endpoint'
import type { ErrorCode } from '@podium/contract/errors'
import { formatSentence, sentences } from '@podium/contract/sentences'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Scope } from '../auth/scope.ts'
import { Refusal } from '../errors.ts'
import { type FileStore, type ReceivedFile, safeName } from '../files/files.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The kind of caller (`account`, `office` …), for the log; never an identity. */
    caller: string
    /** The id of the account or officer, for security events only. */
    who: string
    /** The code it was refused with, for the log. */
    refusal: ErrorCode | undefined
  }
}

export interface UploadedFile {
  /** Safe to show and keep (safeName) */
  name: string
  bytes: Buffer
  /** The file on disk until the call ends, for calls that take large files; `bytes` is then empty. */
  received: ReceivedFile
}

export function callerKind(scope: Scope | undefined): string {
  return scope?.kind ?? 'anonymous'
}

/** Returns the officer making the request, including one who acts for a school. */
export function officerOf(scope: Scope | undefined): { staffId: number; name: string } | undefined {
  if (scope?.kind === 'office') return scope
  return scope?.kind === 'account' || scope?.kind === 'school' ? scope.acting : undefined
}

/** Returns the account or officer by id. A family has none, because the id of its link gives access. */
export function callerId(scope: Scope | undefined): string {
  const officer = officerOf(scope)
  if (officer) return `office:${officer.staffId}`
  return scope?.kind === 'account' || scope?.kind === 'school' ? `account:${scope.userId}` : ''
}

/**
 * Refuses calls from another site's page and browser prefetches: only our own pages and programs may call. Matters for
 * the specified GET calls that change something (docs/security.md, T23).
 */
export function refuseForeignSite(request: FastifyRequest, publicUrl: string): void {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') throw new Refusal('request.cross_site')
  // On a GET call, browsers send the origin only to other sites than the page's own; older browsers send no other sign.
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

/**
 * Returns the declared names for case-insensitive matching, because the specification writes FYear, Fyear and fyear for
 * the same field.
 */
export function foldNames(endpoint: Endpoint): Names {
  return { query: declaredNames(endpoint.query), body: declaredNames(endpoint.body) }
}

function foldKeys(input: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  // Without a prototype, so that `__proto__` is an ordinary name, which the schema then refuses.
  const result: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(input)) {
    // Sent by older clients beside the city, and ignored (specification, section 7)
    if (name === 'cityName' && !names.has('cityname')) continue
    const declared = names.get(name.toLowerCase())
    // Other clients send null for an untouched field: the same as omitting it
    if (value === null && declared !== undefined) continue
    const spelt = declared ?? name
    // One name in two spellings: their order must not decide which value counts.
    if (Object.hasOwn(result, spelt) && result[spelt] !== value) {
      const message = formatSentence('twice', { field: spelt })
      throw new Refusal('input.invalid', { message, issues: [{ path: spelt, message }] })
    }
    result[spelt] = value
  }
  return result
}

/** Far more levels than any call has; deeper nesting is an attempt to overflow the stack. */
const deepest = 32

/**
 * Refuses input that is nested too deeply. Counts level by level, because recursion could itself overflow the stack.
 */
function refuseDeep(input: unknown): void {
  let level: unknown[] = [input]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === deepest)
      throw new Refusal('request.malformed', { message: formatSentence('nestedTooDeeply', { n: deepest }) })
    level = level.flatMap((value) => (isNested(value) ? Object.values(value) : [])).filter(isNested)
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
 * Removes unpaired surrogates: a text cut in the middle of an emoji ends with one, and the database can't store it.
 * Returns input without any unchanged.
 */
function toWellFormed(input: unknown): unknown {
  if (isKeepable(input)) return input
  if (typeof input === 'string') return input.replace(/\p{Surrogate}/gu, '')
  if (Array.isArray(input)) return input.map(toWellFormed)
  const pairs = Object.entries(input as object)
  return Object.fromEntries(pairs.map(([name, value]) => [toWellFormed(name), toWellFormed(value)]))
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

/** Parses query and body with the contract's schemas; reports every issue, not just the first. */
export function parseInput(
  endpoint: Endpoint,
  names: Names,
  request: FastifyRequest,
): { query: unknown; body: unknown } {
  const query = parse(endpoint.query, foldKeys(request.query, names.query))
  if (endpoint.method === 'GET' || endpoint.upload) return { query, body: {} }
  const input = request.body ?? {}
  refuseDeep(input)
  return { query, body: parse(endpoint.body, foldKeys(toWellFormed(input), names.body)) }
}

const notReceived: ReceivedFile = { path: '', sha256: '', size: 0 }
export const noFile: UploadedFile = { name: '', bytes: Buffer.alloc(0), received: notReceived }

/** Errors from reading a form are the sender's: it broke off, has no boundary, or is too large. */
function toRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown
  const large = thrown instanceof Error && 'statusCode' in thrown && thrown.statusCode === 413
  return new Refusal(large ? 'request.too_large' : 'request.malformed')
}

async function filePart(request: FastifyRequest, limit: number) {
  // A client that has disconnected sends nothing more, and the reader would wait for ever.
  if (!request.isMultipart() || request.raw.destroyed) throw new Refusal('request.malformed')
  const part = await request
    .file({ limits: { files: 1, parts: 10, fileSize: limit } })
    .catch((thrown: unknown) => {
      throw toRefusal(thrown)
    })
  if (part?.fieldname !== 'file') throw new Refusal('request.malformed')
  return part
}

/** Reads the single file of a multipart request into memory, up to the endpoint's limit. */
export async function readUpload(request: FastifyRequest, limit: number): Promise<UploadedFile> {
  const part = await filePart(request, limit)
  const bytes = await part.toBuffer().catch((thrown: unknown) => {
    throw toRefusal(thrown)
  })
  return { name: safeName(part.filename), bytes, received: notReceived }
}

/** Writes the file to disk while it arrives. The caller removes it. */
export async function receiveUpload(
  request: FastifyRequest,
  files: FileStore,
  limit: number,
): Promise<UploadedFile> {
  const part = await filePart(request, limit)
  const received = await files.receive(part.file).catch((thrown: unknown) => {
    // An error that the stream did not throw comes from the disk, and is our fault.
    throw thrown === part.file.errored ? toRefusal(thrown) : thrown
  })
  if (part.file.truncated) {
    await rm(received.path, { force: true })
    throw new Refusal('request.too_large')
  }
  return { name: safeName(part.filename), bytes: Buffer.alloc(0), received }
}
