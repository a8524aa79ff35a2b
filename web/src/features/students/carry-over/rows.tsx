import type { CarryLook, CarryRow } from '@podium/contract/students/calls-carry-over'
import { useState } from 'react'
import { Rupees } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { Badge, Letters } from '#ui/badge.tsx'
import { IconButton } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { useWhere } from '../entry/use-where.ts'
import { CarryEditForm } from './edit.tsx'
import { type CarryChoice, isTicked, withRow } from './state.ts'
import type { OfferedName } from './subjects.tsx'
import { carryWords } from './words.ts'

interface RowsProps {
  name: string
  rows: readonly CarryRow[]
  offer: readonly OfferedName[]
  choice: CarryChoice
  decide: (next: CarryChoice) => void
  stale: boolean
}

const editId = (row: CarryRow) => `carry-${row.studentId}`
const listed = (names: string) => (names === '' ? [] : names.split(','))

/** The children of a class with what would be entered; ticked or not, changed in place. */
export function CarryRows({ name, rows, offer, choice, decide, stale }: RowsProps) {
  const t = carryWords.use()
  const where = useWhere()
  const [editing, setEditing] = useState<number>()
  const close = (row: CarryRow) => {
    setEditing(undefined)
    document.getElementById(editId(row))?.focus()
  }
  const columns: Column<CarryRow>[] = [
    { key: 'student', label: t('student'), title: true, cell: (row) => <Name row={row} /> },
    {
      key: 'was',
      label: t('was'),
      card: 'none',
      cell: (row) => (
        <span className="nowrap quiet">{`${where.of(row.fromClassId, row.fromSection)}, ${row.fromRollNo}`}</span>
      ),
    },
    { key: 'section', label: t('section'), cell: (row) => row.section },
    { key: 'roll', label: t('rollNo'), num: true, cell: (row) => row.rollNo },
    {
      key: 'subjects',
      label: t('subjects'),
      card: 'wide',
      cell: (row) => {
        const names = listed(row.subjectName)
        const of = listed(row.eventLetter).map((letter, at) => ({ letter, name: names[at] ?? letter }))
        return of.length > 0 ? <Letters of={of} /> : <span className="quiet">–</span>
      },
    },
    { key: 'books', label: t('books'), num: true, cell: (row) => row.bookCount || '–' },
    {
      key: 'amount',
      label: t('amount'),
      num: true,
      strong: true,
      cell: (row) => <Rupees amount={row.regAmount + row.bookAmount} />,
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (row) => (
        <IconButton
          id={editId(row)}
          icon="edit"
          label={t('edit', { name: row.studentName })}
          aria-expanded={editing === row.studentId}
          onClick={() => setEditing(editing === row.studentId ? undefined : row.studentId)}
        />
      ),
    },
  ]
  return (
    <DataTable
      className="cy-rows"
      caption={t('caption', { name })}
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row.studentId)}
      stale={stale}
      compact
      selection={{
        selected: new Set(rows.filter((row) => isTicked(row, choice)).map((row) => String(row.studentId))),
        onChange: (selected) => {
          const ticks = { ...choice.ticks }
          for (const { studentId } of rows) ticks[studentId] = selected.has(String(studentId))
          decide({ ...choice, ticks })
        },
        name: (row) => row.studentName,
      }}
      more={(row) =>
        editing === row.studentId ? (
          <CarryEditForm
            row={row}
            offer={offer}
            onApply={(edit) => {
              decide(withRow(choice, edit))
              close(row)
            }}
            onCancel={() => close(row)}
          />
        ) : undefined
      }
    />
  )
}

function Name({ row }: { row: CarryRow }) {
  const t = carryWords.use()
  const say = useSentences()
  const sentence = useLookSentence()
  return (
    <>
      {row.studentName}
      {row.level2 && (
        <span className="cy-line">
          <Badge kind="yes">{t('level2', { names: row.level2 })}</Badge>
        </span>
      )}
      {row.looks.map((look) => (
        <span key={look.kind} className="cy-line cy-look">
          {sentence(row, look)}
        </span>
      ))}
      {row.issues.map(({ path, message }) => (
        <span key={`${path} ${message}`} className="cy-line cy-bad">
          {say(message)}
        </span>
      ))}
    </>
  )
}

/** What there is to look at, in the words of the page. */
function useLookSentence() {
  const t = carryWords.use()
  const where = useWhere()
  return ({ fromRollNo, rollNo, other }: CarryRow, look: CarryLook): string => {
    const names = look.with.replaceAll(',', ', ').replaceAll(',  ', ', ')
    switch (look.kind) {
      case 'roll':
        return t('lookRoll', { old: fromRollNo, name: look.with, roll: rollNo })
      case 'choose':
        return look.with ? t('lookChoose', { names }) : t('lookChooseNone')
      case 'subjects':
        return t('lookSubjects', { names })
      case 'closed':
        return t('lookClosed', { names })
      case 'parent':
        return t('lookParent')
      case 'deleted':
        return t('lookDeleted')
      case 'removed':
        return t('lookRemoved')
      case 'likely':
        return t('lookLikely', {
          name: look.with,
          where: other ? where.named(other.className, other.section) : '',
          roll: other?.rollNo ?? 0,
        })
    }
  }
}
