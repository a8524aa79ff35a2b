import { type ImportPreview, maxNamed } from '@podium/contract/students/calls-import-preview'
import { rowFields } from '@podium/contract/students/rules-row'
import type { ReactNode } from 'react'
import { count, nothing, Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { Note } from '#ui/note.tsx'
import { reviewWords } from './data.ts'

type SampleRow = ImportPreview['sample'][number]

const reasons = {
  paid: 'paid',
  locked: 'locked',
  closed: 'closedSubject',
  signed: 'signedOff',
  byHand: 'byHand',
} as const
const countedStates = ['new', 'changed', 'same', 'kept', 'asked', 'out', 'bad', 'missing'] as const

/** The dry run: what importing the file would do, by kind and by name. */
export function OutcomeStep({ preview }: { preview: ImportPreview }) {
  const t = reviewWords.use()
  const {
    changes,
    kept: keptRows,
    missing,
    sample,
    goodCount,
    keptCount,
    changedCount,
    missingCount,
  } = preview
  const numbers = {
    new: preview.newCount,
    changed: changedCount,
    same: preview.sameCount,
    kept: keptCount,
    asked: preview.askedCount,
    out: preview.outCount,
    bad: preview.badCount,
    missing: missingCount,
  }
  const isShown = (key: keyof typeof numbers) => key === 'new' || numbers[key] > 0
  const columns = useStudentColumns()
  const row: Column<{ row: number }> = {
    key: 'row',
    label: t('rowColumn'),
    num: true,
    cell: (line) => count(line.row),
  }
  return (
    <div className="stack">
      <dl className="im-counts row gap-6">
        {countedStates.filter(isShown).map((key) => (
          <div key={key} className={key === 'bad' ? 'bad' : undefined}>
            <dt>{t(key)}</dt>
            <dd>{count(numbers[key])}</dd>
          </div>
        ))}
        <div>
          <dt>{t('total')}</dt>
          <dd>
            <Rupees amount={preview.regAmount + preview.bookAmount} />
          </dd>
        </div>
      </dl>
      {goodCount === 0 && preview.sameCount > 0 && preview.badCount + preview.askedCount === 0 && (
        <Note kind="ok">{t('nothingToDo')}</Note>
      )}
      <List
        title={t('changesTitle', { n: changedCount })}
        rows={changes}
        all={changedCount}
        columns={[
          row,
          ...columns,
          { key: 'what', label: t('changed'), card: 'wide', cell: (row) => <ChangedFields of={row} /> },
        ]}
      />
      <List
        title={t('keptTitle', { n: keptCount })}
        text={t('keptText')}
        rows={keptRows}
        all={keptCount}
        columns={columnsOf(t, [
          row,
          ...columns,
          { key: 'why', cell: (row: ImportPreview['kept'][number]) => t(reasons[row.reason]) },
          { key: 'what', label: t('inFileLabel'), card: 'wide', cell: (row) => <ChangedFields of={row} /> },
        ])}
      />
      <List
        title={t('missingTitle', { n: missingCount })}
        text={t('missingText')}
        rows={missing}
        all={missingCount}
        columns={columns}
      />
      <List
        title={t('sampleTitle')}
        rows={sample}
        all={sample.length}
        columns={columnsOf(t, [
          row,
          ...columns,
          {
            key: 'subjects',
            label: t('subjectName'),
            card: 'wide',
            cell: (row: SampleRow) => translateSentence(row.subjectName.replaceAll(',', ', ')),
          },
          { key: 'books', num: true, cell: (row: SampleRow) => row.bookCount || nothing },
          {
            key: 'amount',
            num: true,
            strong: true,
            cell: (row: SampleRow) => <Rupees amount={row.regAmount + row.bookAmount} />,
          },
        ])}
      />
    </div>
  )
}

function useStudentColumns(): Column<Omit<ImportPreview['missing'][number], 'id'>>[] {
  const t = reviewWords.use()
  return columnsOf(t, [
    { key: 'student', title: true, cell: (student) => student.studentName },
    {
      key: 'class',
      cell: (student) =>
        `${translateSentence(student.className)}${student.section === '-' ? '' : ` ${student.section}`}`,
    },
    { key: 'rollNoShort', num: true, cell: (student) => student.rollNo },
  ])
}

interface ListProps<Row> {
  title: string
  text?: ReactNode
  rows: readonly Row[]
  all: number
  columns: readonly Column<Row>[]
}

function List<Row extends { rollNo: number; row?: number; id?: number }>({
  title,
  text,
  rows,
  all,
  columns,
}: ListProps<Row>) {
  const t = reviewWords.use()
  if (rows.length === 0) return null
  return (
    <section>
      <h2 className="dk-h">{title}</h2>
      {text && <p className="hint">{text}</p>}
      <DataTable
        className="im-table"
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={(row) => String(row.row ?? row.id)}
        compact
      />
      {all > maxNamed && <p className="hint">{t('andMore', { n: all - rows.length })}</p>}
    </section>
  )
}

/** Returns a function that names a field of a row. */
export function useFieldName() {
  const t = reviewWords.use()
  return (name: string) => {
    const field = rowFields.find((candidate) => candidate === name)
    return field ? t(field) : name
  }
}

function ChangedFields({ of: { fields } }: { of: Pick<ImportPreview['changes'][number], 'fields'> }) {
  const nameOf = useFieldName()
  return (
    <ul className="dk-fields">
      {fields.map(({ field, from, to }) => (
        <li key={field}>
          {nameOf(field)}: <del>{from.replaceAll(',', ', ') || '–'}</del> →{' '}
          <ins>{to.replaceAll(',', ', ') || '–'}</ins>
        </li>
      ))}
    </ul>
  )
}
