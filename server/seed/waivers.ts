import { askForWaiver, declineWaiver, mailDecision } from '../src/features/payments/waivers/commands.ts'
import { acceptUpload } from '../src/platform/files/files-accept.ts'
import { makePdf } from '../src/platform/pdf/pdf.ts'
import type { School, World } from './world.ts'

const day = 86_400_000

async function letterOf(school: School, at: Date) {
  const bytes = await makePdf(
    { title: 'Letter of the head', createdAt: at, foundation: { name: `School at ${school.seed.city}` } },
    (page) => {
      page.heading('To whom it may concern')
      page.text('The family of this child has lost its income. The school asks that the fee be waived.')
      page.space(16)
      page.text('Sample document of the demo world.', { bold: true })
    },
  )
  return acceptUpload(bytes)
}

/** Whose registration fee nobody has paid or sent yet. */
async function someDue({ db, seasons: [season] }: World, school: School, skip: number) {
  return db
    .selectFrom('students as s')
    .select('s.id')
    .where('s.school_id', '=', school.id)
    .where('s.season', '=', season.label)
    .where('s.active', '=', true)
    .where('s.paid', '=', false)
    .where('s.locked', '=', false)
    .orderBy('s.id')
    .offset(skip)
    .limit(1)
    .executeTakeFirst()
}

const stories = [
  { days: 2, reason: 'Her father lost his job at the mill; the school waives its share too.' },
  { days: 9, reason: 'Two older children of this family take part already.' },
] as const

/** Two fees that a school asks to be waived: one waits for the office, one was declined. */
export async function makeWaivers(world: World, schools: readonly School[]): Promise<void> {
  const { db, deps, officers } = world
  const now = deps.clock()
  const candidates = schools.filter(({ seed }) => ['unpaid', 'entering'].includes(seed.stage))
  for (const [index, { days, reason }] of stories.entries()) {
    const at = new Date(now.getTime() - days * day)
    const school = candidates[index % Math.max(1, candidates.length)]
    const child = school && (await someDue(world, school, 4 + index))
    if (!school || !child) continue
    const evidence = await letterOf(school, at)
    await db.transaction().execute(async (tx) => {
      const asked = { studentId: child.id, reason, evidence, name: 'letter-of-the-head.pdf' }
      const { id } = await askForWaiver(tx, deps.files, school.scope, at, asked)
      if (days < 7) return
      const decision = { id, version: 1, reason: 'The fee is waived for families without income alone.' }
      const decidedAt = new Date(at.getTime() + day)
      await declineWaiver(tx, officers.accounts, decidedAt, decision)
      await mailDecision(tx, decidedAt, id, `${deps.settings.publicUrl}/Importantlink/managepayment`)
    })
  }
}
