import { saveBookOrder } from '@podium/contract/books/calls'
import type { BodyOf } from '@podium/contract/endpoint'
import { aSeason, thisSeason } from './factories.ts'
import type { TestServer } from './server.ts'

type OrderBody = BodyOf<typeof saveBookOrder>

/** Ten Comprehensive Books of Mathematics for Class 7: ₹220 each, of which the school keeps ₹20. */
export function anOrder(traits: Partial<OrderBody> = {}): OrderBody {
  return {
    FYear: thisSeason,
    classId: 7,
    subjectName: 'Mathematics',
    bookCategory: 'Comprehensive Book',
    quantity: 10,
    ...traits,
  }
}

/** A line of the library order that a teacher has saved by the call itself. */
export async function anOrderedBook(
  server: TestServer,
  teacher: { token: string },
  traits: Partial<OrderBody> = {},
) {
  await aSeason()
  const { status, body } = await server.call(saveBookOrder, { body: anOrder(traits) }, teacher)
  if (status !== 200) throw new Error(`not ordered: ${JSON.stringify(body)}`)
  return body.data
}
