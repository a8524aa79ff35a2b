import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Refusal } from './errors.ts'

/** The pages before the sign-in, an entry of their own; the empty path leads to the sign-in. */
const gate = ['', 'login', 'register', 'forgot', 'reset', 'invitation']

/** Which of the web entries answers an address: the gate's, families', the office's, else the schools'. */
export function entryOf(path: string): string {
  const [, first = '', second = ''] = path.toLowerCase().split('/')
  if (first === 'office') return 'office.html'
  if (gate.includes(first) && second === '') return 'gate.html'
  // The family's page is /student alone: /student/entry and its neighbours are the school's.
  if (first === 'student') return second === '' ? 'family.html' : 'school.html'
  return ['r', 'verify'].includes(first) ? 'family.html' : 'school.html'
}

/**
 * Serves the built web: assets under their hashed names for a year, and an entry page for every other address that a
 * browser opens. Addresses under /api that no call has are answered with 404 in the envelope.
 */
export async function servePages(app: FastifyInstance, folder: string): Promise<void> {
  const pages = new Map<string, string>()
  for (const name of ['gate.html', 'school.html', 'office.html', 'family.html']) {
    if (existsSync(join(folder, name))) pages.set(name, await readFile(join(folder, name), 'utf8'))
  }
  if (existsSync(join(folder, 'assets'))) {
    await app.register(staticFiles, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      cacheControl: false,
      setHeaders: (reply) => {
        reply.header('cache-control', 'public, max-age=31536000, immutable')
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const page = pages.get(entryOf(path))
    if (request.method !== 'GET' || /^\/(api|assets)(\/|$)/i.test(path) || !page)
      throw new Refusal('not_found')
    if (entryOf(path) === 'family.html') reply.header('x-robots-tag', 'noindex')
    return reply.header('content-type', 'text/html; charset=utf-8').send(page)
  })
}
