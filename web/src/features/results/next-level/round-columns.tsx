import type { InvitationRow, InvitationStanding } from '@podium/contract/results/calls-next-level-list'
import { Link } from '@tanstack/react-router'
import { count, Day } from '#shell/format.tsx'
import { officePaths } from '#shell/paths.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import type { Column } from '#ui/data-table-types.ts'
import type { IconName } from '#ui/icon.tsx'
import { officeWords } from './words-office.ts'

const signs: Record<InvitationStanding, readonly [BadgeTone, IconName]> = {
  toInvite: ['info', 'plus'],
  waiting: ['due', 'clock'],
  yes: ['ok', 'check'],
  no: ['mute', 'close'],
  left: ['mute', 'struck'],
  toWithdraw: ['bad', 'dash'],
  withdrawn: ['mute', 'dash'],
}

/** All that the list shows of a child. */
export function useInvitationColumns(): Column<InvitationRow>[] {
  const t = officeWords.use()
  return [
    {
      key: 'student',
      label: t('student'),
      title: true,
      cell: (row) => (
        <>
          <Link to={officePaths.student} params={{ id: String(row.studentId) }} className="soft">
            {row.studentName}
          </Link>
          <span className="under">{row.nioRollNo}</span>
        </>
      ),
    },
    {
      key: 'class',
      label: t('class'),
      cell: (row) => (row.section === '-' ? row.className : `${row.className} ${row.section}`),
    },
    {
      key: 'school',
      label: t('school'),
      card: 'wide',
      cell: (row) => (
        <>
          {row.schName}
          <span className="under">
            {row.schCode}, {row.city}, {row.state}
          </span>
        </>
      ),
    },
    { key: 'marks', label: t('marks'), num: true, cell: (row) => row.marks.toLocaleString('en-IN') },
    { key: 'rank', label: t('olympiadRank'), num: true, cell: (row) => row.olympiadRank ?? '–' },
    { key: 'why', label: t('why'), card: 'wide', cell: (row) => <Because row={row} /> },
    {
      key: 'standing',
      label: t('standing'),
      cell: (row) => {
        const [tone, icon] = signs[row.standing]
        return (
          <>
            <Badge tone={tone} icon={icon}>
              {t(`standing_${row.standing}`)}
            </Badge>
            {row.held && <span className="under">{t('held')}</span>}
          </>
        )
      },
    },
    {
      key: 'answer',
      label: t('answered'),
      card: 'wide',
      cell: (row) =>
        row.answeredAt ? (
          <>
            <Day value={row.answeredAt} />
            <span className="under">
              {row.answeredBy}
              {row.answerNote && `: ${row.answerNote}`}
            </span>
          </>
        ) : (
          <span className="quiet">–</span>
        ),
    },
  ]
}

const scopes = {
  olympiad: 'byOlympiad',
  zonal: 'byZonal',
  state: 'byStateRank',
  class: 'byClassRank',
} as const

/** The clause that is met; by hand also who decided so, and why. */
function Because({ row }: { row: InvitationRow }) {
  const t = officeWords.use()
  const { because } = row
  return (
    <span className="nl-why">
      {because
        ? t(scopes[because.by], {
            rank: count(because.rank),
            upTo: count(because.upToRank),
            percent: because.percent,
            needed: because.neededPercent,
          })
        : t(row.eligible ? 'eligibleByRules' : 'notEligible')}
      {row.byHand && (
        <span className="under">{t('decidedByHand', { name: row.decidedBy, reason: row.reason })}</span>
      )}
    </span>
  )
}
