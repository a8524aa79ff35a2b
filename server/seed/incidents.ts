import { istDay } from '@podium/contract/season'
import { closeIncident, noteIncident, openIncident } from '../src/features/privacy/incidents/commands.ts'
import { addAffected, noteTold } from '../src/features/privacy/incidents/commands-people.ts'
import type { School, World } from './world.ts'

const hour = 3_600_000
const daysAgo = 60

/** A closed drill: nothing has happened, and one child without an e-mail is affected by it. */
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
      nature: 'lost',
      foundDay: day,
      foundTime: '10:00',
      happened: 'Invented for practice: a printed list was left in a taxi and brought back within the hour.',
      extent: 'One invented list with name, class and school of one child.',
      measures: 'The list was shredded. Lists are carried in closed folders.',
    })
    const text = 'No report to CERT-In or the Board: a drill is no incident of the law.'
    await noteIncident(tx, officers.operations, at('10:50'), { id, text })
    const who = { by: 'list' as const, lines: String(child.id) }
    await addAffected(tx, officers.operations, at('11:10'), { id, version: 1, who })
    const told = { id, version: 2, people: [], note: 'Tried out: the school would have been rung.' }
    await noteTold(tx, officers.operations, at('11:30'), told)
    const note = 'Everybody knew what to do; all was written down after an hour and a half.'
    await closeIncident(tx, officers.owner, at('12:00'), { id, version: 3, note })
  })
}
