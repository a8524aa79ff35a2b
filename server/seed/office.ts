import { demoOfficers, demoPassword } from '../src/features/accounts/demo/rules.ts'
import { invite } from '../src/features/accounts/invitations/commands.ts'
import { takeBounce } from '../src/features/office/mails/commands.ts'
import { checkRequest, enterRequest } from '../src/features/privacy/requests/commands.ts'
import { assignItems } from '../src/features/staff/routes.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { mint, type OfficeScope } from '../src/platform/auth/scope.ts'
import { seal } from '../src/platform/auth/secrets.ts'
import { messageId } from '../src/platform/mail/bounces.ts'
import type { Officers, School, SeedDeps, World } from './world.ts'

const supportPhone = '1800 000 0000'

/** Sets the foundation's name, contact details and the accounts schools pay into. The row itself always exists. */
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

/** Creates the foundation's staff, each with the second factor whose codes the demo page shows. */
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
  const idOf = (name: string) => {
    const scope = scopes.get(`${name}@podium.example`)
    if (!scope) throw new Error(`the demo world has no officer ${name}`)
    return scope
  }
  return {
    owner: idOf('owner'),
    operations: idOf('operations'),
    accounts: idOf('accounts'),
    results: idOf('results'),
    secondResults: idOf('results2'),
  }
}

/** Assigns unclear cases: an overpaid payment and its bank line, and a likely duplicate. */
export async function assignCases({
  db,
  deps,
  officers: { owner, accounts, operations },
}: World): Promise<void> {
  const line = await db
    .selectFrom('bank_lines')
    .select('id')
    .where('state', '=', 'open')
    .where('narration', 'like', '%/BOOKS')
    .executeTakeFirst()
  const payment = await db
    .selectFrom('payments')
    .select('id')
    .where('state', '=', 'pending')
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const application = await db
    .selectFrom('applications')
    .select('id')
    .where('state_of_review', '=', 'submitted')
    .where('school_name', 'like', 'Kalpanik Public School%')
    .executeTakeFirst()
  const shared = [
    { kind: 'bank-line', item: line, to: accounts },
    { kind: 'payment', item: payment, to: accounts },
    { kind: 'application', item: application, to: operations },
  ] as const
  for (const { kind, item, to } of shared)
    if (item)
      await db
        .transaction()
        .execute((tx) => assignItems(tx, owner, deps.clock(), { kind, ids: [item.id], staffId: to.staffId }))
}

const returned = [
  { to: 'rekha@podium.example', status: '5.2.2', reason: '552 5.2.2 The mailbox is full' },
  { to: 'arindam@podium.example', status: '5.7.1', reason: '550 5.7.1 Message refused by policy' },
] as const

/**
 * Makes two e-mails to schools bounce: one because a mailbox is full, which marks its address, and one that a server
 * refused.
 */
export async function bounceSomeMails({ db, deps }: World): Promise<void> {
  for (const { to, status, reason } of returned) {
    const mail = await db
      .selectFrom('outbox as o')
      .innerJoin('users as u', 'u.id', 'o.user_id')
      .select(['o.id', 'o.key', 'o.created_at'])
      .where('u.email', '=', to)
      .where('o.kind', 'in', ['waiver', 'payment-received'])
      .orderBy('o.id', 'desc')
      .executeTakeFirst()
    if (!mail) continue
    const at = new Date(Math.min(mail.created_at.getTime() + 60_000, deps.clock().getTime()))
    const report = { messageId: messageId(mail, 'no-reply@podium.example'), recipient: to, status, reason }
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('outbox')
        .set({ done_at: mail.created_at, payload: '{}', attempts: 1 })
        .where('id', '=', mail.id)
        .execute()
      await takeBounce(tx, at, { ...report, at: at.toISOString() })
    })
  }
}

const day = 86_400_000

const stories = [
  {
    days: 3,
    kind: 'export',
    message: 'The mother rang: she wants to know all that we hold.',
    contact: '9000004171',
    check: '',
  },
  {
    days: 40,
    kind: 'erase',
    message: 'A letter of the father: the family has moved abroad.',
    contact: '',
    check: 'Called back on the number on record; the father says so himself.',
  },
] as const

/** Creates two requests about students' data: one is new, one was checked and waits for a second officer. */
export async function makeDataRequests(world: World, schools: readonly School[]): Promise<void> {
  const { db, deps, officers, seasons } = world
  const schoolIds = schools.map(({ scope }) => scope.schoolId)
  const children = await db
    .selectFrom('students')
    .select('id')
    .where('season', '=', seasons[1].label)
    .where('school_id', 'in', schoolIds)
    .where('active', '=', true)
    .where('locked', '=', false)
    .orderBy('id', 'desc')
    .limit(stories.length)
    .execute()
  for (const [index, { days, kind, message, contact, check }] of stories.entries()) {
    const child = children[index]
    if (!child) continue
    const at = new Date(deps.clock().getTime() - days * day)
    await db.transaction().execute(async (tx) => {
      const asking = { studentId: child.id, kind, message, contact }
      const id = await enterRequest(tx, officers.operations, at, asking)
      if (check === '') return
      const checked = { id, version: 1, method: 'call-back' as const, note: check }
      await checkRequest(tx, officers.operations, new Date(at.getTime() + day), checked)
    })
  }
}

