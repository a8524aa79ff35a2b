import { setTimeout as sleep } from 'node:timers/promises'
import { cutText, emailPattern } from '@podium/contract/fields'
import type { MailKind } from '@podium/contract/office/words'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-fault.ts'
import { markBounced } from '../mail/bounces.ts'
import { markForWake, startWorker } from './worker.ts'

/** A mail attachment: a stored file by its id, or its content. */
export type Attachment = { filename: string; mediaType: string } & (
  | { fileId: string }
  | { contentBase64: string }
)

export interface Mail {
  /** Identifies what this mail is about; a second mail with the same key is not sent: `receipt:812`, `otp:<id>:2`. */
  key: string
  /** Groups mails in lists and logs. */
  kind: MailKind
  to: { name: string; address: string }
  /** The school it concerns; by default the school of the account with this address */
  schoolId?: number
  /** The mailing to many schools that this mail belongs to */
  mailingId?: number
  subject: string
  text: string
  attachments?: Attachment[]
}

/** A mail being delivered. `createdAt` is the same on every attempt, so that a repeated delivery can be recognised. */
export interface OutgoingMail extends Omit<Mail, 'kind' | 'schoolId' | 'mailingId'> {
  id: number
  kind: string
  createdAt: Date
}

/** Thrown by a deliverer when a retry is pointless: the address does not exist, or the mail is malformed. */
export class Undeliverable extends Error {
  /** The mail server's status when it refused the recipient (RFC 3463); '' if it did not */
  readonly status: string
  constructor(message: string, status = '') {
    super(message)
    this.status = status
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const controls = /[\u0000-\u001f\u007f\u2028\u2029]+/g
/** Mails to families and office staff. They belong to no school, even if someone at a school has the same address. */
const notToSchools: readonly string[] = [
  'family',
  'staff',
  'owners',
  'account-change',
  'incident',
] satisfies MailKind[]

/** Returns a text as a single line for a header. */
export const toOneLine = (text: string) => text.replace(controls, ' ').trim()

/**
 * Adds a mail to the outbox, in the transaction of the change it reports; it is sent after the commit. Returns false if
 * a mail with this key exists already. Throws a RangeError for an invalid address.
 */
export async function enqueueMail(tx: Tx, now: Date, mail: Mail): Promise<boolean> {
  const address = mail.to.address.toLowerCase()
  if (address.length > 254 || !emailPattern.test(address)) throw new RangeError('not an address to write to')
  const { key, kind, schoolId = null, mailingId = null, ...rest } = mail
  const payload = {
    ...rest,
    to: { name: toOneLine(mail.to.name), address },
    subject: toOneLine(mail.subject),
  }
  const inserted = await sql`
    insert into outbox (key, kind, payload, created_at, due_at, school_id, user_id, mailing_id)
    select ${key}, ${kind}, ${JSON.stringify(payload)}::jsonb, ${now}::timestamptz, ${now}::timestamptz,
      coalesce(${schoolId}::bigint, u.school_id), u.id, ${mailingId}::bigint
    from (select) as one
      left join users u on u.email = ${address} and ${kind}::text <> all(${notToSchools}::text[])
    on conflict (key) do nothing`.execute(tx)
  markForWake(tx)
  return inserted.numAffectedRows === 1n
}

/** Mails to a person about the account itself, also after it has left its school. */
const aboutAccount: readonly string[] = [
  'otp',
  'password',
  'account',
  'reset',
  'connected',
] satisfies MailKind[]

/**
 * Deletes mails about a school to a person who is leaving it: those that wait, and those that failed and could be sent again.
 * Call it before the mail that tells them.
 */
export async function dropMailsTo(tx: Tx, schoolId: number, userId: number): Promise<void> {
  await sql`
    delete from outbox where school_id = ${schoolId} and user_id = ${userId} and done_at is null
      and kind <> all(${aboutAccount}::text[])`.execute(tx)
}

interface OutboxOptions {
  db: Db
  deliver: (mail: OutgoingMail) => Promise<void>
  clock: () => Date
  log: { warn(data: object, message: string): void; error(data: object, message: string): void }
  /** How often to look for mails without being woken, such as those due for a retry. */
  everyMs?: number
}

export interface Outbox {
  /** Looks for mails at once; call it after a commit. Returns without waiting. */
  wake(): void
  /** Delivers what is due now and resolves when nothing is left (tests and the seed). */
  drain(): Promise<void>
  /** Takes no more mails and resolves when those in progress have ended. */
  stop(): Promise<void>
}

/** Longer than any delivery lasts (mail.ts sets the time limits): after this, the claiming process must have died. */
const leaseMs = 5 * 60_000
const batch = 8
/** Seconds to wait after the first, second, … failure: a day and a half in all, then the mail is given up. */
export const retryDelays = [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 43_200]

interface ClaimedMail {
  id: number
  key: string
  kind: string
  payload: Omit<OutgoingMail, 'id' | 'key' | 'kind' | 'createdAt'>
  attempts: number
  created_at: Date
}

/**
 * Claims due mails in one statement, so that several instances can work in parallel. Per address only the oldest open
 * mail is taken: mails arrive in the order in which they were written.
 */
async function claim(db: Db, now: Date, until: Date): Promise<ClaimedMail[]> {
  const claimed = await sql<ClaimedMail>`
    update outbox set claimed_until = ${until}, attempts = attempts + 1
    where id in (
      select id from outbox mine
      where done_at is null and failed_at is null and due_at <= ${now}
        and (claimed_until is null or claimed_until <= ${now})
        and not exists (
          select from outbox earlier
          where earlier.done_at is null and earlier.failed_at is null
            and earlier.payload->'to'->>'address' = mine.payload->'to'->>'address'
            and earlier.id < mine.id)
      order by due_at, id limit ${batch} for update skip locked)
    returning id, key, kind, payload, attempts, created_at`.execute(db)
  return claimed.rows
}

/** Returns an error's text without addresses and links: the outbox's errors are stored and read by people. */
export function errorText(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return cutText(text.replace(/[^\s<>"']+@[^\s<>"']+/g, '…').replace(/https?:\S+/g, '…'), 300)
}

/** Milliseconds before retrying to save the result of a delivery. */
const settleAgainMs = 1_000

/** Starts delivering. Nothing waits for it: a mail server that is down delays only mails, never a request. */
export function startOutbox({ db, deliver, clock, log, everyMs = 5_000 }: OutboxOptions): Outbox {
  /** Delivers a mail and returns the columns to save. */
  async function tryDelivery(mail: ClaimedMail) {
    try {
      const { id, key, kind, payload } = mail
      await deliver({ ...payload, id, key, kind, createdAt: new Date(mail.created_at) })
      // The text is deleted after sending: it holds codes, links and students' names.
      return { set: sql`done_at = ${clock()}, error = null, payload = '{}'`, refused: '' }
    } catch (thrown) {
      const delay = thrown instanceof Undeliverable ? undefined : retryDelays[mail.attempts - 1]
      const error = errorText(thrown)
      const facts = { outbox: mail.id, kind: mail.kind, attempts: mail.attempts, error }
      if (delay === undefined) {
        log.error(facts, 'mail given up')
        const refused = thrown instanceof Undeliverable ? thrown.status : ''
        return { set: sql`failed_at = ${clock()}, error = ${error}`, refused }
      }
      log.warn(facts, 'mail to be tried again')
      return {
        set: sql`due_at = ${new Date(clock().getTime() + delay * 1000)}, error = ${error}`,
        refused: '',
      }
    }
  }

  /**
   * Delivers a mail and saves the result. A mail that was sent but not recorded would be sent twice. While the database
   * is away, saving is retried until it is back or the claim expires, after which the mail belongs to another instance.
   */
  async function send(mail: ClaimedMail, until: Date): Promise<void> {
    const { set, refused } = await tryDelivery(mail)
    for (;;) {
      try {
        // Only while the claim is still ours: after a pause longer than the lease, another instance may have taken
        // over.
        await sql`update outbox set ${set}, claimed_until = null
          where id = ${mail.id} and claimed_until = ${until} and done_at is null`.execute(db)
        const { address } = mail.payload.to
        if (refused !== '')
          await markBounced(db, { outboxId: mail.id, address, status: refused, at: clock() })
        return
      } catch (thrown) {
        if (worker.stopped || !isDatabaseUnavailable(thrown) || clock() >= until) throw thrown
        await sleep(settleAgainMs)
      }
    }
  }

  const worker = startWorker({
    everyMs,
    turn: async () => {
      const until = new Date(clock().getTime() + leaseMs)
      const mails = await claim(db, clock(), until)
      await Promise.all(mails.map((mail) => send(mail, until)))
      // A delivered mail may have blocked the next one to the same address.
      return mails.length > 0
    },
    onError: (thrown) => log.error({ err: thrown }, 'the outbox could not be read'),
  })
  return worker
}
