import { sep } from 'node:path'
import { failureSchema } from '@podium/contract/envelope'
import { errors } from '@podium/contract/errors'
import * as z from 'zod/mini'
import type { Got } from './ask.ts'
import { strangersToB } from './callers.ts'
import { foreignMark } from './world.ts'

/** What only somebody who looks inside the server may read. */
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

interface Judged {
  caller: string
  got: Got
  /** What was sent, as text: what comes back of it is an echo and no leak */
  sent: string
  dataDir: string
}

function envelopeFaults({ status, type, file, body }: Got): string[] {
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

/** What is wrong with an answer, whatever was asked; empty where nothing is. */
export function faultsOf({ caller, got, sent, dataDir }: Judged): string[] {
  const faults = got.status >= 500 ? [`status ${got.status}`] : []
  faults.push(...envelopeFaults(got))
  // A PDF or a workbook is packed: only what is text can be read here.
  if (got.file && !/^text\/|json|csv/.test(got.type)) return faults
  for (const [what, pattern] of insides) {
    const told = pattern.exec(got.text)?.[0]
    if (told !== undefined && !sent.includes(told)) faults.push(`tells ${what}: ${told.slice(0, 100)}`)
  }
  if (got.text.includes(dataDir) || got.text.includes(`${process.cwd()}${sep}`)) faults.push('tells a path')
  const marked = new RegExp(foreignMark, 'i')
  if (strangersToB.has(caller) && marked.test(got.text) && !marked.test(sent))
    faults.push('tells what is of school B')
  return faults
}
