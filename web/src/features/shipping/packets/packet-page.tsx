import '../office.css'
import type { OfficePacket } from '@podium/contract/shipping/calls-packets'
import { Link } from '@tanstack/react-router'
import { count, Moment } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useSeasonOf } from '#shell/season.ts'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { StatusBadge, signs } from '../status-badge.tsx'
import { words } from '../words.ts'
import { usePacket } from './data.ts'
import { PacketActs } from './packet-acts.tsx'
import { Awards, Corrected } from './packet-awards.tsx'

/** One parcel: where it goes, what it holds, its way, and what can be done with it. */
export function PacketPage() {
  const { one, data } = usePacket()
  useSeasonOf(data?.packet.FYear, officePaths.packets)
  if (one.isError && !data) return <PageProblem error={one.error} retry={one.refetch} />
  if (!data) return <Skeleton shape="form" />
  return <Loaded of={data} />
}

function Loaded({ of }: { of: OfficePacket }) {
  const t = words.use()
  const { packet, lines, receipt } = of
  return (
    <>
      <PageHeader
        title={t('packetTitle', { id: packet.packetId })}
        fact={
          <span className="od-fact">
            <StatusBadge of={packet.status} />
            <Link to={officePaths.school} params={{ id: String(packet.schoolId) }}>
              {packet.schName}
            </Link>
            <span>
              {t(packet.contents)} {packet.FYear}
            </span>
          </span>
        }
      >
        <PacketActs of={of} />
      </PageHeader>
      <div className="od-record">
        <div className="stack">
          {packet.resends !== null && <Other id={packet.resends} says="resends" />}
          {packet.resentAs !== null && <Other id={packet.resentAs} says="resentAs" />}
          <Corrected of={of} />
          {receipt && (
            <Note kind={receipt.differs ? 'due' : 'ok'}>
              {t(receipt.differs ? 'receiptDiffers' : 'receiptSays', { name: receipt.confirmedBy })},{' '}
              <Moment value={receipt.confirmedAt} />
              {receipt.remark !== '' && <q className="od-remark">{receipt.remark}</q>}
            </Note>
          )}
          <Panel title={t('details')}>
            <Details packet={packet} />
          </Panel>
          {lines.length > 0 && <Lines of={of} />}
          <Awards of={of} />
        </div>
        <div className="stack">
          <Panel title={t('track')}>
            <Track of={of} />
          </Panel>
          <RecordHistory kind="packet" id={packet.packetId} />
        </div>
      </div>
    </>
  )
}

function Other({ id, says }: { id: number; says: 'resends' | 'resentAs' }) {
  const t = words.use()
  return (
    <Note kind="info">
      {t(says)}{' '}
      <Link to={officePaths.packet} params={{ id: String(id) }}>
        {t('packetNo', { id })}
      </Link>
    </Note>
  )
}

function Details({ packet }: { packet: OfficePacket['packet'] }) {
  const t = words.use()
  const courier = packet.courierName === '' ? '–' : packet.courierName
  return (
    <KeyValues>
      <KeyValue label={t('address')}>
        {packet.customerName}, {packet.address}, {packet.city}, {packet.state} {packet.pincode},{' '}
        {packet.country}
      </KeyValue>
      <KeyValue label={t('phone')}>{packet.phoneNo}</KeyValue>
      <KeyValue label={t('courier')}>
        {/* The server lets https alone through; a link of another kind would be run here. */}
        {packet.courierLink.startsWith('https://') ? (
          <a className="lk" href={packet.courierLink} target="_blank" rel="noopener noreferrer">
            {courier}
            <span className="sr"> ({t('newTab')})</span>
          </a>
        ) : (
          courier
        )}
      </KeyValue>
      <KeyValue
        label={t('consignmentNo')}
        {...(packet.consignmentNo === '' ? {} : { copy: packet.consignmentNo })}
      >
        {packet.consignmentNo === '' ? '–' : <span className="code">{packet.consignmentNo}</span>}
      </KeyValue>
      <KeyValue label={t('weight')}>
        {packet.weightGrams === null ? '–' : t('kg', { kg: (packet.weightGrams / 1000).toFixed(1) })}
      </KeyValue>
      <KeyValue label={t('packedBy')}>
        {packet.packedBy === '' ? '–' : packet.packedBy}, <Moment value={packet.createdAt} />
      </KeyValue>
    </KeyValues>
  )
}

type Line = OfficePacket['lines'][number]

function Lines({ of: { lines, receipt } }: { of: OfficePacket }) {
  const t = words.use()
  const sum = (of: (line: Line) => number) => count(lines.reduce((total, line) => total + of(line), 0))
  const columns: Column<Line>[] = [
    { key: 'class', label: t('class'), title: true, foot: t('all'), cell: (line) => line.className },
    { key: 'subject', label: t('subject'), cell: (line) => `${line.subjectName} (${line.eventLetter})` },
    {
      key: 'item',
      label: t('item'),
      cell: (line) =>
        line.spare > 0
          ? `${line.bookCategory}, ${t('spareOf', { n: count(line.spare) })}`
          : line.bookCategory,
    },
    {
      key: 'copies',
      label: t('copiesHead'),
      num: true,
      strong: true,
      cell: (line) => count(line.quantity),
      foot: sum((line) => line.quantity),
    },
    ...(receipt
      ? [
          {
            key: 'received',
            label: t('received'),
            num: true,
            cell: (line: Line) => (
              <span className={line.received === line.quantity ? undefined : 'od-differs'}>
                {line.received === null ? '–' : count(line.received)}
              </span>
            ),
            foot: sum((line) => line.received ?? 0),
          },
        ]
      : []),
  ]
  return (
    <DataTable
      caption={t('packingList')}
      columns={columns}
      rows={lines}
      rowKey={(line) => `${line.eventYearId}.${line.classId}.${line.kind}`}
      compact
    />
  )
}

function Track({ of: { track } }: { of: OfficePacket }) {
  const t = words.use()
  return (
    <ol className="od-track">
      {track.map(({ status, remarks, at, by }) => (
        <li key={`${at} ${status}`} className={signs[status][0]}>
          <span className="station">
            <Icon name={signs[status][1]} small />
          </span>
          <div>
            <b>{t(status)}</b>
            {remarks !== '' && <span>{remarks}</span>}
            <small>
              <Moment value={at} />
              {by !== '' && `, ${by}`}
            </small>
          </div>
        </li>
      ))}
    </ol>
  )
}
