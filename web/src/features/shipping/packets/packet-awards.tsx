import type { PacketAward } from '@podium/contract/shipping/calls'
import type { OfficePacket } from '@podium/contract/shipping/calls-packets'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Note } from '#ui/note.tsx'
import { words } from '../words.ts'

/** What a parcel of awards holds, child by child. */
export function Awards({ of: { awards } }: { of: OfficePacket }) {
  const t = words.use()
  if (awards.length === 0) return null
  const columns: Column<PacketAward>[] = [
    { key: 'student', label: t('student'), title: true, cell: (award) => award.studentName },
    {
      key: 'class',
      label: t('class'),
      cell: ({ className, section, rollNo }) =>
        `${className}${section === '-' ? '' : ` ${section}`}, ${t('rollNo', { n: rollNo })}`,
    },
    { key: 'subject', label: t('subject'), cell: (award) => award.subjectName },
    {
      key: 'what',
      label: t('item'),
      card: 'wide',
      cell: (award) => (
        <>
          {award.title} {award.gone && <Badge kind="doubt">{t('gone')}</Badge>}
        </>
      ),
    },
  ]
  return (
    <DataTable
      caption={t('forWhom')}
      columns={columns}
      rows={awards}
      rowKey={(award) =>
        `${award.eventYearId}.${award.kind}.${award.classId}.${award.section}.${award.rollNo}.${award.studentName}`
      }
      compact
    />
  )
}

/** A correction of results has made a parcel wrong: what to do depends on where it is. */
export function Corrected({ of: { awards, can } }: { of: OfficePacket }) {
  const t = words.use()
  const gone = awards.filter((award) => award.gone).length
  if (gone === 0) return null
  return (
    <Note kind="due">
      {t('correctedSince', { n: gone })} {t(can.cancel === true ? 'correctedHere' : 'correctedAway')}
    </Note>
  )
}
