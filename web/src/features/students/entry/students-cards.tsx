import '#ui/check.css'
import '#ui/table.css'
import '#ui/table-cards.css'
import type { StudentRow } from '@podium/contract/students/calls'
import type { ReactNode } from 'react'
import { Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import type { Selection } from '#ui/columns.ts'
import { fill, useKitWords } from '#ui/kit-words.ts'
import { Pager } from '#ui/pager.tsx'
import {
  BookNames,
  RowActions,
  type RowUses,
  rowKey,
  rowTotal,
  StateBadge,
  useFootWords,
} from './students-table.tsx'
import type { Totals } from './students-totals.ts'
import { useClassName, words } from './words.ts'

interface StudentsCardsProps {
  season: string
  rows: readonly StudentRow[]
  totals: Totals
  uses: RowUses
  stale: boolean
  selection: Selection<StudentRow>
  bulk: ReactNode
  paging: { total: number; page: number; size: number; onPage: (page: number) => void }
}

/** The list as cards, side by side where the width allows. */
export function StudentsCards(props: StudentsCardsProps) {
  const { season, rows, totals, uses, stale, selection, bulk, paging } = props
  const t = words.use()
  const footWords = useFootWords()
  return (
    <div className={stale ? 'dt stale' : 'dt'}>
      <ul className="fill gap-3" aria-label={t('caption', { season })} aria-busy={stale || undefined}>
        {rows.map((row) => (
          <StudentCard key={row.id} row={row} uses={uses} selection={selection} />
        ))}
      </ul>
      <p className="st-sum">
        <b>{footWords(totals)}</b>
        <span>
          {t('registration')} <Rupees amount={totals.registration} />
        </span>
        <span>
          {t('bookAmount')} <Rupees amount={totals.books} />
        </span>
        <b>
          {t('total')} <Rupees amount={totals.registration + totals.books} />
        </b>
      </p>
      {selection.selected.size > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
        <div className="selbar" role="group" aria-label={t('caption', { season })}>
          {bulk}
        </div>
      )}
      <Pager {...paging} shown={rows.length} />
    </div>
  )
}

interface StudentCardProps {
  row: StudentRow
  uses: RowUses
  selection: Selection<StudentRow>
}

function StudentCard({ row, uses, selection }: StudentCardProps) {
  const t = words.use()
  const kit = useKitWords()
  const nameOf = useClassName()
  const chosen = selection.selected.has(rowKey(row))
  const toggle = () => {
    const next = new Set(selection.selected)
    chosen ? next.delete(rowKey(row)) : next.add(rowKey(row))
    selection.onChange(next)
  }
  return (
    <li className={['st-card', chosen && 'chosen', !row.status && 'gone'].filter(Boolean).join(' ')}>
      <div className="st-head row between one-line gap-3">
        <b className="nm">{row.studentName}</b>
        {selection.selectable?.(row) !== false && (
          <input
            type="checkbox"
            aria-label={fill(kit.selectRow, { name: row.studentName })}
            checked={chosen}
            onChange={toggle}
          />
        )}
      </div>
      <p className="quiet">
        {row.section === '-' ? nameOf(row.classId) : `${nameOf(row.classId)} ${row.section}`},{' '}
        {t('rollNo').toLowerCase()} {row.rollNo}
      </p>
      <dl>
        <div>
          <dt>{t('subjects')}</dt>
          <dd>{translateSentence(row.subjectName.split(',').filter(Boolean).join(', ')) || t('none')}</dd>
        </div>
        <div>
          <dt>{t('books')}</dt>
          <dd>
            <BookNames row={row} />
          </dd>
        </div>
        <div>
          <dt>{t('registration')}</dt>
          <dd>
            <Rupees amount={row.regAmount} />
          </dd>
        </div>
        <div>
          <dt>{t('bookAmount')}</dt>
          <dd>
            <Rupees amount={row.bookAmount} />
          </dd>
        </div>
        <div>
          <dt>{t('total')}</dt>
          <dd className="strong">
            <Rupees amount={rowTotal(row)} /> <span className="quiet">{row.currency}</span>
          </dd>
        </div>
      </dl>
      <div className="st-end row between one-line gap-3">
        <StateBadge row={row} />
        <span className="ra">
          <RowActions row={row} uses={uses} />
        </span>
      </div>
    </li>
  )
}
