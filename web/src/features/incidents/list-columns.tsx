import type { IncidentRow } from '@podium/contract/incidents'
import { Link } from '@tanstack/react-router'
import { count, Day, Moment } from '#shell/format.tsx'
import { officePaths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { ClockBadge } from './clock.tsx'
import { words } from './words.ts'

/** What the register can show of a breach. */
export function useIncidentColumns(): Column<IncidentRow>[] {
  const t = words.use()
  const clockOf = (name: 'cert' | 'board'): Column<IncidentRow> => ({
    key: name,
    label: t(`clock_${name}`),
    card: 'wide',
    cell: (row) => {
      const clock = row.clocks.find((one) => one.name === name)
      return clock && <ClockBadge clock={clock} />
    },
  })
  return [
    {
      key: 'title',
      label: t('incident'),
      title: true,
      cell: (row) => (
        <>
          <Link to={officePaths.incident} params={{ id: String(row.id) }}>
            {row.title}
          </Link>
          {row.drill && (
            <>
              {' '}
              <Badge tone="mute" icon="flag">
                {t('drill')}
              </Badge>
            </>
          )}
          <span className="under">{t(`nature_${row.nature}`)}</span>
        </>
      ),
    },
    { key: 'found', label: t('found'), cell: (row) => <Moment value={row.foundAt} /> },
    clockOf('cert'),
    clockOf('board'),
    { key: 'children', label: t('children'), num: true, cell: (row) => count(row.children) },
    { key: 'people', label: t('people'), num: true, cell: (row) => count(row.people) },
    { key: 'told', label: t('told'), num: true, cell: (row) => count(row.told) },
    {
      key: 'state',
      label: t('state'),
      cell: (row) =>
        row.state === 'open' ? (
          <Badge kind="underway">{t('isOpen')}</Badge>
        ) : (
          <>
            <Badge kind="yes">{t('isClosed')}</Badge>
            <span className="under">
              <Day value={row.closedAt} />
            </span>
          </>
        ),
    },
    { key: 'by', label: t('openedBy'), cell: (row) => row.openedBy },
  ]
}
