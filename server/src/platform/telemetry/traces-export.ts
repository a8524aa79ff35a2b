import { AsyncLocalStorage } from 'node:async_hooks'
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ChannelMessage, jobsRun, statementsRun } from './traces.ts'

/** Fastify's message for each call whose handler begins. */
interface HandlerMessage {
  request: FastifyRequest
  reply: FastifyReply
}

interface NewSpan extends SpanOptions {
  name: string
  /** Arranges for the span to end */
  ended: (span: Span) => void
}

/** Polled every few seconds by monitoring; nobody looks for them in traces. */
const unwatched = new Set(['/healthz', '/readyz', '/metrics'])
const longestText = 2_000
/** Time limit for the collector, in milliseconds, including the last batch when the portal stops. */
const timeout = 2_000

/** Returns a database or Node error code, or the name of the error's class; never its message. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}

/**
 * Sends spans of calls, statements and background jobs to a collector that speaks OTLP over HTTP at `endpoint`. They
 * hold route patterns, the text of statements without values, kinds and results; never an address, a query, a value or
 * an error message. While the collector is away, spans are dropped. Loaded only if the setting names a collector.
 */
export function exportTraces(endpoint: string): { stop(): Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'podium', 'service.instance.id': hostname() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: timeout }),
      }),
    ],
  })
  const tracer = provider.getTracer('podium')
  const current = new AsyncLocalStorage<unknown>()
  const stops: Array<() => void> = []

  /** Starts a span for each event of a channel, as a child of the current span. */
  function begin<Data extends object>(
    channel: TracingChannel<Data, unknown>,
    describe: (data: Data) => NewSpan | undefined,
  ): void {
    channel.start.bindStore(current, (data) => {
      const description = describe(data)
      if (!description) return undefined
      const { name, ended: onSpan, ...options } = description
      const parent = current.getStore() as Span | undefined
      const span = tracer.startSpan(
        name,
        options,
        parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      )
      onSpan(span)
      return span
    })
    stops.push(() => channel.start.unbindStore(current))
  }

  const spans = new WeakMap<ChannelMessage, Span>()
  /** Ends the span with the channel's operation. */
  const rememberSpan = (data: ChannelMessage) => (span: Span) => void spans.set(data, span)
  const end = (data: ChannelMessage) => {
    const span = spans.get(data)
    if (data.error !== undefined) span?.setAttribute('error.type', typeOf(data.error))
    if (data.error !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }
  for (const channel of [statementsRun, jobsRun] as const) {
    const handlers = { asyncEnd: end }
    channel.subscribe(handlers)
    stops.push(() => channel.unsubscribe(handlers))
  }

  begin(tracingChannel<HandlerMessage, unknown>('fastify.request.handler'), ({ request, reply }) => {
    const { method, routeOptions, id } = request
    const route = routeOptions.url ?? 'unknown'
    if (unwatched.has(route)) return undefined
    return {
      name: `${method} ${route}`,
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, 'http.route': route, 'podium.request': id },
      startTime: Date.now() - reply.elapsedTime,
      ended: (span) =>
        reply.raw.once('close', () => {
          const { statusCode } = reply
          span.setAttributes({ 'http.response.status_code': statusCode, 'podium.caller': request.caller })
          if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        }),
    }
  })
  begin(statementsRun, (data) => ({
    name: /[a-z]+/i.exec(data.text)?.[0].toLowerCase() ?? 'statement',
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': data.text.trim().slice(0, longestText) },
    ended: rememberSpan(data),
  }))
  begin(jobsRun, (data) => ({
    name: `job ${data.kind}`,
    kind: SpanKind.CONSUMER,
    attributes: { 'podium.job': data.kind },
    ended: rememberSpan(data),
  }))
  return {
    async stop() {
      for (const stop of stops) stop()
      const shutdown = provider.shutdown().catch(() => undefined)
      await Promise.race([shutdown, sleep(timeout, undefined, { ref: false })])
    },
  }
}
