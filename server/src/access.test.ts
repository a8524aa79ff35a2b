import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '@podium/contract/endpoint'
import { sql } from 'kysely'
import type { Door } from '#platform/auth/gate'
import { mayDo, type Permission, type Role } from '#platform/auth/policy'
import { newId } from '#platform/auth/secrets'
import { openSession } from '#platform/auth/session'
import { servedRoutes } from '#platform/http/http'
import { doors } from '#test/doors'
import { aDay, anOfficer, aSchool, aTeacher, thisSeason } from '#test/factories'
import { addRow, changeRows } from '#test/rows'
import { beforehand, testServer } from '#test/server'

/** A possible caller, with the kind and role that decide. */
interface Caller {
  token: string | undefined
  /** Undefined: nobody, because never signed in, signed out, expired or disabled */
  kind: 'account' | 'family' | 'office' | undefined
  hasSchool?: boolean
  role?: Role
}

const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`
const callers = new Map<string, Caller>()

async function familyToken() {
  const { db } = server.deps
  const id = newId()
  const school = await aSchool()
  await addRow('family_links', {
    id,
    school_id: school.id,
    season: thisSeason,
    access_code_hash: '',
    access_code_sealed: '',
    created_at: aDay,
  })
  return db
    .transaction()
    .execute((tx) =>
      openSession(tx, aDay, { kind: 'family', familyLinkId: id, source: '127.0.0.1', agent: 'test' }),
    )
}

const server = beforehand(() => testServer({ clock: () => aDay }))
beforehand(async () => {
  callers.set('nobody', { token: undefined, kind: undefined })
  callers.set('an invented token', { token: 'x'.repeat(43), kind: undefined })
  const disabled = await aTeacher()
  await changeRows('users', { id: disabled.id }, { disabled_at: aDay })
  callers.set('a disabled teacher', { token: disabled.token, kind: undefined })
  const past = new Date(aDay.getTime() - 13 * 3_600_000)
  callers.set('a teacher whose session has run out', {
    token: (await aTeacher({ now: past })).token,
    kind: undefined,
  })
  callers.set('a person without a school', {
    token: (await aTeacher({ schoolId: null })).token,
    kind: 'account',
  })
  callers.set('a teacher', { token: (await aTeacher()).token, kind: 'account', hasSchool: true })
  callers.set('a family', { token: await familyToken(), kind: 'family' })
  for (const role of ['owner', 'operations', 'accounts', 'results', 'viewer'] as const) {
    callers.set(`the office, ${role}`, { token: (await anOfficer(role)).token, kind: 'office', role })
  }
  return callers
})

/** Returns the refusal a caller must get at a door; undefined if the door opens. */
function expected(door: Door, caller: Caller): { status: number; codes: string[] } | undefined {
  if (door === 'public') return undefined
  if (door === 'mail-server') return { status: 404, codes: ['not_found'] }
  if (caller.kind === undefined) return { status: 401, codes: ['session.missing', 'session.ended'] }
  const denied = { status: 403, codes: ['access.denied'] }
  if (door === 'family') return caller.kind === 'family' ? undefined : denied
  if (door === 'account') return caller.kind === 'account' ? undefined : denied
  if (door === 'school') {
    if (caller.kind !== 'account') return denied
    return caller.hasSchool ? undefined : { status: 403, codes: ['access.no_school'] }
  }
  const permission = door.slice('office:'.length) as Permission
  return caller.kind === 'office' && mayDo(caller.role ?? '', permission) ? undefined : denied
}

/** Counts the rows of each table: a refused call must not change any. */
async function rowsOfAll(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not in ('rate_limits')
    order by table_name`.execute(server.deps.db)
  const counts: string[] = []
  for (const { name } of rows) {
    const counted = await sql<{ n: number }>`select count(*) as n
      from ${sql.table(name)}`.execute(server.deps.db)
    counts.push(`${name} ${counted.rows[0]?.n}`)
  }
  return counts.join('\n')
}

async function knock(endpoint: Endpoint, token: string | undefined) {
  const response = await fetch(server.url + endpoint.path, {
    method: endpoint.method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(endpoint.method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(endpoint.method === 'POST' ? { body: '{"nothingThatIsKnown":1}' } : {}),
  })
  const text = await response.text()
  const body = text.startsWith('{') ? (JSON.parse(text) as { code?: string }) : {}
  return { status: response.status, code: body.code ?? '' }
}

test('the table of access lists every call, and each call has the access it states', () => {
  const really = Object.fromEntries(
    servedRoutes(server.app).map(({ endpoint, door }) => [nameOf(endpoint), door]),
  )
  assert.deepEqual(really, doors)
})

test('every call refuses everyone without access, and a refusal changes nothing [spec 6.4 7.1]', async () => {
  const routes = servedRoutes(server.app)
  const before = await rowsOfAll()
  for (const { endpoint, door } of routes) {
    for (const [name, caller] of callers) {
      const refusal = expected(door, caller)
      if (!refusal) continue
      const { status, code } = await knock(endpoint, caller.token)
      assert.ok(
        status === refusal.status && refusal.codes.includes(code),
        `${name} at ${nameOf(endpoint)}: ${status} ${code}`,
      )
    }
  }
  assert.equal(await rowsOfAll(), before)
})

test('every call lets in everyone with access', async () => {
  const closed = new Set(['session.missing', 'session.ended', 'access.denied', 'access.no_school'])
  // These end the caller's own session, which later calls need.
  const ends = new Set([
    '/api/Account/Logout',
    '/api/Account/LogoutEverywhere',
    '/api/office/SignOut',
    '/api/ManageStudent/CloseFamilyPage',
  ])
  for (const { endpoint, door } of servedRoutes(server.app)) {
    if (ends.has(endpoint.path)) continue
    for (const [name, caller] of callers) {
      if (expected(door, caller)) continue
      const { status, code } = await knock(endpoint, caller.token)
      assert.ok(
        !closed.has(code) && status !== 404 && status < 500,
        `${name} at ${nameOf(endpoint)}: ${status} ${code}`,
      )
    }
  }
})
