import type { IncidentPerson } from '@podium/contract/incidents-people'
import { Link } from '@tanstack/react-router'
import { Moment } from '#shell/format.tsx'
import { officePaths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { words } from './words.ts'

/** What is shown of somebody who is affected. */
export function usePeopleColumns(): Column<IncidentPerson>[] {
  const t = words.use()
  return [
    {
      key: 'name',
      label: t('name'),
      title: true,
      cell: (row) => (
        <>
          {row.studentId === null ? (
            row.name
          ) : (
            <Link to={officePaths.student} params={{ id: String(row.studentId) }}>
              {row.name}
            </Link>
          )}
          <span className="under">{t(row.kind)}</span>
        </>
      ),
    },
    { key: 'place', label: t('place'), card: 'wide', cell: (row) => row.place },
    { key: 'told', label: t('told'), card: 'wide', cell: (row) => <Told person={row} /> },
  ]
}

function Told({ person: { toldAt, way, note, delivery, mail } }: { person: IncidentPerson }) {
  const t = words.use()
  if (toldAt === null)
    return mail ? <Badge kind="waiting">{t('byMail')}</Badge> : <Badge kind="doubt">{t('noMail')}</Badge>
  return (
    <>
      {delivery === 'failed' ? (
        <Badge kind="rejected">{t('mailFailed')}</Badge>
      ) : delivery === 'waiting' ? (
        <Badge kind="underway">{t('mailUnderway')}</Badge>
      ) : (
        <Badge kind="yes">{t(way === 'mail' ? 'mailSent' : 'toldOtherwise')}</Badge>
      )}
      <span className="under">
        <Moment value={toldAt} />
        {note !== '' && ` · ${note}`}
      </span>
    </>
  )
}
