import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideRefund, proposeRefund } from '@podium/contract/bank/calls-credits'
import type { Endpoint } from '@podium/contract/endpoint'
import { saveNotice } from '@podium/contract/notices/calls'
import { saveMailText } from '@podium/contract/office/calls-mails'
import { saveIdentity, saveSupport } from '@podium/contract/office/calls-settings'
import { approveWaiver, declineWaiver } from '@podium/contract/payments/calls-waivers'
import { saveNextLevel } from '@podium/contract/results/calls-next-level'
import { showSchoolCode } from '@podium/contract/schools/calls-record'
import { saveCourier } from '@podium/contract/shipping/calls-packets'
import { cancelStudent, showFamilyCode } from '@podium/contract/students/calls-register'
import { confirmedCalls } from '#platform/auth/policy'
import { servedRoutes } from '#platform/http/http'
import { aDay, anOfficer } from '#test/factories'
import { changeRows } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'

/**
 * Files of the office that need only a session, each with the reason; all others are listed in policy.ts. An officer's
 * name («decided by») is not personal data here: the office's own staff list requires a fresh proof.
 */
const plainFiles: Readonly<Record<string, string>> = {
  // No names, contacts or marks of students, families or school staff
  'GET /api/office/settings/specimen': 'an empty sheet with the letterhead',
  'GET /api/office/schools/importTemplate': 'an empty table to fill in',
  'POST /api/office/catalogue/exportList': 'entries of the lists that forms offer',
  'POST /api/office/catalogue/exportPrices': 'days, fees and prices',
  'POST /api/office/closing/export': 'decisions upon money by school',
  'POST /api/office/dispatch/exportDue': 'counts by school, subject and class',
  'POST /api/office/dispatch/exportPackets':
    'parcels by school, with their states; for roles that dispatch, the addresses and phones of schools',
  'POST /api/office/dispatch/labels':
    'postal addresses and telephone numbers of schools, for roles that dispatch',
  'POST /api/office/incidents/export': 'breaches with figures of those affected',
  'POST /api/office/jobs/export': 'long work by kind and state',
  'POST /api/office/ledger/export': 'sums by school',
  'POST /api/office/notices/export': 'notices, with counts of schools',
  'POST /api/office/reminders/export': 'schools with their next step',
  'POST /api/office/payments/export': 'payments by school',
  'POST /api/office/receipts/export': 'receipts by school',
  'POST /api/office/receipts/zipFile': 'the same as PDFs',
  'POST /api/office/results/exportEvents': 'events with the status of their results',
  'POST /api/office/schedules/export': 'slots, with counts of places',
  // The document of a single case, viewed many times a day to decide on it
  'GET /api/office/ledger/statement': 'sums of one school, as it gets them itself',
  'GET /api/office/payments/proof': 'the proof of one payment',
  'GET /api/office/payments/receipt': 'the receipt of one payment',
  'GET /api/office/waivers/evidence': 'the evidence of one waiver',
}

/**
 * The office's calls that need a fresh proof, each tried as it is served; staff/staff.test.ts tests the proof itself.
 */
const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`
const minutesAgo = (minutes: number) => new Date(aDay.getTime() - minutes * 60_000)
let office: Array<Endpoint & { door: string }>
const server = beforehand(() => testServer({ clock: () => aDay }))
before(async () => {
  office = servedRoutes(server.app)
    .filter(({ door }) => door.startsWith('office:'))
    .map(({ endpoint, door }) => ({ ...endpoint, door }))
})

/** Returns how a call answers an owner, who may do everything. */
async function answered(endpoint: Endpoint, token: string) {
  const unknown = { nothingThatIsKnown: 1 }
  const { status, body } = await server.send(endpoint, { query: unknown, body: unknown }, { token })
  return { status, code: body.code }
}

test('every call in the table is served, and only to the office', () => {
  const names = new Set(office.map(nameOf))
  assert.deepEqual(
    [...confirmedCalls].filter((name) => !names.has(name)),
    [],
  )
})

test('every call in the table refuses a confirmation of 11 minutes ago and accepts one of 10, and no other call asks', async () => {
  const old = await anOfficer('owner', minutesAgo(11))
  const fresh = await anOfficer('owner', minutesAgo(10))
  // Ends the session that the next call needs
  const others = office.filter(({ path }) => path !== '/api/office/SignOut')
  for (const endpoint of others) {
    const needsProof = confirmedCalls.has(nameOf(endpoint))
    const { status, code } = await answered(endpoint, old.token)
    const refused = status === 403 && code === 'session.confirm'
    assert.equal(refused, needsProof, `${nameOf(endpoint)} after 11 minutes: ${status} ${code}`)
    if (!needsProof) continue
    const confirmed = await answered(endpoint, fresh.token)
    assert.notEqual(confirmed.code, 'session.confirm', nameOf(endpoint))
    assert.ok(
      confirmed.status === 400,
      `${nameOf(endpoint)} after 10 minutes: ${confirmed.status} ${confirmed.code}`,
    )
  }
})

test('every file for the office needs a fresh confirmation, or is listed with the reason why not', () => {
  const files = office.filter(({ answers }) => answers === 'file').map(nameOf)
  assert.deepEqual(files.filter((name) => !confirmedCalls.has(name) && !(name in plainFiles)).sort(), [])
  assert.deepEqual(
    Object.keys(plainFiles).filter((name) => !files.includes(name) || confirmedCalls.has(name)),
    [],
  )
})

test('what schools read as the word of the foundation needs a fresh confirmation', async () => {
  const old = await anOfficer('owner', minutesAgo(11))
  for (const endpoint of [saveIdentity, saveSupport, saveMailText, saveNotice, saveNextLevel, saveCourier])
    assert.equal((await answered(endpoint, old.token)).code, 'session.confirm', endpoint.path)
})

test('money is paid back or waived only after a fresh confirmation, and declining a waiver needs none', async () => {
  const old = await anOfficer('owner', minutesAgo(11))
  for (const endpoint of [proposeRefund, decideRefund, approveWaiver, cancelStudent])
    assert.equal((await answered(endpoint, old.token)).code, 'session.confirm', endpoint.path)
  assert.equal((await answered(declineWaiver, old.token)).code, 'input.invalid')
})

test('an access code is shown only after a fresh confirmation, of a school as of a family', async () => {
  const old = await anOfficer('operations', minutesAgo(11))
  for (const endpoint of [showSchoolCode, showFamilyCode])
    await server.refuses('session.confirm', endpoint, { id: 1 }, old)
})

test('a session opened before confirmations were recorded is asked for one', async () => {
  const officer = await anOfficer('owner')
  await changeRows('sessions', { staff_id: officer.id }, { confirmed_at: null })
  const endpoint = office.find((item) => nameOf(item) === 'POST /api/office/students/export')
  assert.ok(endpoint)
  assert.equal((await answered(endpoint, officer.token)).code, 'session.confirm')
})
