import { paise, rupees } from '@podium/contract/money'
import { type Purpose, paymentForOf } from '@podium/contract/payments/calls'
import { istDay } from '@podium/contract/season'
import { readFoundation } from '../src/features/office/settings/queries-foundation.ts'
import { dueItems } from '../src/features/payments/queries.ts'
import { referenceOf } from '../src/features/payments/rules.ts'
import { submitPayment } from '../src/features/payments/submission/commands.ts'
import { rejectPayment, verifyPayment } from '../src/features/payments/verification/commands.ts'
import type { DemoSeason } from './calendar.ts'
import { doJobs } from './jobs.ts'
import { randomOf } from './random.ts'
import { proofOf } from './slips.ts'
import type { School, World } from './world.ts'

interface Paying {
  school: School
  season: DemoSeason
  purpose: Purpose
  /** When the school tells of it */
  sent: Date
}

/** What the payments page tells the school to put in the remarks of its transfer. */
async function nextReference({ db }: World, { id, seed }: School, { label }: DemoSeason, purpose: Purpose) {
  const { earlier } = await db
    .selectFrom('payments')
    .select((values) => values.fn.countAll<number>().as('earlier'))
    .where('school_id', '=', id)
    .where('season', '=', label)
    .where('purpose', '=', purpose)
    .where('state', '<>', 'rejected')
    .executeTakeFirstOrThrow()
  const { receipt_prefix } = await readFoundation(db)
  return referenceOf(receipt_prefix, label, seed.code, purpose, earlier)
}

/** Tells the office of a payment for everything of this kind that is due. Undefined where nothing is. */
export async function pay(
  world: World,
  { school, season, purpose, sent }: Paying,
): Promise<number | undefined> {
  const { db, deps } = world
  const due = (await dueItems(db, school.scope, season.label)).find((item) => item.purpose === purpose)
  if (!due) return undefined
  const reference = await nextReference(world, school, season, purpose)
  const random = randomOf(`payment ${reference}`)
  const day = istDay(sent)
  const amount = rupees(paise(due.gross - due.retained))
  const utr = `SSBX${day.slice(2, 4)}${String(random.whole(1e9, 9.9e9))}`
  // Slips of earlier seasons are all of the kind that is made in a fifth of the time.
  const kind = season !== world.seasons[0] || random.chance(0.5) ? 'pdf' : 'picture'
  const slip = {
    day,
    amount,
    utr,
    reference,
    from: `School at ${school.seed.city}`,
    at: sent,
  }
  const proof = await proofOf(slip, kind)
  const submission = {
    mode: 3 as const,
    payableAmount: amount,
    paymentDate: day,
    remarks: `NEFT of ${paymentForOf(purpose)}, ${school.seed.code}`,
    attechment: '',
    attechmentName: kind === 'pdf' ? 'transfer-slip.pdf' : 'transfer-slip.png',
    individualRegIdList: due.ids,
    paymentFor: paymentForOf(purpose),
    utr: random.chance(0.85) ? utr : '',
    FYear: season.label,
  }
  const { id } = await db
    .transaction()
    .execute((tx) => submitPayment(tx, deps.files, school.scope, sent, submission, proof))
  return id
}

/** Pays, and the office finds the money. Receipts of earlier seasons are made when somebody opens them: that saves seconds. */
export async function payAndVerify(world: World, paying: Paying, decided: Date): Promise<void> {
  const id = await pay(world, paying)
  if (id === undefined) return
  const isCurrent = paying.season === world.seasons[0]
  await world.db
    .transaction()
    .execute((tx) => verifyPayment(tx, world.officers.accounts, decided, { id, version: 1 }))
  if (isCurrent) await doJobs(world, decided)
  else
    await world.db
      .deleteFrom('jobs')
      .where('kind', '=', 'payment-receipt')
      .where('state', '=', 'waiting')
      .execute()
}

/** Pays, and the office does not find the money as it was said. */
export async function payAndReject(
  world: World,
  paying: Paying,
  decided: Date,
  reason: string,
): Promise<void> {
  const id = await pay(world, paying)
  if (id === undefined) return
  const page = new URL('/Importantlink/managepayment', world.deps.settings.publicUrl).href
  await world.db
    .transaction()
    .execute((tx) => rejectPayment(tx, world.officers.accounts, decided, { id, version: 1, reason }, page))
}
