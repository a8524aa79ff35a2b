import { listMails, mailFile, readMail, type StoredMail } from '#platform/mail/mail-folder'
import type { TestServer } from './server.ts'

// The outbox empties a mail once it has left, at any moment: what a mail says is read where it arrives.

/** The mails to an address once all that are due have left, newest first; of one instant they stand in any order. */
export async function mailsTo(server: TestServer, address: string): Promise<StoredMail[]> {
  await server.drain()
  const mails = await listMails(server.deps.settings.dataDir, 5000)
  return mails.filter(({ to }) => to.includes(address))
}

/** The mails whose keys are like `keys` (SQL's LIKE) once all that are due have left, in the order of their writing. */
export async function mailsLike(server: TestServer, keys: string): Promise<(StoredMail & { key: string })[]> {
  await server.drain()
  const rows = await server.deps.db
    .selectFrom('outbox')
    .select(['key', 'created_at'])
    .where('key', 'like', keys)
    .orderBy('id')
    .execute()
  return Promise.all(
    rows.map(async ({ key, created_at }) => {
      const mail = await readMail(server.deps.settings.dataDir, mailFile({ key, createdAt: created_at }))
      if (!mail) throw new Error(`${key} has not left`)
      return { ...mail, key }
    }),
  )
}
