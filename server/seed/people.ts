import { invite } from '../src/features/accounts/invitations/commands.ts'
import type { School, World } from './world.ts'

const contacts = [
  { name: 'Vasudha Udaharan', designation: 'Principal', title: 'Dr', active: true },
  { name: 'Hemalatha Kalpanik', designation: 'Olympiad Coordinator', title: 'Mrs', active: true },
  { name: "Joseph D'Misaal", designation: 'Accountant', title: 'Mr', active: true },
  { name: 'Rafiq Namunawala', designation: 'Olympiad Coordinator', title: 'Mr', active: false },
]

/** Contact persons of every school that is at work: a principal, a coordinator, and more at the larger ones. */
export async function makeContacts({ db, seasons }: World, schools: readonly School[]): Promise<void> {
  const designations = await db.selectFrom('designations').select(['id', 'name']).execute()
  const titles = await db.selectFrom('titles').select(['id', 'name']).execute()
  const idOf = (list: readonly { id: number; name: string }[], name: string) => {
    const row = list.find((one) => one.name === name)
    if (!row) throw new Error(`nobody is called ${name}`)
    return row.id
  }
  const [season] = seasons
  const rows = schools.flatMap(({ id, seed }, at) =>
    contacts.slice(0, seed.stage === 'empty' ? 0 : seed.children[0] > 200 ? 4 : 2).map((contact, number) => ({
      school_id: id,
      season: season.label,
      designation_id: idOf(designations, contact.designation),
      title_id: idOf(titles, contact.title),
      name: contact.name,
      email: `${contact.designation.toLowerCase().replace(/\W/g, '')}${number}@${seed.code.toLowerCase()}.school.example`,
      mobile: `98${String(10 + at)}00${seed.code.slice(3)}`,
      active: contact.active,
      // One has only been asked for: the office has it to confirm.
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
    question: 'Choose the word that means nearly the same as «brief».',
    options: ['Short', 'Bright', 'Late', 'Plain'],
    answer: 1,
    state: 'declined',
    reason: 'The bank has this question already.',
  },
]

/** Questions that two teachers have sent in: taken, waiting and declined. */
export async function makeQuestions({ db, seasons }: World, schools: readonly School[]): Promise<void> {
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
      created_at: season.at(0.4 + index / 10),
    })),
  )
  await db.insertInto('teacher_questions').values(rows).execute()
}

/** Two days ago the coordinator of the first school has invited one more colleague, who has not come yet. */
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