const contacts = [
  { name: 'Vasudha Udaharan', designation: 'Principal', title: 'Dr', active: true },
  { name: 'Hemalatha Kalpanik', designation: 'Olympiad Coordinator', title: 'Mrs', active: true },
  { name: "Joseph D'Misaal", designation: 'Accountant', title: 'Mr', active: true },
  { name: 'Rafiq Namunawala', designation: 'Olympiad Coordinator', title: 'Mr', active: false },
]

/** Creates contacts of every active school: a principal, a coordinator, and more at larger ones. */
export async function makeContacts({ db, seasons }: World, schools: readonly School[]): Promise<void> {
  const designations = await db.selectFrom('designations').select(['id', 'name']).execute()
  const titles = await db.selectFrom('titles').select(['id', 'name']).execute()
  const idOf = (list: readonly { id: number; name: string }[], name: string) => {
    const row = list.find((item) => item.name === name)
    if (!row) throw new Error(`nobody is called ${name}`)
    return row.id
  }
  const [season] = seasons
  const rows = schools.flatMap(({ id, seed }, index) =>
    contacts.slice(0, seed.stage === 'empty' ? 0 : seed.children[0] > 200 ? 4 : 2).map((contact, number) => ({
      school_id: id,
      season: season.label,
      designation_id: idOf(designations, contact.designation),
      title_id: idOf(titles, contact.title),
      name: contact.name,
      email: `${contact.designation.toLowerCase().replace(/\W/g, '')}${number}@${seed.code.toLowerCase()}.school.example`,
      mobile: `98${String(10 + index)}00${seed.code.slice(3)}`,
      active: contact.active,
      // One has only been requested: the office must confirm it.
      confirmed_at: seed.code === 'KPS0102' && number === 2 ? null : season.at(0.1),
      created_at: season.at(0.1),
    })),
  )
  await db.insertInto('contacts').values(rows).execute()
}

const questions = [
  {
    letter: 'M',
    classId: 7,
    chapter: 'Chapter03',
    question: 'The sum of three consecutive odd numbers is 57. Which is the largest of them?',
    options: ['17', '19', '21', '23'],
    answer: 3,
    state: 'accepted',
    reason: '',
  },
  {
    letter: 'S',
    classId: 6,
    chapter: 'Chapter11',
    question: 'Which part of a plant takes up most of its water?',
    options: ['Leaf', 'Stem', 'Root', 'Flower'],
    answer: 3,
    state: 'sent',
    reason: '',
  },
  {
    letter: 'E',
    classId: 8,
    chapter: 'Chapter02',
    question: 'Choose the word that means nearly the same as “brief”.',
    options: ['Short', 'Bright', 'Late', 'Plain'],
    answer: 1,
    state: 'declined',
    reason: 'The bank has this question already.',
  },
]

/** Creates two teachers' questions: accepted, waiting and declined. */
export async function makeQuestions(
  { db, officers, seasons }: World,
  schools: readonly School[],
): Promise<void> {
  const [season] = seasons
  const senders = schools.filter(({ seed }) => ['VNK0417', 'KPS0102'].includes(seed.code))
  const rows = senders.flatMap(({ id, scope }) =>
    questions.map(({ letter, classId, chapter, question, options, answer, state, reason }, index) => ({
      school_id: id,
      season: season.label,
      user_id: scope.userId,
      letter,
      class_id: classId,
      chapter,
      question,
      options: JSON.stringify(options),
      answer,
      state,
      reason,
      reviewed_by: state === 'sent' ? null : officers.operations.staffId,
      reviewed_at: state === 'sent' ? null : season.at(0.45 + index / 10),
      created_at: season.at(0.4 + index / 10),
    })),
  )
  await db.insertInto('teacher_questions').values(rows).execute()
}

/** Creates an invitation of another colleague by the first school's coordinator, two days ago and still open. */
export async function makeInvitation({ db, deps }: World, schools: readonly School[]): Promise<void> {
  const [school] = schools
  if (!school) return
  const now = new Date(deps.clock().getTime() - 2 * 86_400_000)
  const invited = { name: 'Tara Kalpanik', emailId: 'tara@podium.example', language: 'en' as const }
  await db
    .transaction()
    .execute((tx) =>
      invite(tx, school.scope, now, deps.settings.publicUrl, { ...invited, schoolId: school.id }),
    )
}
