import { istDay } from '@podium/contract/season'
import { closeIncident, noteReport, openIncident } from '../src/features/incidents/commands.ts'
import { addPick } from '../src/features/incidents/commands-people.ts'
import { noteTold } from '../src/features/incidents/commands-told.ts'
import type { School, World } from './world.ts'

const hour = 3_600_000
const daysAgo = 60

/** A closed drill: nothing has happened, and one child without an e-mail is picked for it. */
export async function makeDrill({ db, deps, officers, seasons }: World, schools: readonly School[]) {
  const child = await db
    .selectFrom('students')
    .select('id')
    .where('season', '=', seasons[1].label)
    .where(
      'school_id',
      'in',
      schools.map(({ id }) => id),
    )
    .where('parent_email', '=', '')
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirst()
  if (!child) return
  const day = istDay(new Date(deps.clock().getTime() - daysAgo * 24 * hour))
  const at = (time: string) => new Date(`${day}T${time}:00+05:30`)
  await db.transaction().execute(async (tx) => {
    const id = await openIncident(tx, officers.operations, at('10:30'), {
      title: 'Drill: a list of children left in a taxi',
      drill: true,
      nature: 'lost',
      foundDay: day,
      foundTime: '10:00',
      beganDay: day,
      beganTime: '09:30',
      happened: 'Invented for practice: a printed list was left in a taxi and brought back within the hour.',
      extent: 'One invented list with name, class and school of one child.',
      consequences: 'None; nobody but the invented driver has seen it.',
      measures: 'The list was shredded. Lists are carried in closed folders.',
      safety: 'Nothing has to be done.',
      contact: 'The office, help@podium.example, 1800 000 0000.',
    })
    const note = 'A drill is no incident of the law.'
    for (const [index, clock] of (['cert', 'board'] as const).entries())
      await noteReport(tx, officers.operations, at('11:00'), {
        ...{ id, version: 1 + index, clock, outcome: 'needless', day, time: '10:50', note },
      })
    const pick = { how: 'list' as const, lines: String(child.id) }
    await addPick(tx, officers.operations, at('11:10'), { id, version: 3, pick })
    const told = { id, version: 4, people: [], note: 'Tried out: the school would have been rung.' }
    await noteTold(tx, officers.operations, at('11:30'), told)
    const conclusion = 'Everybody knew what to do; the report was ready after an hour and a half.'
    await closeIncident(tx, officers.owner, at('12:00'), { id, version: 5, conclusion })
  })
}
