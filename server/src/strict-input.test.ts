import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as z from 'zod/mini'
import { type TestServer, testServer } from '#test/server'
import { servedRoutes } from './platform/http/http.ts'
import { answerSchema, type ServedRoute } from './platform/http/openapi.ts'

/** What holds for the input and the answer of every call that is served (docs/security.md, T21, T22). */
let routes: readonly ServedRoute[]
before(async () => {
  const server: TestServer = await testServer()
  routes = servedRoutes(server.app)
})

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  additionalProperties?: boolean | Shape
  items?: Shape | Shape[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  propertyNames?: Shape
}

/** The places of a shape, below `path`, at which fields may stand that nobody declared. */
function openAt(shape: Shape, path: string): string[] {
  const open =
    shape.type === 'object' &&
    shape.additionalProperties !== false &&
    // A list by name: its names have a rule, its values a shape
    !(typeof shape.additionalProperties === 'object' && shape.propertyNames)
  const inside = Object.entries(shape.properties ?? {}).flatMap(([name, one]) =>
    openAt(one, `${path}.${name}`),
  )
  const parts = [shape.items ?? [], shape.anyOf ?? [], shape.oneOf ?? [], shape.allOf ?? []].flat()
  return [...(open ? [path] : []), ...inside, ...parts.flatMap((one) => openAt(one, `${path}[]`))]
}

const shapeOf = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape

test('an object that takes undeclared fields is seen, at any depth', () => {
  const loose = z.strictObject({ rows: z.array(z.object({ name: z.string() })) })
  assert.deepEqual(openAt(shapeOf(loose), 'body'), ['body.rows[]'])
  assert.deepEqual(openAt(shapeOf(z.strictObject({ name: z.string() })), 'body'), [])
})

test('no call takes a field that its contract does not declare, in its query or at any depth of its body', () => {
  assert.ok(routes.length > 400)
  const open = routes.flatMap(({ endpoint: { method, path, query, body } }) =>
    [...openAt(shapeOf(query), 'query'), ...openAt(shapeOf(body), 'body')].map(
      (place) => `${method} ${path}: ${place}`,
    ),
  )
  assert.deepEqual(open, [])
})

test('no answer carries a field that its contract does not declare: the serializer is never told to let others pass', () => {
  /** It drops what is not declared, unless a shape says that more may come. */
  const passing = (shape: Shape, path: string): string[] => {
    const { additionalProperties: more } = shape
    const open = more === true || (typeof more === 'object' && Object.keys(more).length === 0)
    const inside = Object.entries(shape.properties ?? {}).flatMap(([name, one]) =>
      passing(one, `${path}.${name}`),
    )
    const parts = [shape.items ?? [], shape.anyOf ?? [], shape.oneOf ?? [], shape.allOf ?? []].flat()
    return [...(open ? [path] : []), ...inside, ...parts.flatMap((one) => passing(one, `${path}[]`))]
  }
  assert.deepEqual(passing(shapeOf(z.looseObject({ name: z.string() })), 'answer'), ['answer'])
  const open = routes.flatMap(({ endpoint }) =>
    passing(answerSchema(endpoint) as Shape, 'answer').map(
      (at) => `${endpoint.method} ${endpoint.path}: ${at}`,
    ),
  )
  assert.deepEqual(open, [])
})
