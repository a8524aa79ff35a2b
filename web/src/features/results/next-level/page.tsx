import { lines } from '#ui/data-table.tsx'
import './next-level.css'
import { nextLevelRounds, type RoundLine, type RoundStage } from '@podium/contract/results/calls-next-level'
import { Link } from '@tanstack/react-router'
import { count, Day, nothing } from '#shell/format.tsx'
import { ListTable } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import type { IconName } from '#ui/icon.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { officeWords } from './use-round.ts'

const stageLooks: Record<RoundStage, readonly [BadgeTone, IconName]> = {
  none: ['mute', 'circle'],
  draft: ['due', 'clock'],
  approved: ['info', 'check'],
  sending: ['info', 'clock'],
  sent: ['ok', 'ok'],
}

/** The stage of a list, as an icon with text. */
function StageBadge({ stage }: { stage: RoundStage }) {
  const t = officeWords.use()
  const [tone, icon] = stageLooks[stage]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`stage_${stage}`)}
    </Badge>
  )
}

const sum = (
  rows: readonly RoundLine[],
  key: 'eligible' | 'invited' | 'yes' | 'no' | 'waiting' | 'leftOut',
) => count(rows.reduce((all, row) => all + row[key], 0))

/** Lists the season's subjects that have a next level, with the stage of their invitations. */
export function NextLevelPage() {
  const t = officeWords.use()
  const season = useSeason()
  const rounds = useEndpoint(nextLevelRounds, { query: { season } })
  const rows = rounds.data?.data
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={
          rows &&
          t('roundsFact', {
            made: rows.filter(({ stage }) => stage !== 'none').length,
            n: rows.length,
            season,
          })
        }
      />
      <ListTable
        list={rounds}
        caption={t('roundsCaption', { season })}
        rowKey={(row) => String(row.eventYearId)}
        cardColumns={2}
        empty={
          <EmptyState icon="medal" title={t('noRounds', { season })}>
            {t('noRoundsHint')}
          </EmptyState>
        }
        columns={roundColumns(t, rows ?? [])}
      />
    </>
  )
}

function roundColumns(
  t: ReturnType<typeof officeWords.use>,
  rows: readonly RoundLine[],
): Column<RoundLine>[] {
  const figure = (
    key: 'invited' | 'leftOut' | 'yes' | 'no' | 'waiting',
    label: string,
  ): Column<RoundLine> => ({
    key,
    label,
    num: true,
    cell: (row) => (row.stage === 'none' ? nothing : count(row[key])),
    foot: sum(rows, key),
  })
  return columnsOf(t, [
    {
      key: 'event',
      label: t('subject'),
      title: true,
      foot: t('all'),
      cell: (row) =>
        lines(
          <Link to={officePaths.nextLevelEvent} params={{ eventYearId: String(row.eventYearId) }}>
            {t('leads', { subject: row.subjectName, level: row.level })}
          </Link>,
          row.listVersion !== null && row.visibleVersion !== row.listVersion && (
            <Badge kind="doubt">{t('corrected')}</Badge>
          ),
        ),
    },
    { key: 'stage', label: t('state'), cell: (row) => <StageBadge stage={row.stage} /> },
    {
      key: 'eligible',
      num: true,
      cell: (row) => (row.visibleVersion === null ? nothing : count(row.eligibleNow)),
      foot: count(rows.reduce((all, row) => all + row.eligibleNow, 0)),
    },
    figure('invited', t('invited')),
    figure('leftOut', t('leftOut')),
    figure('yes', t('status_yes')),
    figure('no', t('status_no')),
    figure('waiting', t('status_waiting')),
    { key: 'answerBy', num: true, cell: (row) => (row.answerBy ? <Day value={row.answerBy} /> : nothing) },
  ])
}
