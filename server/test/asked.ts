import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Endpoint, Schema } from '@podium/contract/endpoint'

/** One way to ask a call: what is special about it, and its query. */
export interface Question {
  says: string
  query: Readonly<Record<string, string>>
}

/**
 * What to ask for, by the name of a field or by path and field: what a required field gets, and what is tried in an
 * optional one. An empty list: never tried.
 */
export type Samples = Readonly<Record<string, readonly string[]>>

const contract = join(import.meta.dirname, '../../contract/src')

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'path' in value && 'query' in value && 'answers' in value
  )
}

/** Every call of the contract that reads and answers JSON, in the order of paths. */
export async function readingCalls(): Promise<Endpoint[]> {
  const calls = new Map<string, Endpoint>()
  for (const file of globSync('**/*.ts', { cwd: contract })) {
    if (file.includes('.test.')) continue
    const module: Record<string, unknown> = await import(pathToFileURL(join(contract, file)).href)
    for (const value of Object.values(module))
      if (isEndpoint(value) && value.method === 'GET' && value.answers === 'json')
        calls.set(value.path, value)
  }
  return [...calls.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

interface Field {
  name: string
  required: boolean
  /** Of an enumeration but its default */
  choices: readonly string[]
}

/** The definition of a schema, as far as a query's fields have one. */
interface Definition {
  type: string
  innerType?: Schema
  in?: Schema
  entries?: Record<string, string>
  defaultValue?: unknown
  shape?: Record<string, Schema>
}

const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition

function fieldOf(name: string, schema: Schema): Field {
  const field: Field = { name, required: true, choices: [] }
  let current: Schema | undefined = schema
  let usual: unknown
  while (current) {
    const definition: Definition = definitionOf(current)
    if (definition.type === 'default' || definition.type === 'optional') field.required = false
    if (definition.type === 'default') usual = definition.defaultValue
    if (definition.type === 'enum')
      field.choices = Object.values(definition.entries ?? {}).filter((value) => value !== usual)
    current = definition.innerType ?? definition.in
  }
  return field
}

const fieldsOf = ({ query }: Endpoint) =>
  Object.entries(definitionOf(query).shape ?? {}).map(([name, schema]) => fieldOf(name, schema))

function samplesOf({ path }: Endpoint, { name, choices }: Field, samples: Samples): readonly string[] {
  return samples[`${path} ${name}`] ?? (choices.length > 0 ? choices : (samples[name] ?? []))
}

/**
 * All ways to ask a call: as it opens, each filter, search and order alone; with `pairs` searches within each filter and
 * deep pages of each order, too. Undefined where `samples` has nothing for a field that the call needs.
 */
export function questionsOf(
  endpoint: Endpoint,
  samples: Samples,
  { pairs = true } = {},
): Question[] | undefined {
  const fields = fieldsOf(endpoint)
  const base: Record<string, string> = {}
  for (const field of fields.filter(({ required }) => required)) {
    const [first] = samplesOf(endpoint, field, samples)
    if (first === undefined) return undefined
    base[field.name] = first
  }
  const tried = (field: Field) =>
    samplesOf(endpoint, field, samples)
      .filter((value) => base[field.name] !== value)
      .map((value) => ({ field: field.name, value }))
  const alone = fields.flatMap(tried)
  const questions: Question[] = [{ says: '', query: base }]
  for (const { field, value } of alone)
    questions.push({ says: `${field}=${value}`, query: { ...base, [field]: value } })
  if (!pairs) return questions
  const words = alone.filter(({ field }) => field === 'search').slice(0, 2)
  for (const word of words)
    for (const other of alone.filter(({ field }) => field !== 'search' && field !== 'page'))
      questions.push({
        says: `search=${word.value} ${other.field}=${other.value}`,
        query: { ...base, search: word.value, [other.field]: other.value },
      })
  const paged = fields.some(({ name }) => name === 'page')
  for (const order of alone.filter(({ field }) => field === 'sort' && paged))
    questions.push({ says: `sort=${order.value} page=20`, query: { ...base, sort: order.value, page: '20' } })
  return questions
}
