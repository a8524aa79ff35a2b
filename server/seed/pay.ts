import { fileURLToPath } from 'node:url'
import { formatRupees, rupeesOf } from '@podium/contract/money'
import { type Purpose, paymentForOf } from '@podium/contract/payments/rules'
import { formatDay, istDay } from '@podium/contract/season'
import sharp from 'sharp'
import { readFoundation } from '#platform/foundation'
import { dueItems } from '../src/features/payments/queries.ts'
import { referenceOf } from '../src/features/payments/rules.ts'
import { hashOf, type Proof, submitPayment } from '../src/features/payments/submission/commands.ts'
import { rejectPayment, verifyPayment } from '../src/features/payments/verification/commands.ts'
import { askForWaiver, declineWaiver, mailDecision } from '../src/features/payments/waivers/commands.ts'
import { acceptUpload } from '../src/platform/files/files-accept.ts'
import { makePdf } from '../src/platform/pdf/pdf.ts'
import type { DemoSeason } from './calendar.ts'
import { randomOf } from './random.ts'
import { doJobs, type School, type World } from './world.ts'

interface Slip {
  day: string
  /** Rupees */
  amount: number
  utr: string
  reference: string
  from: string
  /** The time of the document */
  at: Date
}

const warning = 'Sample document. Not a bank record.'

function linesOf({ day, amount, utr, reference, from }: Slip): [string, string][] {
  return [
    ['Date', formatDay(day)],
    ['Amount', formatRupees(amount)],
    ['From', `${from}, A/c xx 2290`],
    ['To', 'Podium Foundation, A/c xx 5678'],
    ['IFSC', 'SSBX0000417'],
    ['UTR', utr],
    ['Remarks', reference],
  ]
}

async function pdfSlip(slip: Slip): Promise<Buffer> {
  return makePdf(
    {
      title: 'Transfer slip',
      createdAt: slip.at,
      foundation: { name: 'Namuna Grameen Sample Bank' },
      foot: warning,
    },
    (page) => {
      page.heading('NEFT transfer: successful')
      page.keyValues(linesOf(slip), 1)
      page.space(16)
      page.text(warning, { bold: true })
    },
  )
}

const font = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
)

/** Returns words of one size and colour, in Pango's markup. */
function words(text: string, size: number, color: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<span foreground="${color}" size="${size * 1024}">${escaped}</span>`
}

/**
 * Draws a screenshot of a banking app. All words are one text, because each text takes as long as all of them, in the
 * font that ships with the product: the machine may have none.
 */
async function pictureSlip(slip: Slip): Promise<Buffer> {
  const lines = [
    words('Namuna Grameen Sample Bank', 28, '#ffffff'),
    words(' ', 44, '#ffffff'),
    words('Transfer successful', 34, '#1f5f4b'),
    ...linesOf(slip).flatMap(([label, value]) => [
      words(' ', 15, '#ffffff'),
      words(label, 20, '#5b6472'),
      words(value, 26, '#16202e'),
    ]),
    words(' ', 40, '#ffffff'),
    words(warning, 20, '#a3342b'),
  ]
  const head = { create: { width: 720, height: 96, channels: 3, background: '#1f5f4b' } } as const
  const text = { text: lines.join('\n'), font: 'Noto Sans 20', fontfile: font, rgba: true, dpi: 72 }
  return sharp({ create: { width: 720, height: 960, channels: 3, background: '#ffffff' } })
    .composite([
      { input: head, left: 0, top: 0 },
      { input: { text }, left: 48, top: 28 },
    ])
    .png()
    .toBuffer()
}

/** Returns a school's proof: a slip as PDF, or a picture of one. */
async function proofOf(slip: Slip, kind: 'pdf' | 'picture'): Promise<Proof> {
  const bytes = await (kind === 'pdf' ? pdfSlip(slip) : pictureSlip(slip))
  return { file: await acceptUpload(bytes), sentSha256: hashOf(bytes) }
}

interface PaymentPlan {
  school: School
  season: DemoSeason
  purpose: Purpose
  /** When the school sends the details */
  sent: Date
}

/** Returns the reference that the payments page tells the school to use for its transfer. */
async function nextReference({ db }: World, { id, seed }: School, { label }: DemoSeason, purpose: Purpose) {
  const earlier = await db
    .selectFrom('payments')
    .select('reference')
    .where('school_id', '=', id)
    .where('season', '=', label)
    .where('purpose', '=', purpose)
    .where('state', '<>', 'rejected')
    .execute()
  const { receipt_prefix } = await readFoundation(db)
  return referenceOf(receipt_prefix, label, seed.code, purpose, earlier)
}

/** Sends the payment details for everything due of this kind. Undefined if nothing is due. */
export async function pay(
  world: World,
  { school, season, purpose, sent }: PaymentPlan,
): Promise<number | undefined> {
  const { db, deps } = world
  const due = (await dueItems(db, school.scope, season.label)).find((item) => item.purpose === purpose)
  if (!due) return undefined
  const reference = await nextReference(world, school, season, purpose)
  const random = randomOf(`payment ${reference}`)
  const day = istDay(sent)
  const amount = rupeesOf(due.gross - due.retained)
  const utr = `SSBX${day.slice(2, 4)}${String(random.whole(1e9, 9.9e9))}`
  // Slips of earlier seasons are all of the kind that is created in a fifth of the time.
  const kind = season !== world.seasons[0] || random.chance(0.5) ? 'pdf' : 'picture'
  const slip = { day, amount, utr, reference, from: `School at ${school.seed.city}`, at: sent }
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

/**
 * Pays, and the office verifies the payment. Receipts of earlier seasons are only created when opened, which saves
 * seconds.
 */
export async function payAndVerify(world: World, paying: PaymentPlan, decided: Date): Promise<void> {
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

/** Pays, but the office does not find the money as announced. */
export async function payAndReject(
  world: World,
  paying: PaymentPlan,
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

/** Finds a student whose registration fee is unpaid and not announced. */
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

/** Creates two requests for a fee waiver: one pending, one declined. */
export async function makeWaivers(world: World, schools: readonly School[]): Promise<void> {
  const { db, deps, officers, seasons } = world
  const now = deps.clock()
  // In the first days of a season, its story is shorter.
  const earliest = seasons[0].at(0.8).getTime()
  const candidates = schools.filter(({ seed }) => ['unpaid', 'entering'].includes(seed.stage))
  for (const [index, { days, reason }] of stories.entries()) {
    const at = new Date(Math.max(now.getTime() - days * day, earliest))
    const school = candidates[index % Math.max(1, candidates.length)]
    const child = school && (await someDue(world, school, 4 + index))
    if (!school || !child) continue
    const evidence = await letterOf(school, at)
    await db.transaction().execute(async (tx) => {
      const request = { studentId: child.id, reason, evidence, name: 'letter-of-the-head.pdf' }
      const { id } = await askForWaiver(tx, deps.files, school.scope, at, request)
      if (days < 7) return
      const decision = { id, version: 1, reason: 'The fee is waived for families without income alone.' }
      const decidedAt = new Date(Math.min(at.getTime() + day, now.getTime()))
      await declineWaiver(tx, officers.accounts, decidedAt, decision)
      await mailDecision(tx, decidedAt, id, `${deps.settings.publicUrl}/Importantlink/managepayment`)
    })
  }
}
