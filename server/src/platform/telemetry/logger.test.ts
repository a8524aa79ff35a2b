import assert from 'node:assert/strict'
import { test } from 'node:test'
import { login } from '@podium/contract/accounts/calls'
import { emailVerify, forgotPassword } from '@podium/contract/accounts/calls-registration'
import { getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import { aDay, thisSeason } from '../../../test/factories.ts'
import { testServer } from '../../../test/server.ts'
import { anEntry, aTeacherInSeason } from '../../../test/students-factories.ts'
import { createLogger } from './logger.ts'

test('the log names routes and no person: no e-mail, name, mobile, password or token of a request is in it', async () => {
  const lines: string[] = []
  const log = createLogger('trace', { write: (line) => void lines.push(line) })
  const server = await testServer({ clock: () => aDay, log })
  const teacher = await aTeacherInSeason()
  const canary = {
    email: 'canary.person@teachers.example',
    password: 'canary-password-unheard-of',
    name: 'Canary Namunawala',
    mobile: '9876501234',
  }
  await server.call(emailVerify, { body: { EmailId: canary.email } })
  await server.call(forgotPassword, { body: { emailId: canary.email } })
  await server.call(login, { body: { emailId: canary.email, password: canary.password } })
  await fetch(`${server.url}/api/Account/EmailVerify?EmailId=${canary.email}`)
  await fetch(`${server.url}/api/no/such/call?name=${encodeURIComponent(canary.name)}`)
  const entry = { studentName: canary.name, parentEmailId: canary.email, parentMobileNo: canary.mobile }
  await server.call(saveStudentDetails, { body: anEntry(entry) }, teacher)
  // A refused one too, and a fault
  await server.send(saveStudentDetails, { body: { ...anEntry(entry), classId: 99 } }, teacher)
  await server.call(getStudentDetails, { body: { FYear: thisSeason, studentName: canary.name } }, teacher)
  log.error({ err: new Error('a fault'), email: canary.email, body: { password: canary.password } }, 'fault')
  await server.drain()

  const all = lines.join('')
  assert.match(all, /"route":"\/api\/ManageStudent\/SaveStudentDetails"/)
  for (const [what, value] of Object.entries({ ...canary, token: teacher.token })) {
    assert.ok(!all.includes(value) && !all.includes(encodeURIComponent(value)), `the log holds the ${what}`)
  }
})
