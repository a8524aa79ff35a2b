// Who writes during a run: schools with teachers, and an officer who verifies payments, all signed in.
import { addDays, istDay, type Season, seasonAt } from '@podium/contract/season'
import { insertSeason } from '../../server/seed/catalogue.ts'
import { openSession } from '../../server/src/platform/auth/session.ts'
import { openDatabase } from '../../server/src/platform/db/database.ts'

export interface School {
  id: number
  code: string
  /** Tokens of its teachers: each may send so many files an hour */
  teachers: string[]
  officer: string
}

export interface World {
  season: Season
  schools: School[]
}

/** A season that is open on every day, a foundation with a bank account, and so many schools with so many teachers. */
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
