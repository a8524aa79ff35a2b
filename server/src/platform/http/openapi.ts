import { type Endpoint, failureSchema, type Schema } from '@podium/contract/endpoint'
import * as z from 'zod/mini'
import type { Door } from '../auth/gate.ts'

export interface ServedRoute {
  endpoint: Endpoint
  door: Door
}

type Json = Record<string, unknown>

function jsonSchema(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  }) as Json
  return rest
}

function propertiesOf(schema: Json): Array<[string, Json]> {
  return Object.entries((schema.properties ?? {}) as Record<string, Json>)
}

/** Returns the JSON schema of a call's answer in its envelope. */
export function answerSchema(endpoint: Endpoint): Json {
  const inner = jsonSchema(endpoint.answer, 'output')
  return {
    type: 'object',
    required: ['result', 'message', ...((inner.required ?? []) as string[])],
    properties: {
      result: { type: 'string' },
      message: { type: 'string' },
      ...((inner.properties ?? {}) as Json),
    },
    ...(inner.$defs ? { $defs: inner.$defs } : {}),
  }
}

/** Returns the schema of the list in an endpoint's `data`. */
export function dataSchema(answer: Endpoint['answer']): Json {
  const { properties, $defs } = jsonSchema(answer, 'output')
  return { ...((properties as Record<string, Json>).data ?? {}), ...($defs ? { $defs } : {}) }
}

function operation({ endpoint, door }: ServedRoute): Json {
  const query = jsonSchema(endpoint.query, 'input')
  const required = new Set((query.required ?? []) as string[])
  const parameters = propertiesOf(query).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema,
  }))
  const answer =
    endpoint.answers === 'file'
      ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': { schema: answerSchema(endpoint) } }
  const body = endpoint.upload
    ? {
        'multipart/form-data': {
          schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
        },
      }
    : { 'application/json': { schema: jsonSchema(endpoint.body, 'input') } }
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? 'api'],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.method === 'POST' ? { requestBody: { required: true, content: body } } : {}),
    ...(door === 'public' ? { security: [] } : { 'x-door': door }),
    responses: {
      200: { description: 'The answer in its envelope', content: answer },
      default: {
        description: 'A refusal',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  }
}

/** Returns the OpenAPI 3.1 document of all calls that this server actually serves. */
export function openapi(routes: readonly ServedRoute[]): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = paths[route.endpoint.path] ?? {}
    path[route.endpoint.method.toLowerCase()] = operation(route)
    paths[route.endpoint.path] = path
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Podium',
      version: '1',
      description: 'School olympiads, run well. Every answer carries result and message.',
    },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: jsonSchema(failureSchema, 'output') },
    },
  }
}
