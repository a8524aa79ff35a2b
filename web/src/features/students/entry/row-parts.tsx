import { type BookKind, bookKinds } from '@podium/contract/classes'
import { formatRupees } from '@podium/contract/money'
import type { StudentRow } from '@podium/contract/students/calls'
import { studentState } from '@podium/contract/students/calls-export'
import { translateSentence } from '#shell/language/sentences.ts'
import { Badge, Letters, Short } from '#ui/badge.tsx'
import { IconButton } from '#ui/button.tsx'
import { words } from './words.ts'
import { lateWords } from './words-late.ts'

const badges = { unpaid: 'unpaid', locked: 'waiting', paid: 'paid', deleted: 'deleted' } as const

/** Paid, unpaid, being verified or deleted, with its sign. */
export function StateBadge({ row }: { row: StudentRow }) {
  const t = words.use()
  const state = studentState(row)
  return <Badge kind={badges[state]}>{t(state)}</Badge>
}

const listed = (names: string) => (names === '' ? [] : names.split(','))

export function SubjectLetters({ row }: { row: StudentRow }) {
  const names = listed(row.subjectName)
  return (
    <Letters
      of={listed(row.eventLetter).map((letter, at) => ({
        letter,
        name: translateSentence(names[at] ?? letter),
      }))}
    />
  )
}

const codes: Record<BookKind, string> = { cb: 'CB', pyqp: 'PT', geneX: 'EG', tb: 'TB', wb: 'WB' }

/** `CB 2, PT`: the kinds of books with their number, the full names for pointing and speech. */
export function BookCodes({ row }: { row: StudentRow }) {
  const t = words.use()
  const chosen = bookKinds
    .map((kind) => ({ kind, names: listed(kind === 'geneX' ? row.genex : row[kind]) }))
    .filter(({ names }) => names.length > 0)
  if (chosen.length === 0) return <span className="quiet">{t('none')}</span>
  return (
    <>
      {chosen.map(({ kind, names }, at) => (
        <span key={kind} className="nowrap">
          {at > 0 && <span aria-hidden="true">, </span>}
          <Short name={`${t(kind)}: ${names.map(translateSentence).join(', ')}`}>
            {names.length > 1 ? `${codes[kind]} ${names.length}` : codes[kind]}
          </Short>
        </span>
      ))}
    </>
  )
}

/** `Comprehensive Book: Mathematics, Science`: the kinds of books in full, each with the subjects it is taken for. */
export function BookNames({ row }: { row: StudentRow }) {
  const t = words.use()
  const chosen = bookKinds.flatMap((kind) => {
    const names = listed(kind === 'geneX' ? row.genex : row[kind])
    return names.length > 0 ? [`${t(kind)}: ${names.map(translateSentence).join(', ')}`] : []
  })
  if (chosen.length === 0) return <span className="quiet">{t('none')}</span>
  return chosen.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ))
}

/** What of the registration fee is late fees; nothing where there is none. */
export function LateUnder({ row }: { row: StudentRow }) {
  const l = lateWords.use()
  if (row.lateFee === 0) return null
  return <span className="under">{l('ofFee', { fee: formatRupees(row.lateFee) })}</span>
}

export interface RowUses {
  edit: (row: StudentRow) => void
  remove: (rows: StudentRow[]) => void
  restore: (row: StudentRow) => void
}

/**
 * Edit and delete while a student is active and unpaid (specification, 2.9), else nothing: the badge says why. Where
 * only time or a check stands against it, the buttons stay and say what. A deleted student has Restore.
 */
export function RowActions({ row, uses }: { row: StudentRow; uses: RowUses }) {
  const t = words.use()
  const name = row.studentName
  const reasons: Record<string, string> = {
    'enrolment.paid': t('whyPaid'),
    'enrolment.locked': row.registrationSent ? t('whyLocked') : t('whyBooks'),
    'enrolment.closed': t('whyClosed'),
    'enrolment.season_closed': t('whySeason'),
    'enrolment.signed_off': t('whySigned'),
  }
  const off = (can: true | string) => (can === true ? undefined : (reasons[can] ?? can))
  if (!row.status) {
    return (
      <IconButton
        icon="undo"
        label={t('restore', { name })}
        disabled={off(row.can.restore)}
        onClick={() => uses.restore(row)}
      />
    )
  }
  if (row.paymentStatus) return null
  return (
    <>
      <IconButton
        icon="edit"
        label={t('edit', { name })}
        disabled={off(row.can.edit)}
        onClick={() => uses.edit(row)}
      />
      <IconButton
        icon="delete"
        bad
        label={t('delete', { name })}
        disabled={off(row.can.delete)}
        onClick={() => uses.remove([row])}
      />
    </>
  )
}
