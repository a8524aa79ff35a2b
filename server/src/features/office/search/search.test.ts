import assert from 'node:assert/strict'
import { test } from 'node:test'
import { officeSearch, type SearchHitKind } from '@podium/contract/office/calls-overview'
import { anImport, aUtr } from '#test/bank-factories'
import { aDay, anOfficer, aSchool, thisSeason } from '#test/factories'
import { aPendingPayment, aStudent } from '#test/payments-factories'
import { changeRows, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { aPacket } from '#test/shipping-factories'

const now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('operations'))

const foundBy = async (search: string, by = officer) => (await server.ask(officeSearch, { search }, by)).data
const kindsFound = async (search: string, by = officer): Promise<SearchHitKind[]> => [
  ...new Set((await foundBy(search, by)).map(({ kind }) => kind)),
]

test('one search finds schools, students, payments, bank lines, parcels and people by what each is known by', async () => {
  const utr = aUtr()
  const { school, teacher, id } = await aPendingPayment(server, 1, { changes: { utr } })
  await anImport(server, (await anOfficer('accounts')).token, [{ narration: 'NEFT', amount: 150, utr }])
  const packet = await aPacket({ schoolId: school.id })
  const student = await aStudent({ schoolId: school.id, name: `Zubeida ${school.code}wala` })
  const [first] = await foundBy(school.code.toLowerCase())
  assert.deepEqual(first, {
    kind: 'school',
    id: school.id,
    title: school.name,
    facts: [school.code, school.city],
    FYear: '',
    state: '',
  })
  const [child] = await foundBy(`zubei ${school.code}wal`)
  assert.deepEqual([child?.kind, child?.id, child?.FYear], ['student', student.id, thisSeason])
  const byUtr = await foundBy(utr)
  assert.deepEqual(
    valuesOf(
      byUtr.filter(({ kind }) => kind === 'payment' || kind === 'bankLine'),
      'kind',
    ),
    ['payment', 'bankLine'],
  )
  const payment = byUtr.find(({ kind }) => kind === 'payment')
  assert.deepEqual([payment?.id, payment?.state, payment?.FYear], [id, 'pending', thisSeason])
  const [byReference] = (await foundBy(payment?.title ?? '')).filter(({ kind }) => kind === 'payment')
  assert.equal(byReference?.id, id)
  assert.ok((await foundBy(String(packet))).some((row) => row.kind === 'packet' && row.id === packet))
  assert.ok((await foundBy('nx04')).some((row) => row.kind === 'packet'))
  const [person] = await foundBy(teacher.email.slice(0, 12))
  assert.deepEqual([person?.kind, person?.id], ['person', school.id])
  assert.deepEqual(await foundBy('x'), [])
})

test("the search shows a role only kinds it may read, no family's mobile number, and at most five of each kind", async () => {
  const utr = aUtr()
  const { school } = await aPendingPayment(server, 1, { changes: { utr } })
  await aPacket({ schoolId: school.id })
  const results = await anOfficer('results')
  assert.deepEqual(await kindsFound(utr, results), [])
  assert.deepEqual(await kindsFound('NX0417', results), [])
  assert.ok((await kindsFound('NX0417', await anOfficer('viewer'))).includes('packet'))
  const mobile = '9812345670'
  await changeRows('students', { school_id: school.id }, { parent_mobile: mobile })
  assert.deepEqual(await kindsFound(mobile), [])
  for (let n = 0; n < 6; n++) await aSchool({ name: `Quintus Vidyalaya ${n}` })
  assert.equal((await foundBy('quintus')).length, 5)
})
