// What schools and the office do during a run: each school enters students and contacts, views its lists and pays, and
// the office verifies. Every write carries a unique mark and, if the call supports it, an idempotency key; it is then
// sent again until it is answered.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerOf, BodyOf, Endpoint, QueryOf } from '@podium/contract/endpoint'
import { paymentSummary, savePayment } from '@podium/contract/payments/calls'
import { officePayments, verifyPayment } from '@podium/contract/payments/calls-verification'
import { getContacts, saveContact } from '@podium/contract/schools/calls'
import { addDays, istDay, type Season, seasonAt } from '@podium/contract/season'
import { getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import sharp from 'sharp'
import { insertSeason } from '../../server/seed/catalogue.ts'
import { openSession } from '../../server/src/platform/auth/session.ts'
import { openDatabase } from '../../server/src/platform/db/database.ts'

// The writers of a run: schools with teachers, and an officer who verifies payments, all signed in.
interface School {
  id: number
  code: string
  /** Its teachers' tokens: each may send a limited number of files an hour */
  teachers: string[]
  officer: string
}

interface World {
  season: Season
  schools: School[]
}

/**
 * Creates a season that is open every day, a foundation with a bank account, and this many schools with this many
 * teachers.
 */
export async function makeWorld(url: string, schools: number, teachers: number): Promise<World> {
  const database = await openDatabase({
    ...{ url, pooler: 'transaction', dataDir: '', poolSize: 2 },
    onError: (error) => console.error(error.message),
  })
  const now = new Date()
  const season = seasonAt(now)
  const today = istDay(now)
  const days = {
    firstExamOn: addDays(today, 60),
    closesOn: addDays(today, 30),
    resultsFrom: addDays(today, 90),
  }
  try {
    return await database.db.transaction().execute(async (tx) => {
      await insertSeason(tx, season, now, 'open', days)
      await tx
        .insertInto('foundation')
        .values({
          id: 1,
          name: 'Podium Foundation',
          support_phone: '1800 000 0000',
          support_email: 'help@foundation.example',
        })
        .execute()
      await tx
        .insertInto('bank_accounts')
        .values({
          ...{
            purpose: 'registration',
            account_name: 'Podium Foundation',
            bank_name: 'Sahyadri Sample Bank',
          },
          ...{ account_no: '000012345678', ifsc: 'SSBX0000417', upi_id: 'podium@samplebank' },
          valid_from: new Date(now.getTime() - 86_400_000),
        })
        .execute()
      const signIn = (who: { kind: 'account'; userId: number } | { kind: 'office'; staffId: number }) =>
        openSession(tx, now, { ...who, source: '127.0.0.1', agent: 'bench' })
      const made: School[] = []
      for (let number = 1; number <= schools; number++) {
        const code = `F${1000 + number}`
        const name = `Udaharan School ${code}`
        const { id } = await tx
          .insertInto('schools')
          .values({
            ...{ code, name, name_key: name.toLowerCase(), address: '1 Namuna Road', city: 'Kalpanagar' },
            ...{
              district: 'Kalpanagar',
              state: 'Karnataka',
              zone: 'South',
              country: 'India',
              pin_code: '560001',
            },
            ...{ phone: '9000000000', email: `${code.toLowerCase()}@school.example`, created_at: now },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const tokens: string[] = []
        for (let teacher = 1; teacher <= teachers; teacher++) {
          const email = `teacher-${teacher}@${code.toLowerCase()}.example`
          const user = await tx
            .insertInto('users')
            .values({
              email,
              name: 'Meera Namunawala',
              designation: 'Teacher',
              school_id: id,
              created_at: now,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
          tokens.push(await signIn({ kind: 'account', userId: user.id }))
        }
        const staff = await tx
          .insertInto('staff')
          .values({
            email: `accounts-${number}@foundation.example`,
            name: 'Radhika Kalpanik',
            role: 'accounts',
            created_at: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        made.push({
          id,
          code,
          teachers: tokens,
          officer: await signIn({ kind: 'office', staffId: staff.id }),
        })
      }
      return { season, schools: made }
    })
  } finally {
    await database.close()
  }
}

export type Kind = 'student' | 'contact' | 'payment' | 'verification'

/** A write as its caller knows it. Unanswered: it is unknown whether it was done, and it was not sent again. */
export interface Write {
  kind: Kind
  mark: string
  /** When it was acknowledged, in ms; undefined if never */
  acknowledged?: number
  /** The payment of a payment or verification */
  id?: number
}

export interface Call {
  from: number
  until: number
  path: string
  /** 0 if the connection broke or there was no answer in time */
  status: number
  /** The refusal's code; empty if the balancer answered in place of the portals */
  code: string
}

export interface Load {
  writes: Write[]
  calls: Call[]
  /** Answers that were neither success nor 5xx, by message: a load that is refused proves nothing. */
  refusals: Map<string, number>
  /** Stops after the calls in progress. */
  stop(): Promise<void>
}

interface Said<E extends Endpoint> {
  query?: QueryOf<E>
  body?: BodyOf<E>
  key?: string
}

/** How long a person at a screen would retry, in ms. */
const patience = 90_000

const letters = (number: number) =>
  [...number.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')

/** Starts the load; each school makes one call after the other, with a pause of `pause` ms. */
export function startLoad(url: string, world: World, pause: number): Load {
  const writes: Write[] = []
  const calls: Call[] = []
  const refusals = new Map<string, number>()
  const today = istDay(new Date())
  let stopped = false
  let count = 0

  async function once<E extends Endpoint>(endpoint: E, token: string, { query, body, key }: Said<E>) {
    const call: Call = { from: Date.now(), until: 0, path: endpoint.path, status: 0, code: '' }
    calls.push(call)
    const search = query === undefined ? '' : `?${new URLSearchParams(query as Record<string, string>)}`
    try {
      const response = await fetch(`${url}${endpoint.path}${search}`, {
        method: endpoint.method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(key && { 'idempotency-key': key }),
        },
        ...(endpoint.method === 'POST' && { body: JSON.stringify(body ?? {}) }),
        signal: AbortSignal.timeout(60_000),
      })
      call.status = response.status
      const text = await response.text()
      const answer = text.startsWith('{') ? JSON.parse(text) : { message: text }
      call.code = answer.code ?? ''
      return { status: response.status, answer }
    } catch {
      return { status: 0, answer: { message: 'no answer' } }
    } finally {
      call.until = Date.now()
    }
  }

  /** Returns the answer, or undefined if there was none that counts. Reads and keyed writes are retried for a while. */
  async function ask<E extends Endpoint>(
    endpoint: E,
    token: string,
    said: Said<E>,
    again = endpoint.method === 'GET' || said.key !== undefined,
  ): Promise<AnswerOf<E> | undefined> {
    await sleep(pause * (0.5 + Math.random()))
    const end = Date.now() + patience
    for (;;) {
      const { status, answer } = await once(endpoint, token, said)
      if (status === 200 && answer.result === 'success') return answer
      const later = status === 0 || status >= 500 || answer.code === 'request.in_progress'
      if (!later) {
        const why = `${endpoint.path}: ${status} ${answer.code} ${answer.message}`
        refusals.set(why, (refusals.get(why) ?? 0) + 1)
      }
      if (!later || !again || Date.now() > end) return undefined
      await sleep(500 + Math.random() * 500)
    }
  }

  async function write<E extends Endpoint>(
    kind: Kind,
    mark: string,
    endpoint: E,
    token: string,
    body: BodyOf<E>,
    key?: string,
  ) {
    const one: Write = { kind, mark }
    writes.push(one)
    const answer = await ask(endpoint, token, { body, ...(key && { key }) })
    if (answer) one.acknowledged = Date.now()
    return { one, answer }
  }

  async function aProof(): Promise<string> {
    const raw = Buffer.from(Array.from({ length: 48 * 48 * 3 }, () => Math.random() * 256))
    const png = await sharp(raw, { raw: { width: 48, height: 48, channels: 3 } })
      .png()
      .toBuffer()
    return `data:image/png;base64,${png.toString('base64')}`
  }

  async function sendPayment(school: School, teacher: string) {
    const FYear = world.season
    const summary = await ask(paymentSummary, teacher, { query: { FYear } })
    const due = summary?.dataList.find(
      (item) => item.paymentFor === 'Registration Fee' && item.paymentStatus_For_School === 0,
    )
    if (due && due.payableAmount > 0) {
      const mark = `Transfer ${letters(count++)} of the school`
      const body = {
        ...{ mode: 3 as const, payableAmount: due.payableAmount, paymentDate: today, remarks: mark },
        ...{
          attechment: await aProof(),
          attechmentName: 'slip.png',
          individualRegIdList: due.individualRegIdList,
        },
        paymentFor: due.paymentFor,
      }
      const { one, answer } = await write('payment', mark, savePayment, teacher, body, randomUUID())
      if (answer) one.id = answer.id
    }
    const queue = await ask(officePayments, school.officer, { query: { FYear, search: school.code } })
    for (const { id, version } of queue?.data ?? []) {
      const { one } = await write(
        'verification',
        `${id}`,
        verifyPayment,
        school.officer,
        { id, version },
        randomUUID(),
      )
      one.id = id
    }
  }

  async function round(school: School, turn: number) {
    const teacher = school.teachers[turn % school.teachers.length] ?? ''
    const FYear = world.season
    for (let child = 0; child < 3; child++) {
      const mark = `Ishita Namuna ${letters(1_000_000 + count++)}`
      const entry = {
        ...{ FYear, classId: 7, section: 'A', rollno: ++count, studentName: mark },
        subjectName: 'Mathematics,Science',
      }
      await write('student', mark, saveStudentDetails, teacher, entry, randomUUID())
      const name = `Hemant ${letters(1_000_000 + count++)}`
      const contact = { id: 0, fyear: FYear, desgId: 1, titleId: 1, name, email: 'hemant@school.example' }
      const rest = { altEmail: '', mobile: '9000000417', altmobile: '' }
      await write('contact', name, saveContact, teacher, { ...contact, ...rest })
      await ask(getStudentDetails, teacher, { body: { FYear, classId: 7 } }, true)
      await ask(getContacts, teacher, { query: { FYear, schId: String(school.id), status: '' } })
    }
    await sendPayment(school, teacher)
  }

  const working = world.schools.map(async (school) => {
    for (let turn = 0; !stopped; turn++) await round(school, turn)
  })
  return {
    writes,
    calls,
    refusals,
    async stop() {
      stopped = true
      await Promise.all(working)
    },
  }
}
