import * as calls from '@podium/contract/books/calls'
import { type BookKind, bookNames } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { fromRupees, paise, rupees } from '@podium/contract/money'
import { parseSeason, type Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { hasClosed, loadCatalogue, type OfferedEvent } from '#features/catalogue/queries'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { addedRow, changeRows } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import * as queries from './queries.ts'

/** Routes for the books of a school's students, and for its library order. */
export function bookRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  bookOrderRoutes(app, deps)

  serve(app, deps, calls.getBookSummary, 'school', async ({ scope, query }) => ({
    data: await queries.countBooks(db, scope, orNotFound(parseSeason(query.Fyear))),
  }))

  serve(app, deps, calls.getBookDetails, 'school', async ({ scope, body }) => {
    const season = orNotFound(parseSeason(body.FYear))
    const kind = orNotFound(calls.bookKindOf(body.bookCategory))
    const { classId, subjectName: subject } = body
    return { data: await queries.findBookDetails(db, scope, { season, classId, kind, subject }) }
  })
}

/** Routes for the library order. */
function bookOrderRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, calls.getBookOrder, 'school', ({ scope, query, now }) =>
    queries.findOrder(db, scope, query.FYear, now),
  )

  write(app, deps, calls.saveBookOrder, 'school', async (tx, call) => {
    const { scope, body, now } = call
    const draft: OrderDraft = {
      id: body.id,
      version: body.version,
      season: body.FYear,
      classId: body.classId,
      subject: body.subjectName,
      kind: orNotFound(calls.bookKindOf(body.bookCategory)),
      quantity: body.quantity,
      shownAmount: body.bookAmount,
    }
    const id = await saveOrderLine(tx, scope, now, draft)
    return { data: orNotFound(await queries.orderLine(tx, scope, now, id)), message: messages.saved }
  })

  write(app, deps, calls.deleteBookOrder, 'school', async (tx, { scope, body, now }) => {
    return deleteOrderLine(tx, scope, now, body)
  })
}

/** A new line (id 0), or a change to an existing one at this version. */
interface OrderDraft {
  id: number
  version: number | undefined
  season: Season
  classId: number
  /** Letter or name */
  subject: string
  kind: BookKind
  quantity: number
  /** The amount shown by the client for all copies, in rupees; only compared, never used */
  shownAmount: number | undefined
}

interface Line extends queries.LineStatus {
  id: number
  season: string
  letter: string
  class_id: number
  kind: BookKind
  quantity: number
  price: number
  retained: number
  active: boolean
  version: number
}

/** Locks the school, as payments do, so that an order can't change while it is being paid; then the school's line. */
async function lockLine(tx: Tx, scope: SchoolScope, now: Date, id: number): Promise<Line | undefined> {
  await sql`select id from schools where id = ${scope.schoolId} for no key update`.execute(tx)
  if (id === 0) return undefined
  const { rows } = await sql<Omit<Line, 'closed'> & { closesOn: string }>`
    select l.id, l.season, e.letter, l.class_id, l.kind, l.quantity, l.price, l.retained, l.active, l.version, l.paid,
      l.payment_id as "paymentId", e.closes_on as "closesOn", ${queries.isHeld} as held
    from library_lines l join events e on e.id = l.event_id
    where l.id = ${id} and l.school_id = ${scope.schoolId} for update of l`.execute(tx)
  const line = orNotFound(rows[0])
  if (!line.active) throw new Refusal('changed_meanwhile')
  return { ...line, closed: hasClosed(line.closesOn, now) }
}

const fold = (text: string) => text.normalize('NFKC').trim().toLowerCase()

/** The event and today's price of the book. Refuses closed events and books not offered to the class. */
async function bookOf(tx: Tx, now: Date, draft: OrderDraft) {
  const catalogue = await loadCatalogue(tx, draft.season, now)
  if (!catalogue) throw refuseField('FYear', sentences.seasonNotValid)
  if (!catalogue.open) throw new Refusal('books.season_closed')
  const event = catalogue
    .offerTo(draft.classId)
    .find(({ letter, name }) => [fold(letter), fold(name)].includes(fold(draft.subject)))
  if (!event) throw refuseField('subjectName', messages.subjectNotOfClass)
  if (hasClosed(event.closesOn, now)) throw closedAt('subjectName')
  const book = event.books[draft.kind]
  if (!book) throw refuseField('bookCategory', messages.bookNotOffered)
  return { event, price: book.price, retained: book.retained }
}

function closedAt(path: string): Refusal {
  const { message } = new Refusal('books.closed')
  return new Refusal('books.closed', { issues: [{ path, message }] })
}

