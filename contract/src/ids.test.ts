import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import type { Endpoint, Schema } from './endpoint.ts'

/** The parts of a schema’s definition that lead to nested schemas. */
interface Definition {
  type: string
  innerType?: Schema
  element?: Schema
  shape?: Record<string, Schema>
  options?: Schema[]
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'query' in value && 'body' in value
}

async function allCalls(): Promise<Endpoint[]> {
  const calls = new Set<Endpoint>()
  for (const file of globSync('**/*.ts', { cwd: import.meta.dirname })) {
    if (file.includes('.test.')) continue
    const module: Record<string, unknown> = await import(pathToFileURL(join(import.meta.dirname, file)).href)
    for (const value of Object.values(module)) if (isEndpoint(value)) calls.add(value)
  }
  return [...calls]
}

/** Yields every field of a form, at any depth, with its schema. */
function* fieldsOf(schema: Schema, name = ''): Generator<[string, Schema]> {
  const { type, innerType, element, shape, options } = schema._zod.def as unknown as Definition
  if (shape) for (const [key, field] of Object.entries(shape)) yield* fieldsOf(field, `${name}.${key}`)
  else if (type === 'optional' || type === 'default' || type === 'nullable' || type === 'prefault')
    yield* fieldsOf(innerType as Schema, name)
  else if (element) yield* fieldsOf(element, `${name}[]`)
  else if (type === 'union') for (const option of options ?? []) yield* fieldsOf(option, name)
  else yield [name, schema]
}

const largestOfColumns = 2_147_483_647

/** Fields of older clients that are only compared with computed values, or ignored; none reaches a column. */
const besides = /socialMediaDetails|Amount$|_Expenses$|selectedItems/

test('no call accepts a number that an integer column cannot hold', async () => {
  const calls = await allCalls()
  assert.ok(calls.length > 300, String(calls.length))
  const asked: string[] = []
  const held: string[] = []
  for (const { method, path, query, body } of calls)
    for (const [name, field] of [...fieldsOf(query, 'query'), ...fieldsOf(body, 'body')])
      for (const typed of [
        largestOfColumns + 1,
        String(largestOfColumns + 1),
        999_999_999_999_999,
        '999999999999999',
      ]) {
        const read = z.safeParse(field, typed)
        asked.push(path)
        if (read.success && typeof read.data === 'number' && !besides.test(name))
          held.push(`${method} ${path} ${name}`)
      }
  assert.ok(asked.length > 1_000, String(asked.length))
  assert.deepEqual([...new Set(held)], [])
})
