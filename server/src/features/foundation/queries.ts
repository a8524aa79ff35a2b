import type { Db, Tx } from '#platform/database'
import type { Sender } from '#platform/mail-templates'

/** The foundation as it presents itself: its name, how to reach it, its pages; `demo` tells a demo world from a real one. */
export async function readFoundation(db: Db | Tx) {
  const row = await db.selectFrom('foundation').selectAll().executeTakeFirst()
  return (
    row ?? {
      name: 'Podium',
      support_phone: '',
      support_email: '',
      support_hours: 'Monday to Friday, 9 AM to 5 PM',
      receipt_prefix: 'PD',
      social_links: [],
      demo: false,
    }
  )
}

/** What every mail says of its sender. */
export async function mailSender(db: Db | Tx): Promise<Sender> {
  const foundation = await readFoundation(db)
  return {
    foundation: foundation.name,
    supportPhone: foundation.support_phone,
    supportHours: foundation.support_hours,
  }
}
