import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deleteView,
  maxAllViews,
  maxViews,
  officeViews,
  saveView,
} from '@podium/contract/office/calls-saved-views'
import { aDay, anOfficer } from '#test/factories'
import { addRows } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => aDay }))
const officer = beforehand(() => anOfficer('operations'))
const colleague = beforehand(() => anOfficer('viewer'))

type Officer = typeof officer
const view = {
  list: 'schools',
  name: 'Kerala, owing',
  filters: { state: 'Kerala', due: 'open' },
  hidden: ['staff'],
  shared: false,
}
const save = (by: Officer, changes: Partial<Omit<typeof view, 'filters'>> & { filters?: object } = {}) =>
  server.send(saveView, { body: { ...view, ...changes } }, by)
const names = async (by: Officer, list: string) =>
  (await server.ask(officeViews, { list }, by)).data.map(({ name }) => name)

test('a view keeps the filters and hidden columns of its list, and belongs to the person who saved it', async () => {
  const { body } = await save(officer)
  const { data } = await server.ask(officeViews, { list: 'schools' }, officer)
  const { list: _, ...saved } = view
  assert.deepEqual(data, [{ ...saved, id: body.id, isAuthor: true, madeBy: data[0]?.madeBy }])
  assert.deepEqual(await names(colleague, 'schools'), [])
  assert.deepEqual(await names(officer, 'packets'), [])
})

test('everyone can use a shared view, and only its owner can delete it', async () => {
  const { body } = await save(officer, { list: 'packets', name: 'Returned', shared: true })
  assert.deepEqual(await names(colleague, 'packets'), ['Returned'])
  const drop = (by: Officer) => server.send(deleteView, { body: { id: Number(body.id) } }, by)
  assert.equal((await drop(colleague)).status, 404)
  assert.equal((await drop(officer)).status, 200)
  assert.deepEqual(await names(colleague, 'packets'), [])
})

test('a role that only reads cannot share its views', async () => {
  const shared = { list: 'receipts', name: 'For all', shared: true }
  await refused('views.share', save(colleague, shared))
  assert.deepEqual(await names(colleague, 'receipts'), [])
  assert.equal((await save(colleague, { ...shared, shared: false })).status, 200)
  assert.equal((await save(await anOfficer('results'), shared)).status, 200)
  assert.deepEqual(await names(officer, 'receipts'), ['For all'])
})

test('saving under the same name replaces the view', async () => {
  const first = await save(officer, { list: 'students', name: 'Class 7', shared: true })
  const second = await save(officer, {
    list: 'students',
    name: ' Class  7 ',
    filters: { state: '', due: '' },
  })
  assert.equal(second.body.id, first.body.id)
  assert.deepEqual(await names(officer, 'students'), ['Class 7'])
  assert.deepEqual(await names(colleague, 'students'), [])
})

test("a view without a name is refused, and so is one beyond a person's limit", async () => {
  const nameless = await save(officer, { name: ' ' })
  assert.equal(nameless.status, 400)
  assert.deepEqual(nameless.body.issues, [{ path: 'name', message: 'Name is required.' }])
  for (let n = 0; n < maxViews; n++) await save(officer, { list: 'payments', name: `View ${n}` })
  const more = await save(officer, { list: 'payments', name: 'One more' })
  assert.deepEqual(more.body.issues, [
    { path: 'name', message: 'You already have 30 views of this list. Delete one first.' },
  ])
  assert.equal((await save(officer, { list: 'payments', name: 'View 3' })).status, 200)
})

test('the views of a person are limited in all, whatever the lists are called', async () => {
  const hoarder = await anOfficer('viewer')
  const row = { staff_id: hoarder.id, filters: '{}', hidden: '[]', shared: false, created_at: aDay }
  await addRows(
    'saved_views',
    Array.from({ length: maxAllViews }, (_, n) => ({
      ...row,
      list: `list-${'x'.repeat(n % 30)}`,
      name: `View ${n}`,
    })),
  )
  const more = await save(hoarder, { list: 'another', name: 'One more' })
  assert.deepEqual(more.body.issues, [
    { path: 'name', message: 'You already have 300 views. Delete one first.' },
  ])
  assert.equal((await save(hoarder, { list: 'list-', name: 'View 0' })).status, 200)
})

test('views saved in parallel do not pass the limit together', async () => {
  for (let n = 0; n < maxViews - 2; n++) await save(officer, { list: 'packets', name: `View ${n}` })
  const answers = await Promise.all(
    ['A', 'B', 'C', 'D', 'E'].map((name) => save(officer, { list: 'packets', name })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 400, 400, 400])
  assert.equal((await names(officer, 'packets')).length, maxViews)
})
