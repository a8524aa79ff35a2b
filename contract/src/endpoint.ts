import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** A refused input field; `path` as in the input (`parentMobileNo`, `rows.3.section`). */
export interface Issue {
  path: string
  message: string
}

/**
 * The answer to any refused call. Every answer has `result` and `message` beside the call's own fields. `id` names the
 * log line of an internal error, never its cause.
 */
export interface Failure {
  result: 'error'
  message: string
  code: ErrorCode
  issues?: Issue[]
  id?: string
}

export const failureSchema = z.object({
  result: z.literal('error'),
  message: z.string(),
  code: z.string(),
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  id: z.optional(z.string()),
})

/** Whether a caller may do something with a record: true, or the code of the reason it may not. */
export const allowance = z.union([z.literal(true), z.string()])

/** A schema of the contract; input and output types are inferred from it. */
export type Schema = z.ZodMiniType

/** The kind of answer body: the JSON envelope, or a file. */
type AnswerKind = 'json' | 'file'

/**
 * A call of the portal, as one value: the server serves it, the web calls it, the OpenAPI page is generated from it.
 *
 * `path` is spelt as in the specification and matched without regard to case; so are the names of query parameters and
 * top-level body fields. `answer` is the shape inside the envelope (see `Failure`).
 */
export interface Endpoint<
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
> {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** One sentence for the OpenAPI page. */
  readonly summary: string
  readonly query: Query
  readonly body: Body
  readonly answer: Answer
  readonly answers: AnswerKind
  /** The call takes a file as multipart/form-data, in a part named `file`, beside its query. */
  readonly upload: boolean
  /** The file may be large: the server streams it to disk and never holds all of it in memory. */
  readonly largeUpload: boolean
  /** Seconds for which clients may cache the answer, which is the same for everyone and has no personal data. */
  readonly cacheSeconds: number
  /** The body field with a file as a base64 data URL; empty for none. */
  readonly fileField: string
  /** Largest body in bytes; a larger one is refused with 413. */
  readonly bodyLimit: number
}

const nothing = z.strictObject({})
type NoInput = typeof nothing

interface Declaration<Query extends Schema, Body extends Schema, Answer extends Schema> {
  summary: string
  query?: Query
  body?: Body
  answer?: Answer
  answers?: AnswerKind
  upload?: boolean
  largeUpload?: boolean
  cacheSeconds?: number
  fileField?: string
  bodyLimit?: number
}

/** Bytes of a body, unless a call says otherwise */
export const usualBodyLimit = 256 * 1024

/** Declares a call, `GET /api/…` or `POST /api/…`. Query and body refuse unknown fields; the answer drops them. */
export function endpoint<
  Query extends Schema = NoInput,
  Body extends Schema = NoInput,
  Answer extends Schema = NoInput,
>(
  call: `${'GET' | 'POST'} /${string}`,
  declared: Declaration<Query, Body, Answer>,
): Endpoint<Query, Body, Answer> {
  return {
    method: call.startsWith('GET') ? 'GET' : 'POST',
    path: call.slice(call.indexOf('/')),
    summary: declared.summary,
    query: declared.query ?? (nothing as Schema as Query),
    body: declared.body ?? (nothing as Schema as Body),
    answer: declared.answer ?? (nothing as Schema as Answer),
    answers: declared.answers ?? 'json',
    upload: (declared.upload ?? false) || (declared.largeUpload ?? false),
    largeUpload: declared.largeUpload ?? false,
    cacheSeconds: declared.cacheSeconds ?? 0,
    fileField: declared.fileField ?? '',
    bodyLimit: declared.bodyLimit ?? usualBodyLimit,
  }
}

/** Whether a call uploads a file that someone has to look at. */
export const uploadsFile = ({ upload, fileField }: Endpoint): boolean => upload || fileField !== ''

export type QueryOf<E extends Endpoint> = z.input<E['query']>
export type BodyOf<E extends Endpoint> = z.input<E['body']>
/** The query and the body as the handler gets them */
export type ParsedQuery<E extends Endpoint> = z.output<E['query']>
export type ParsedBody<E extends Endpoint> = z.output<E['body']>
/** What the caller gets: the fields of the answer without `result` and `message`. */
export type AnswerOf<E extends Endpoint> = z.output<E['answer']>