/** Refuses a second unpaid line for the same book, and more unpaid copies than one payment can cover. */
async function checkOrder(tx: Tx, scope: SchoolScope, draft: OrderDraft, event: OfferedEvent): Promise<void> {
  const { rows } = await sql<{ copies: number; same: boolean; sent: boolean }>`
    select coalesce(sum(quantity), 0) as copies,
      coalesce(bool_or(event_id = ${event.eventId} and class_id = ${draft.classId} and kind = ${draft.kind}), false) as same,
      coalesce(bool_or(event_id = ${event.eventId} and class_id = ${draft.classId} and kind = ${draft.kind}
        and payment_id is not null), false) as sent
    from library_lines
    where school_id = ${scope.schoolId} and season = ${draft.season} and active and not paid
    and id <> ${draft.id}`.execute(tx)
  const others = rows[0] ?? { copies: 0, same: false, sent: false }
  const refusalAt = (code: 'books.sent' | 'books.ordered_already' | 'books.too_many', path: string) => {
    const { message } = new Refusal(code)
    return new Refusal(code, { issues: [{ path, message }] })
  }
  if (others.sent) throw refusalAt('books.sent', 'bookCategory')
  if (others.same) throw refusalAt('books.ordered_already', 'bookCategory')
  if (queries.tooMany(others.copies, draft.quantity)) throw refusalAt('books.too_many', 'quantity')
}

/** A line as recorded in the activity log; amounts in paise. */
function snapshot(line: Pick<Line, 'letter' | 'class_id' | 'kind' | 'quantity' | 'price' | 'retained'>) {
  const { letter, class_id: classId, kind, quantity, price, retained } = line
  return { letter, classId, book: bookNames[kind], quantity, price, retained }
}

const subjectOf = (id: number, season: string) => ({ kind: 'library-line', id, season })

/**
 * Adds a line to the library order or changes one; returns its id. Price and share come from the current catalogue and stay
 * with the line when the catalogue changes. Refuses with `not_found`, `changed_meanwhile`, `books.*` or a field.
 */
export async function saveOrderLine(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  draft: OrderDraft,
): Promise<number> {
  const before = await lockLine(tx, scope, now, draft.id)
  if (before) checkVersion(before, draft)
  const { event, price, retained } = await bookOf(tx, now, draft)
  const amount = paise(price * draft.quantity)
  if (draft.shownAmount !== undefined && fromRupees(draft.shownAmount) !== amount) {
    throw new Refusal('books.amount_changed', {
      fields: { price: rupees(price), bookAmount: rupees(amount) },
    })
  }
  await checkOrder(tx, scope, draft, event)
  const content = {
    event_id: event.eventId,
    class_id: draft.classId,
    kind: draft.kind,
    quantity: draft.quantity,
    price,
    retained,
  }
  const to = snapshot({ ...content, letter: event.letter })
  if (before) {
    await changeRows(tx, 'library_lines', {
      where: { id: before.id },
      set: { ...content, updated_at: now, version: sql`version + 1` },
    })
    const change = { from: snapshot(before), to }
    await audit(tx, now, scope, 'library.changed', subjectOf(before.id, draft.season), change)
    return before.id
  }
  const { id } = await addedRow(tx, 'library_lines', ['id'], {
    ...content,
    school_id: scope.schoolId,
    season: draft.season,
    created_by: scope.userId,
    created_at: now,
    updated_at: now,
  })
  await audit(tx, now, scope, 'library.added', subjectOf(id, draft.season), { to })
  return id
}

function checkVersion(line: Line, draft: OrderDraft): void {
  if (draft.version === undefined) throw refuseField('version', sentences.versionRequired)
  if (line.season !== draft.season) throw new Refusal('not_found')
  // The catalogue check covers whether the season is open.
  const reason = queries.reasonAgainstEdit(line, true)
  if (reason) throw new Refusal(reason)
  if (line.version !== draft.version) throw new Refusal('changed_meanwhile')
}

/** Deletes (hides) an unpaid line. Refuses with `not_found`, `changed_meanwhile`, `books.*`. */
async function deleteOrderLine(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  which: { id: number; version?: number | undefined },
): Promise<{ id: number }> {
  const line = orNotFound(await lockLine(tx, scope, now, which.id))
  const reason = queries.reasonAgainstDelete(line)
  if (reason) throw new Refusal(reason)
  if (which.version !== undefined && which.version !== line.version) throw new Refusal('changed_meanwhile')
  await changeRows(tx, 'library_lines', {
    where: { id: line.id },
    set: { active: false, updated_at: now, version: sql`version + 1` },
  })
  await audit(tx, now, scope, 'library.deleted', subjectOf(line.id, line.season), { from: snapshot(line) })
  return { id: line.id }
}
