import {
  getBookOrder,
  type OrderFields,
  type OrderLine,
  saveBookOrder,
} from '@podium/contract/books/calls-orders'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useNames } from '../summary/figure.ts'
import { words } from '../words.ts'

/** What somebody else has made of a line, as `Quantity 10 → 12`. */
function useChanges() {
  const t = words.use()
  const { ofClass } = useNames()
  return (before: OrderLine, after: OrderLine): string => {
    const shown: [string, string | number, string | number][] = [
      [t('class'), ofClass(before.classId), ofClass(after.classId)],
      [t('subject'), before.subjectName, after.subjectName],
      [t('category'), t(before.kind), t(after.kind)],
      [t('quantity'), before.quantity, after.quantity],
    ]
    return shown
      .filter(([, was, is]) => was !== is)
      .map(([name, was, is]) => `${name} ${was} → ${is}`)
      .join('; ')
  }
}

/**
 * Saves a line of the library order. A repeated press sends the same key, so nothing is ordered twice. Of a line that
 * somebody else has changed meanwhile the latest state is fetched: the next save is against that one. Throws CallError.
 */
export function useSaveOrder(season: string, line: OrderLine | undefined) {
  const t = words.use()
  const changes = useChanges()
  const client = useQueryClient()
  const latest = useRef(line)
  const sent = useRef({ text: '', key: '' })

  const afterChange = async (refusal: CallError): Promise<never> => {
    const order = await call(getBookOrder, { query: { FYear: season } })
    const before = latest.current
    const after = order.data.find((one) => one.id === before?.id)
    void client.invalidateQueries({ queryKey: [getBookOrder.path] })
    const problem = (message: string) => new CallError(message, refusal.status, refusal.code, [], refusal.id)
    if (!before || !after) throw problem(t('goneMeanwhile'))
    latest.current = after
    const what = changes(before, after)
    throw problem(what ? t('changedBy', { what }) : t('changedSame'))
  }

  return async (fields: OrderFields, bookAmount: number | undefined) => {
    const { id = 0, version } = latest.current ?? {}
    const body = {
      ...fields,
      id,
      FYear: season,
      ...(version === undefined ? {} : { version }),
      ...(bookAmount === undefined ? {} : { bookAmount }),
    }
    const text = JSON.stringify(body)
    if (text !== sent.current.text) sent.current = { text, key: crypto.randomUUID() }
    try {
      const answer = await call(saveBookOrder, { body, idempotencyKey: sent.current.key })
      sent.current = { text: '', key: '' }
      // What is due has changed with it.
      void client.invalidateQueries()
      return answer
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (cause.code === 'changed_meanwhile') return afterChange(cause)
      // The new price comes with the catalogue, which everything here is priced from.
      if (cause.code === 'books.amount_changed') await client.invalidateQueries()
      throw cause
    }
  }
}
