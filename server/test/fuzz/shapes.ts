import type { Schema } from '@podium/contract/endpoint'
import * as z from 'zod/mini'

/** What a schema of the contract takes, as far as an input is made from it. */
export interface Shape {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Shape[]
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  items?: Shape
  minItems?: number
  maxItems?: number
  minimum?: number
  pattern?: string
  format?: string
}

/** What to put into a field, by its name and the call's path; undefined: nothing is known of it. */
export type Say = (name: string) => unknown

const known = new WeakMap<Schema, Shape>()

/** The shape of what a schema reads, before it is transformed. */
export function shapeOf(schema: Schema): Shape {
  const found =
    known.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape)
  known.set(schema, found)
  return found
}

const formats: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  'date-time': '2026-12-10T04:30:00Z',
  uri: 'https://foundation.example/coupon',
}

function textFor({ pattern, format }: Shape): string {
  const formatted = formats[format ?? '']
  if (formatted !== undefined) return formatted
  if (pattern?.startsWith('^\\d{4}-')) return '2026-11-21'
  if (pattern?.includes('[0-5]\\d')) return '10:30'
  if (pattern?.includes('[0-9]') || pattern?.includes('\\d')) return '1'
  return 'Said for the test'
}

/** A sample as the type of the field: ids stand as numbers in bodies and as digits in queries. */
function typed(shape: Shape, value: unknown): unknown {
  if (shape.type === 'string' && typeof value === 'number') return String(value)
  if (shape.type === 'array' && !Array.isArray(value)) return [value]
  return value
}

const takes = (shape: Shape, value: unknown): boolean =>
  shape.enum === undefined ? shape.const === undefined || shape.const === value : shape.enum.includes(value)

/** A right value of a shape: what is known of its name, else what its type lets one guess. */
export function rightValue(shape: Shape, name: string, say: Say, all: boolean): unknown {
  const sample = say(name)
  if (sample !== undefined && takes(shape, sample)) return typed(shape, sample)
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum.find((one) => one !== '') ?? ''
  const [first] = shape.anyOf ?? []
  if (first) return rightValue(first, name, say, all)
  if (shape.type === 'object') return rightFields(shape, say, all)
  if (shape.type === 'array')
    return shape.items && (shape.minItems ?? 0) > 0
      ? Array.from({ length: shape.minItems ?? 1 }, () => rightValue(shape.items ?? {}, name, say, all))
      : []
  if (shape.type === 'boolean') return true
  if (shape.type === 'integer' || shape.type === 'number') return Math.max(1, shape.minimum ?? 1)
  return textFor(shape)
}

/** Right values of all fields that a shape asks for; with `all`, of those too that may be left out. */
export function rightFields(shape: Shape, say: Say, all: boolean): Record<string, unknown> {
  const required = new Set(shape.required)
  const asked = Object.entries(shape.properties ?? {}).filter(([name]) => all || required.has(name))
  return Object.fromEntries(asked.map(([name, one]) => [name, rightValue(one, name, say, all)]))
}
