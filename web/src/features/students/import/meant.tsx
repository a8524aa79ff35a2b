import type { ImportRowError } from '@podium/contract/students/calls-import-preview'
import { count } from '#shell/format.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import type { Desk } from './data.ts'
import { deskWords } from './words.ts'

/** One text that stands in so many rows of a column, with what may have been meant. */
export interface Meant {
  column: number
  columnName: string
  heading: string
  value: string
  suggestions: readonly string[]
  rows: Set<number>
}

/** The faults that have a suggestion, each text of a column once; the most frequent first. */
export function meantOf(errors: readonly ImportRowError[]): Meant[] {
  const found = new Map<string, Meant>()
  for (const { row, column, columnName, heading, value, suggestions } of errors) {
    if (suggestions.length === 0 || column === 0 || value === '') continue
    const key = `${column} ${suggestions[0]} ${value}`
    const known = found.get(key)
    if (known) known.rows.add(row)
    else found.set(key, { column, columnName, heading, value, suggestions, rows: new Set([row]) })
  }
  return [...found.values()].sort((a, b) => b.rows.size - a.rows.size)
}

const mostMeant = 100

/** «Did you mean»: one click puts a text right in all rows where it stands. */
export function DeskMeant({ desk, meant }: { desk: Desk; meant: readonly Meant[] }) {
  const t = deskWords.use()
  const first = [...new Map(meant.map((one) => [`${one.column} ${one.value}`, one])).values()]
  const accept = (ones: ReadonlyArray<{ one: Meant; text: string }>) =>
    desk.apply({ replace: ones.map(({ one, text }) => ({ column: one.column, from: one.value, to: text })) })
  const columns: Column<Meant>[] = [
    {
      key: 'column',
      label: t('columnName'),
      cell: (one) => (
        <>
          <span className="code quiet">{one.columnName}</span> {one.heading}
        </>
      ),
    },
    {
      key: 'value',
      label: t('inCell'),
      title: true,
      cell: (one) => <span className="im-cell">{one.value}</span>,
    },
    { key: 'rows', label: t('rowsWith'), num: true, cell: (one) => count(one.rows.size) },
    {
      key: 'meant',
      label: t('meantTitle'),
      card: 'wide',
      cell: (one) => (
        <span className="dk-chips">
          {one.suggestions.map((text) => (
            <Button
              key={text}
              icon="check"
              aria-label={t('accept', { text, value: one.value, column: one.heading || one.columnName })}
              onClick={() => accept([{ one, text }])}
            >
              {text}
            </Button>
          ))}
        </span>
      ),
    },
  ]
  return (
    <section>
      <div className="im-head">
        <div>
          <h2 className="dk-h">{t('meantTitle')}</h2>
          <p className="hint">{t('meantText')}</p>
        </div>
        <Button
          icon="check"
          onClick={() => accept(first.slice(0, 500).map((one) => ({ one, text: one.suggestions[0] ?? '' })))}
        >
          {t('meantAll', { n: Math.min(first.length, 500) })}
        </Button>
      </div>
      <DataTable
        caption={t('meantCaption')}
        columns={columns}
        rows={meant.slice(0, mostMeant)}
        rowKey={(one) => `${one.column} ${one.suggestions[0]} ${one.value}`}
        compact
      />
    </section>
  )
}
