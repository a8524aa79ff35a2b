import { useState } from 'react'

/** The records of a page that are chosen together. What is not on the page any more is not chosen. */
export function useChosen<Row extends { id: number }>(rows: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const chosen = rows.filter(({ id }) => ids.has(id))
  return {
    rows: chosen,
    has: (id: number) => ids.has(id),
    all: rows.length > 0 && chosen.length === rows.length,
    toggle: (id: number) => {
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      setIds(next)
    },
    toggleAll: () => setIds(new Set(chosen.length === rows.length ? [] : rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}
export type Chosen<Row extends { id: number }> = ReturnType<typeof useChosen<Row>>
