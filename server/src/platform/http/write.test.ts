import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoint } from '@podium/contract/endpoint'
import { aDay } from '#test/factories'
import { testServer } from '#test/server'
import { Refusal } from '../errors.ts'
import { enqueueMail } from '../jobs/outbox.ts'
import { write } from './http.ts'
import { once } from './idempotency.ts'

const letter = (to: string) => ({
  key: `write:${to}`,
  kind: 'otp' as const,
  to: { name: '', address: to },
  subject: 'A letter',
  text: 'What it says',
})

const said = endpoint('POST /api/probe/said', { summary: 'Writes a mail.' })
const refused = endpoint('POST /api/probe/refused', { summary: 'Writes a mail, and refuses then.' })
const quiet = endpoint('POST /api/probe/quiet', { summary: 'Writes nothing to be sent.' })

test('what a call has written is there with its answer, and its mail leaves; one that refuses leaves nothing', async () => {
  let woken = 0
  const server = await testServer({
    clock: () => aDay,
    routes: ({ app, deps }) => {
      const counting = { ...deps, nudge: () => void woken++ }
      write(app, counting, said, 'public', async (tx, { now }) => {
        await enqueueMail(tx, now, letter('said@teachers.example'))
      })
      write(app, counting, refused, 'public', async (tx, { now }) => {
        await enqueueMail(tx, now, letter('refused@teachers.example'))
        throw new Refusal('not_found')
      })
      write(app, counting, quiet, 'public', async () => ({ message: 'Nothing to send.' }))
    },
  })
  const waiting = async () => {
    const rows = await server.deps.db
      .selectFrom('outbox')
      .select('key')
      .where('key', 'like', 'write:%')
      .orderBy('id')
      .execute()
    return rows.map(({ key }) => key)
  }
  assert.deepEqual((await server.call(said)).body, { result: 'success', message: '' })
  assert.deepEqual(await waiting(), ['write:said@teachers.example'])
  assert.equal(woken, 1)
  assert.equal((await server.call(refused)).status, 404)
  assert.deepEqual(await waiting(), ['write:said@teachers.example'])
  assert.equal((await server.call(quiet)).body.message, 'Nothing to send.')
  assert.equal(woken, 1, 'nothing waits that would have to be begun')
})

test('a key that is sent again gives the first answer of that call, and is none of another', async () => {
  const server = await testServer({
    clock: () => aDay,
    routes: ({ app, deps }) => {
      for (const [call, says] of [
        [said, 'said'],
        [quiet, 'quiet'],
      ] as const) {
        let times = 0
        write(app, deps, call, 'public', (tx, { now, body, request }) =>
          once(tx, now, 'somebody', request.idempotencyKey, body, async () => ({
            message: `${says} ${++times}`,
          })),
        )
      }
    },
  })
  const headers = { 'idempotency-key': 'one-key-of-a-client' }
  const answers = []
  for (const call of [said, said, quiet, quiet])
    answers.push((await server.call(call, {}, { headers })).body.message)
  assert.deepEqual(answers, ['said 1', 'said 1', 'quiet 1', 'quiet 1'])
})
