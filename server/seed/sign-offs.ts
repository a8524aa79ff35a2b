import { reopen, signOff } from '../src/features/students/sign-off/commands.ts'
import { findLists } from '../src/features/students/sign-off/queries-lists.ts'
import type { DemoSeason } from './calendar.ts'
import type { School, World } from './world.ts'

/** Signs the first two lists of a school off; the first was opened again once, because a child had been left out. */
export async function signListsOff({ db }: World, school: School, season: DemoSeason, now: Date) {
  await db.transaction().execute(async (tx) => {
    const { data } = await findLists(tx, school.scope, now, season.label)
    for (const [index, { eventManagementId, totalStudent: students }] of data.slice(0, 2).entries()) {
      await signOff(tx, school.scope, now, { eventManagementId, students })
      if (index > 0) continue
      const reason = 'Two children of Class 5 B were left out.'
      await reopen(tx, school.scope, now, { eventManagementId, reason })
      await signOff(tx, school.scope, now, { eventManagementId, students })
    }
  })
}
