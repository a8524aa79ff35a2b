import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recordHistory } from '@podium/contract/audit-log/calls'
import { discardLine } from '@podium/contract/bank/calls'
import { hindiNames } from '@podium/contract/catalogue/calls'
import {
  type ReasonKind,
  reasonKinds,
  type StandardReason,
  saveReasons,
  standardReasons,
} from '@podium/contract/office/calls-settings'
import { rejectPayment } from '@podium/contract/payments/calls-verification'
import { declineWaiver } from '@podium/contract/payments/calls-waivers'
import { askBackApplication, rejectApplication } from '@podium/contract/schools/calls-applications'
import { aDay, anOfficer } from '#test/factories'
import { type TestServer, testServer } from '#test/server'

type Officer = Awaited<ReturnType<typeof anOfficer>>
let server: TestServer
let owner: Officer
let built: Awaited<ReturnType<typeof lists>>
before(async () => {
  server = await testServer({ clock: () => aDay })
  owner = await anOfficer('owner')
  built = await lists()
})

const lists = async (by: Officer = owner) => (await server.call(standardReasons, {}, by)).body.data
const listOf = async (kind: ReasonKind) => {
  const list = (await lists()).find((one) => one.kind === kind)
  if (!list) throw new Error(`no list of ${kind}`)
  return list
}
const save = async (kind: ReasonKind, reasons: StandardReason[], by = owner, version?: number) =>
  server.call(saveReasons, { body: { kind, reasons, version: version ?? (await listOf(kind)).version } }, by)

// The files of a lane share a database: others expect the lists as they come.
after(async () => {
  for (const { kind, reasons } of built)
    await server.deps.db
      .updateTable('standard_reasons')
      .set({ reasons: JSON.stringify(reasons) })
      .where('kind', '=', kind)
      .execute()
})

test('each kind of decision comes with reasons that its own call takes, in Hindi where a school reads them', async () => {
  const rules = {
    payment: rejectPayment.body.shape.reason,
    application: rejectApplication.body.shape.reason,
    request: askBackApplication.body.shape.question,
    bank: discardLine.body.shape.reason,
    waiver: declineWaiver.body.shape.reason,
  }
  const data = await lists(await anOfficer('viewer'))
  assert.deepEqual(
    data.map(({ kind }) => kind),
    [...reasonKinds],
  )
  for (const { kind, reasons } of data) {
    assert.ok(reasons.length >= 3, kind)
    for (const { en, hi } of reasons) {
      assert.equal(rules[kind].safeParse(en).success, true, en)
      assert.equal(hi !== '', kind !== 'bank', en)
    }
  }
})

test('a list is kept in its order as a whole, tidied, and the record says from what to what', async () => {
  const reasons = [
    { en: ' Not a school’s  money ', hi: '' },
    { en: 'Interest', hi: 'ब्याज' },
  ]
  const before = await listOf('bank')
  assert.equal((await save('bank', reasons)).status, 200)
  const now = await listOf('bank')
  assert.deepEqual(
    [now.reasons, now.version],
    [[{ en: 'Not a school’s money', hi: '' }, reasons[1]], before.version + 1],
  )
  const query = { kind: 'foundation', id: '1' }
  const { data } = (await server.call(recordHistory, { query }, owner)).body
  const change = data[0]?.changes.find(({ field }) => /bankReasons/i.test(field))
  assert.equal(data[0]?.action, 'foundation.reasons_changed')
  assert.match(change?.to ?? '', /Not a school’s money, Interest \(ब्याज\)/)
  assert.equal((await save('bank', [])).status, 200)
  assert.deepEqual((await listOf('bank')).reasons, [])
})

test('only the owner changes a list, and not one that somebody else has changed since it was read', async () => {
  const { reasons, version } = await listOf('waiver')
  assert.equal((await save('waiver', [], await anOfficer('operations'))).status, 403)
  await save('waiver', [...reasons].reverse())
  const late = await save('waiver', [], owner, version)
  assert.deepEqual([late.status, late.body.code], [409, 'changed_meanwhile'])
  assert.deepEqual((await listOf('waiver')).reasons, [...reasons].reverse())
})

test('a reason that is empty, too long or there twice is refused at its place, and so are more than twenty', async () => {
  const { reasons } = await listOf('payment')
  const refused = async (list: StandardReason[]) => {
    const { status, body } = await save('payment', list)
    return [status, body.message]
  }
  const one = (en: string, hi = '') => ({ en, hi })
  assert.deepEqual(await refused([one('Paid'), one(' ')]), [400, 'Please enter a reason.'])
  assert.deepEqual(await refused([one('a'.repeat(201))]), [400, 'At most 200 characters.'])
  assert.deepEqual(await refused([one('Paid', 'अ'.repeat(201))]), [400, 'At most 200 characters.'])
  assert.deepEqual(await refused([one('Paid'), one(' Paid ')]), [
    400,
    'Two reasons of a list are the same. Please delete one.',
  ])
  const many = Array.from({ length: 21 }, (_, at) => one(`Reason ${at}`))
  assert.deepEqual(await refused(many), [400, 'At most 20 reasons in a list.'])
  assert.deepEqual((await listOf('payment')).reasons, reasons)
  assert.equal((await save('payment', many.slice(1))).status, 200)
})

test('a school that reads Hindi finds the Hindi text of a reason by its English one', async () => {
  await save('request', [
    { en: 'Please send the board.', hi: 'कृपया बोर्ड भेजें।' },
    { en: 'Untold', hi: '' },
  ])
  const { names } = (await server.call(hindiNames)).body
  assert.deepEqual([names['Please send the board.'], names.Untold], ['कृपया बोर्ड भेजें।', undefined])
})
