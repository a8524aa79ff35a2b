import { randomUUID } from 'node:crypto'
import {
  emailVerify,
  otpVerify,
  register,
  verifyAccessCode,
} from '@podium/contract/accounts/calls-registration'
import type { BodyOf } from '@podium/contract/endpoint'
import { mergeSchools, previewMerge } from '@podium/contract/schools/calls-merge'
import { issueSchoolLink } from '../src/features/accounts/registration/commands.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { aDay, aSchool } from './factories.ts'
import { addRow } from './rows.ts'
import { mailsTo, type TestServer } from './server.ts'

/** Not a common password, and without words of the portal. */
export const aPassword = 'Tamarind-kettle-42'

export const anAddress = () => `${randomUUID()}@teachers.example`

/** Returns the newest one-time password mailed to an address. */
export async function codeFor(server: TestServer, address: string): Promise<string> {
  const mails = await mailsTo(server, address)
  const code = /^(\d{6}) /.exec(mails[0]?.subject ?? '')?.[1]
  if (!code) throw new Error(`no one-time password was mailed: ${mails[0]?.subject}`)
  return code
}

/** Creates a school with a link, as printed on its letter. */
export async function aLinkedSchool(server: TestServer) {
  const school = await aSchool()
  const link = await server.deps.db
    .transaction()
    .execute((tx) => issueSchoolLink(tx, aDay, server.deps.keys, school.id))
  return { school, ...link }
}

export const aForm = {
  userName: 'Farida Udaharan',
  address: '7 Misaal Road',
  country: 'India',
  state: 'Karnataka',
  city: 'Kalpanagar',
  pinCode: '560001',
  mobile: '9000000001',
  genderType: 2,
  password: aPassword,
  rePassword: aPassword,
  designation: 'Teacher',
  disclaimer: true,
} as const

/** Returns a browser's cookies after proving an address, and a school's access code if a link is given. */
export async function aProvedBrowser(server: TestServer, email: string, link?: { id: string; code: string }) {
  const cookies = new Map<string, string>()
  if (link) await server.ask(verifyAccessCode, { id: link.id, code: link.code }, { cookies })
  await server.ask(emailVerify, { EmailId: email }, { cookies })
  const otp = await codeFor(server, email)
  const proved = await server.call(otpVerify, { body: { EmailId: email, otp } }, { cookies })
  if (proved.body.result !== 'success') throw new Error(proved.body.message)
  return cookies
}

/** Registers a person through all the steps. */
export async function aRegistered(
  server: TestServer,
  form: Partial<BodyOf<typeof register>> = {},
  link?: { id: string; code: string },
) {
  const emailId = form.emailId ?? anAddress()
  const cookies = await aProvedBrowser(server, emailId, link)
  const answer = await server.call(register, { body: { ...aForm, emailId, ...form } }, { cookies })
  if (answer.body.result !== 'success') throw new Error(JSON.stringify(answer.body))
  return { emailId, cookies }
}

/** Creates an account with a password directly, without the steps. */
export async function anAccount(server: TestServer, traits: { schoolId?: number; disabled?: boolean } = {}) {
  return addRow('users', {
    email: anAddress(),
    name: 'Meera Namunawala',
    designation: 'Teacher',
    school_id: traits.schoolId ?? null,
    password_hash: await hashPassword(server.deps.keys, aPassword),
    disabled_at: traits.disabled ? aDay : null,
    created_at: aDay,
  })
}

/** Merges two schools as the office does: with the versions shown and the code typed. */
export async function mergeOf(
  server: TestServer,
  officer: { token: string },
  pair: { target: number; source: number },
  more: object = {},
) {
  const query = { target: String(pair.target), source: String(pair.source) }
  const { body } = await server.call(previewMerge, { query }, officer)
  const asked = {
    ...pair,
    targetVersion: body.target?.version,
    sourceVersion: body.source?.version,
    seen: body.seen ?? 'nothing was shown',
    take: [],
    typed: body.source?.schCode,
    ...more,
  }
  return server.send(mergeSchools, { body: asked }, officer)
}
