import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { getCountry } from '@podium/contract/catalogue/calls-places'
import { endNotice } from '@podium/contract/notices/calls'
import { saveContact, setContactStatus } from '@podium/contract/schools/calls'
import { stubBrowser } from './test-browser.ts'

/**
 * How the web handles answers that are not the portal's (specification, section 8): a test server answers with a bare
 * status over a real connection. Browser storage and addresses are stubs.
 */

type Shell = typeof import('./call.ts')
type Session = typeof import('./session.ts')

let server: Server
let base = ''
let shell: Shell
let session: Session
let once: typeof import('./call-once.ts')
/** The server's next answer, and the request it got */
let nextAnswer: { status: number; body?: string; token?: string } = { status: 200 }
let heard: { request: IncomingMessage; body: string }
let gone = 0
let restore: () => void

describe('a call of the web', () => {
  before(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part
      })
      request.on('end', () => {
        heard = { request, body }
        const given = nextAnswer.token === undefined ? {} : { 'x-new-token': nextAnswer.token }
        response.writeHead(nextAnswer.status, { connection: 'close', ...given }).end(nextAnswer.body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const send = globalThis.fetch
    restore = stubBrowser({
      addEventListener: () => undefined,
      fetch: (address: string, asked: RequestInit) => send(new URL(address, base), asked),
    })
    shell = await import('./call.ts')
    session = await import('./session.ts')
    once = await import('./call-once.ts')
    shell.onCall(once.callKeyed)
    shell.onSignedOut(() => {
      gone++
    })
  })
  after(() => {
    restore()
    server.close()
  })
  beforeEach(() => {
    gone = 0
    session.startSession('the token', { userId: 1, userName: 'Meera Namunawala', schId: 1 })
  })

  /** Returns the error of a call answered like this. */
  async function ending(status: number, body = '<h1>Nothing of ours</h1>') {
    nextAnswer = { status, body }
    return shell.call(getCountry).then(
      () => assert.fail('the call succeeded'),
      (cause: unknown) => {
        assert.ok(cause instanceof shell.CallError)
        return cause
      },
    )
  }

  describe('an answer without our envelope', () => {
    for (const [status, message] of [
      [401, 'Not Found: Unauthorized'],
      [404, 'Not Found: Not Found'],
      [403, 'Access Denied: Forbidden'],
      [500, 'Internal Server Error: something went wrong.'],
      [502, 'Unknown Server Error: something went wrong.'],
      [418, "Unknown Server Error: I'm a Teapot"],
      [200, 'Unknown Server Error: OK'],
    ] as const) {
      test(`with status ${status} is an error with the message “${message}” [spec 8.1]`, async () => {
        const { message: said, status: of } = await ending(status)
        assert.deepEqual([said, of], [message, status])
      })
    }
  })

  test('a 401 ends the session and sends the user to the root route, and another status does not [spec 2.1.25 8.1]', async () => {
    await ending(403)
    assert.deepEqual([gone, session.token()], [0, 'the token'])
    await ending(401)
    assert.deepEqual([gone, session.token(), session.signedIn()], [1, '', undefined])
  })

  test('a failed connection is an error with the message “Error: {detail}” [spec 8.2]', async () => {
    const working = base
    base = 'http://127.0.0.1:9'
    const { message, status } = await ending(0)
    base = working
    assert.equal(message, 'Error: no connection.')
    assert.equal(status, 0)
  })

  test('a refusal in our envelope shows its own sentence, at its fields [spec 8.3]', async () => {
    const issues = [{ path: 'name', message: 'Contact Name is required.' }]
    const refusal = {
      result: 'error',
      code: 'input.invalid',
      message: 'Please check the marked fields.',
      issues,
    }
    const refused = await ending(400, JSON.stringify(refusal))
    assert.equal(refused.message, refusal.message)
    assert.deepEqual(refused.issues, issues)
  })

  test('a response of status 200 with result error is an error, too [spec 8.3]', async () => {
    const wrong = { result: 'error', code: 'account.wrong_otp', message: 'Invalid Otp' }
    assert.equal((await ending(200, JSON.stringify(wrong))).message, 'Invalid Otp')
  })

  test('every call carries the token from session storage, and an empty one without a session [spec 3.1 7.1 9.22]', async () => {
    assert.equal(sessionStorage.getItem('token'), 'the token')
    await ending(404)
    assert.equal(heard.request.headers.authorization, 'Bearer the token')
    session.endSession()
    await ending(404)
    assert.equal(heard.request.headers.authorization?.trim(), 'Bearer')
  })

  test('a new token replaces only the one it answers, in the storage where that is kept', async () => {
    for (const stay of [false, true]) {
      session.startSession('first', { userId: 1, userName: 'Meera Namunawala', schId: 1 }, stay)
      nextAnswer = { status: 404, token: 'second' }
      await shell.call(getCountry).catch(() => undefined)
      assert.equal((stay ? localStorage : sessionStorage).getItem('token'), 'second')
      assert.equal((stay ? sessionStorage : localStorage).getItem('token'), null)
      assert.equal(heard.request.headers.authorization, 'Bearer first')
      await shell.call(getCountry).catch(() => undefined)
      assert.equal(heard.request.headers.authorization, 'Bearer second')
      // The answer to a call that was sent before another tab signed out, or another user signed in.
      session.renewToken('first', 'third')
      assert.equal(session.token(), 'second')
      session.endSession()
      session.renewToken('second', 'third')
      assert.equal(session.token(), '')
    }
  })

  test('nothing is sent in the name of someone who has signed in on another tab, nor are they signed out', async () => {
    const joel = JSON.stringify({ userId: 2, userName: 'Joel Misaal', schId: 2 })
    const elsewhere = JSON.stringify({ userId: 1, userName: 'Meera Namunawala', schId: 2 })
    session.followOtherTabs()
    for (const other of [joel, elsewhere]) {
      session.startSession('first', { userId: 1, userName: 'Meera Namunawala', schId: 1 }, true)
      localStorage.setItem('token', 'second')
      localStorage.setItem('user', other)
      nextAnswer = { status: 401 }
      await once.callOnce(saveContact, { idempotencyKey: 'a key' }).catch(() => undefined)
      assert.equal(heard.request.headers.authorization, 'Bearer')
      assert.equal(gone, 1)
      gone = 0
      session.updateSession({ schName: 'Udaharan Vidyalaya' })
      assert.deepEqual([localStorage.getItem('token'), localStorage.getItem('user')], ['second', other])
    }
  })

  test('a write with a key is sent once more if its answer is lost, and ends if that is lost, too', async () => {
    const keys: unknown[] = []
    const lose = (times: number) => (request: IncomingMessage) => {
      keys.push(request.headers['idempotency-key'])
      if (keys.length <= times) request.socket.destroy()
    }
    const send = () => once.callOnce(saveContact, { idempotencyKey: 'the same key' })
    nextAnswer = { status: 200, body: '{"result":"success","message":"","id":7}' }
    const [first, second] = [lose(1), lose(2)]
    server.prependListener('request', first)
    assert.equal((await send()).id, 7)
    assert.deepEqual(keys.splice(0), ['the same key', 'the same key'])
    server.off('request', first).prependListener('request', second)
    const cause = await send().catch((thrown: unknown) => thrown)
    server.off('request', second)
    assert.ok(cause instanceof shell.CallError && once.canRepeat(cause))
    assert.equal(keys.length, 2)
  })

  test('a write keeps its key until it is answered or refused', async () => {
    const keys: unknown[] = []
    const lose = (request: IncomingMessage) => void request.socket.destroy()
    const listen = (request: IncomingMessage) => void keys.push(request.headers['idempotency-key'])
    const send = (version: number) =>
      shell.call(endNotice, { body: { id: 1, version } }).catch((thrown: unknown) => thrown)
    server.prependListener('request', listen).prependListener('request', lose)
    await send(1)
    server.off('request', lose)
    nextAnswer = { status: 502 }
    await send(1)
    nextAnswer = { status: 409, body: '{"result":"error","code":"changed_meanwhile","message":"…"}' }
    await send(1)
    nextAnswer = { status: 200, body: '{"result":"success","message":""}' }
    await send(1)
    await send(1)
    await send(2)
    server.off('request', listen)
    const [first, again, afterLoss, after502, ...others] = keys
    assert.deepEqual([again, afterLoss, after502], [first, first, first])
    assert.equal(new Set([first, ...others]).size, 4)
  })

  test('a write whose answer was lost is made anew once another write has been answered, unless it names a version', async () => {
    const keys: unknown[] = []
    const listen = (request: IncomingMessage) => void keys.push(request.headers['idempotency-key'])
    const send = (body: { id: number; status: boolean } | { id: number; version: number }) =>
      ('version' in body ? shell.call(endNotice, { body }) : shell.call(setContactStatus, { body })).catch(
        () => undefined,
      )
    const off = { id: 1, status: false }
    const end = { id: 1, version: 1 }
    server.prependListener('request', listen)
    nextAnswer = { status: 502 }
    await send(off)
    await send(end)
    nextAnswer = { status: 200, body: '{"result":"success","message":""}' }
    await send({ id: 1, status: true })
    await send(off)
    await send(end)
    server.off('request', listen)
    const [lostOff, lostEnd, , laterOff, laterEnd] = keys
    assert.notEqual(laterOff, lostOff, 'switched off, on and off again')
    assert.equal(laterEnd, lostEnd)
  })

  describe('a call that needs a fresh confirmation', () => {
    const wants = JSON.stringify({ result: 'error', code: 'session.confirm', message: 'Please confirm …' })
    const calls = {
      call: () => shell.call(saveContact, { idempotencyKey: 'the same key' }),
      callFile: () => shell.callFile(saveContact, { idempotencyKey: 'the same key' }),
    }
    for (const [name, make] of Object.entries(calls)) {
      test(`is sent again once by ${name} after the confirmation, with its key`, async () => {
        nextAnswer = { status: 403, body: wants }
        const keys: unknown[] = []
        shell.onUnconfirmed(async () => {
          keys.push(heard.request.headers['idempotency-key'])
          nextAnswer = { status: 200, body: '{"result":"success","message":"","id":1}' }
          return true
        })
        await make()
        assert.deepEqual(
          [...keys, heard.request.headers['idempotency-key']],
          ['the same key', 'the same key'],
        )
      })

      test(`ends silently by ${name} without the confirmation, and is not sent again`, async () => {
        nextAnswer = { status: 403, body: wants }
        let asked = 0
        shell.onUnconfirmed(async () => {
          asked++
          nextAnswer = { status: 200, body: '{"result":"success","message":"","id":1}' }
          return false
        })
        const cause = await make().then(
          () => assert.fail('it was sent again'),
          (thrown: unknown) => thrown,
        )
        assert.ok(cause instanceof shell.CallError)
        assert.deepEqual([asked, cause.message, cause.code], [1, '', 'session.confirm'])
      })

      test(`asks once by ${name}: a second refusal is shown`, async () => {
        nextAnswer = { status: 403, body: wants }
        let asked = 0
        shell.onUnconfirmed(async () => ++asked > 0)
        const cause = await make().catch((thrown: unknown) => thrown)
        assert.ok(cause instanceof shell.CallError)
        assert.deepEqual([asked, cause.message], [1, 'Please confirm …'])
      })
    }
  })

  test('a POST omits cityName [spec 7.3]', async () => {
    nextAnswer = { status: 200, body: '{"result":"success","message":"","id":1}' }
    const given = { body: { name: 'Hema', cityName: 'Kalpanagar' } } as object
    await shell.call(saveContact, given)
    assert.deepEqual(JSON.parse(heard.body), { name: 'Hema' })
  })
})
