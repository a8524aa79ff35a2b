import { demoOfficers, demoPassword } from '../src/features/accounts/demo/rules.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { mint, type OfficeScope } from '../src/platform/auth/scope.ts'
import { seal } from '../src/platform/auth/secrets.ts'
import type { Officers, SeedDeps } from './world.ts'

const supportPhone = '1800 000 0000'

/** The foundation's name, where to reach it, and where schools pay to. The row itself is there from the beginning. */
export async function makeFoundation({ db }: SeedDeps, since: Date): Promise<void> {
  await db
    .updateTable('foundation')
    .set({
      name: 'Podium Foundation',
      support_phone: supportPhone,
      support_email: 'help@podium.example',
      support_hours_hi: 'सोमवार से शुक्रवार, सुबह 9 से शाम 5 बजे',
      short_name: 'Podium',
      postal_address: 'Namuna Bhavan, 12 Sample Marg\nBengaluru 560001, Karnataka',
      website: 'https://podium.example',
      social_links: JSON.stringify([
        { name: 'Instagram', url: 'https://social.example/podium-foundation' },
        { name: 'YouTube', url: 'https://video.example/podium-foundation' },
      ]),
    })
    .execute()
  const account = { account_name: 'Podium Foundation', bank_name: 'Sahyadri Sample Bank', valid_from: since }
  await db
    .insertInto('bank_accounts')
    .values([
      {
        ...account,
        purpose: 'registration',
        account_no: '000012345678',
        ifsc: 'SSBX0000417',
        upi_id: 'podium.fees@samplebank',
      },
      {
        ...account,
        purpose: 'books',
        account_no: '000012345686',
        ifsc: 'SSBX0000417',
        upi_id: 'podium.books@samplebank',
      },
    ])
    .execute()
}

/** The foundation's people, each with the second factor that the demo page shows the codes of. */
export async function makeOfficers({ db, keys }: SeedDeps, since: Date): Promise<Officers> {
  const password_hash = await hashPassword(keys, demoPassword)
  const scopes = new Map<string, OfficeScope>()
  for (const { email, name, role, totpSecret } of demoOfficers) {
    const { id } = await db
      .insertInto('staff')
      .values({ email, name, role, password_hash, totp_secret: seal(keys, totpSecret), created_at: since })
      .returning('id')
      .executeTakeFirstOrThrow()
    scopes.set(email, mint<OfficeScope>({ kind: 'office', staffId: id, name, email, role, session: '' }))
  }
  const of = (name: string) => {
    const scope = scopes.get(`${name}@podium.example`)
    if (!scope) throw new Error(`the demo world has no officer ${name}`)
    return scope
  }
  return {
    owner: of('owner'),
    operations: of('operations'),
    accounts: of('accounts'),
    results: of('results'),
    secondResults: of('results2'),
  }
}
