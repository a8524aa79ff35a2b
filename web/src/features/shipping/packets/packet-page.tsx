import { maxCertificates, packetCertificates } from '@podium/contract/results/calls-certificates'
import type { PacketAward } from '@podium/contract/shipping/calls'
import { type OfficePacket, packingLists, stops } from '@podium/contract/shipping/calls-packets'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { count, Moment, placeText } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { countryName } from '#shell/language/country.ts'
import { useLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useSeasonOf } from '#shell/season.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { BySubject, StatusBadge, stopWords, TrackingHistory, usePacket, words } from '../data.tsx'
import '../shipping.css'

const SendDialog = lazyDialog(() => import('./packet-dialogs.tsx'), 'SendDialog')
const MoveDialog = lazyDialog(() => import('./packet-dialogs.tsx'), 'MoveDialog')
const ResendOrCancelDialog = lazyDialog(() => import('./packet-dialogs.tsx'), 'ResendOrCancelDialog')
const LabelsDialog = lazyDialog(() => import('./packet-dialogs.tsx'), 'LabelsDialog')

type OpenDialog = 'send' | 'courier' | 'move' | 'resend' | 'cancel' | 'labels'

const away: readonly string[] = ['Dispatched', 'In transit', 'Delivered', 'Returned']

/** The actions for a parcel in its state. The usual next step is last and highlighted. */
function PacketActions({ of }: { of: OfficePacket }) {
  const t = words.use()
  const { packet, lines, can } = of
  const { busy, fetchFile } = useDownloads<string>()
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const disabledReason = can.dispatch === 'access.denied' ? t('mayNotWrite') : undefined
  const stop = stopOf(of)
  return (
    <>
      <Link to={officePaths.packets} className={buttonClass('text')}>
        {t('toPackets')}
      </Link>
      {lines.length > 0 && (
        <Button
          icon="print"
          busy={busy === 'list'}
          disabled={disabledReason}
          onClick={() => void fetchFile('list', packingLists, { body: { ids: [packet.packetId] } })}>
          {t('packingList')}
        </Button>
      )}
      <Certificates of={of} disabled={disabledReason} />
      {packet.status !== 'Cancelled' && (
        <Button icon="print" disabled={disabledReason} onClick={() => setOpenDialog('labels')}>
          {t('label')}
        </Button>
      )}
      {away.includes(packet.status) && (
        <Button icon="edit" disabled={disabledReason} onClick={() => setOpenDialog('courier')}>
          {t('courierDetails')}
        </Button>
      )}
      {(can.cancel === true || (disabledReason && packet.status === 'Packed')) && (
        <Button kind="danger" disabled={disabledReason} onClick={() => setOpenDialog('cancel')}>
          {t('unpack')}
        </Button>
      )}
      {packet.status === 'Packed' && (
        <Button
          kind="primary"
          icon="truck"
          disabled={disabledReason ?? (stop && t(stopWords[stop].note))}
          onClick={() => setOpenDialog('send')}>
          {t('send')}
        </Button>
      )}
      {can.move.length > 0 && (
        <Button
          kind={can.resend === true ? 'secondary' : 'primary'}
          icon="arrow"
          onClick={() => setOpenDialog('move')}>
          {t('nextStep')}
        </Button>
      )}
      {can.resend === true && (
        <Button kind="primary" icon="rotate" onClick={() => setOpenDialog('resend')}>
          {t('resend')}
        </Button>
      )}
      <PacketDialogs of={of} openDialog={openDialog} onClose={() => setOpenDialog(undefined)} />
    </>
  )
}

/** The print buttons for a parcel's certificates, one for each `maxCertificates` of them. */
function Certificates({ of: { packet, lines }, disabled }: { of: OfficePacket; disabled?: string }) {
  const t = words.use()
  const { busy, fetchFile } = useDownloads<string>()
  const all = lines.reduce((sum, { kind, quantity }) => (kind === 'certificate' ? sum + quantity : sum), 0)
  const parts = packet.status === 'Cancelled' ? 0 : Math.ceil(all / maxCertificates)
  return Array.from({ length: parts }, (_, at) => {
    const part = at + 1
    const to = Math.min(all, part * maxCertificates)
    return (
      <Button
        key={part}
        icon="print"
        busy={busy === `certificates ${part}`}
        disabled={disabled}
        onClick={() =>
          void fetchFile(`certificates ${part}`, packetCertificates, {
            body: { packetId: packet.packetId, part },
          })
        }>
        {parts === 1 ? t('certificates') : t('certificatesPart', { from: at * maxCertificates + 1, to })}
      </Button>
    )
  })
}

interface PacketDialogsProps {
  of: OfficePacket
  openDialog: OpenDialog | undefined
  onClose: () => void
}

function PacketDialogs({ of: { packet, can }, openDialog, onClose }: PacketDialogsProps) {
  const navigate = useNavigate()
  const ids = [packet.packetId]
  const goTo = (made: number | undefined) => {
    if (made !== undefined) void navigate({ to: officePaths.packet, params: { id: String(made) } })
  }
  return (
    <>
      {openDialog === 'send' && <SendDialog ids={ids} onClose={onClose} />}
      {openDialog === 'courier' && <SendDialog ids={ids} known={packet} onClose={onClose} />}
      {openDialog === 'move' && <MoveDialog ids={ids} steps={can.move.filter(isStep)} onClose={onClose} />}
      {(openDialog === 'resend' || openDialog === 'cancel') && (
        <ResendOrCancelDialog packet={packet} action={openDialog} onClose={onClose} onDone={goTo} />
      )}
      {openDialog === 'labels' && <LabelsDialog body={{ ids }} n={1} onClose={onClose} />}
    </>
  )
}

const isStep = (step: string): step is 'In transit' | 'Delivered' | 'Returned' =>
  step === 'In transit' || step === 'Delivered' || step === 'Returned'

/** The page of one parcel: address, contents, tracking and actions. */
export function PacketPage() {
  const { query, data } = usePacket()
  useSeasonOf(data?.packet.FYear, officePaths.packets)
  if (query.isError && !data) return <PageProblem error={query.error} retry={query.refetch} />
  if (!data) return <Skeleton shape="form" page />
  return <PacketView of={data} />
}

function PacketView({ of }: { of: OfficePacket }) {
  const t = words.use()
  const { packet, lines, receipt } = of
  return (
    <>
      <PageHeader
        title={t('packetTitle', { id: packet.packetId })}
        fact={
          <span className="row gap-4">
            <StatusBadge of={packet.status} />
            <Link to={officePaths.school} params={{ id: String(packet.schoolId) }}>
              {packet.schName}
            </Link>
            <span>
              {t(packet.contents)} {packet.FYear}
            </span>
          </span>
        }>
        <PacketActions of={of} />
      </PageHeader>
      <div className="od-record with-aside">
        <div className="stack">
          {packet.resends !== null && <RelatedPacket id={packet.resends} relation="resends" />}
          {packet.resentAs !== null && <RelatedPacket id={packet.resentAs} relation="resentAs" />}
          <StopNotes of={of} />
          {receipt && (
            <Note kind={receipt.differs ? 'due' : 'ok'}>
              {t(receipt.differs ? 'receiptDiffers' : 'receiptHint', { name: receipt.confirmedBy })},{' '}
              <Moment value={receipt.confirmedAt} />
              {receipt.remark !== '' && <q className="block">{receipt.remark}</q>}
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
            <TrackingHistory of={of} />
          </Panel>
          <RecordHistory kind="packet" id={packet.packetId} />
        </div>
      </div>
    </>
  )
}

function RelatedPacket({ id, relation }: { id: number; relation: 'resends' | 'resentAs' }) {
  const t = words.use()
  return (
    <Note kind="info">
      {t(relation)}{' '}
      <Link to={officePaths.packet} params={{ id: String(id) }}>
        {t('packetNo', { id })}
      </Link>
    </Note>
  )
}

function Details({ packet }: { packet: OfficePacket['packet'] }) {
  const t = words.use()
  const language = useLanguage()
  const courier = packet.courierName === '' ? '–' : packet.courierName
  return (
    <KeyValues>
      <KeyValue label={t('address')}>
        {packet.customerName}, {packet.address}, {placeText(packet.city, packet.state)} {packet.pincode},{' '}
        {countryName(language, packet.country)}
      </KeyValue>
      <KeyValue label={t('phone')}>{packet.phoneNo}</KeyValue>
      <KeyValue label={t('courier')}>
        {/* The server allows only https; this guards against `javascript:` links. */}
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
        {...(packet.consignmentNo === '' ? {} : { copy: packet.consignmentNo })}>
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

const captionOf = (name: string, rows: readonly { subjectName: string }[], isOneSubject: boolean) =>
  isOneSubject ? `${name}, ${translateSentence(rows[0]?.subjectName ?? '')}` : name

const copiesOf = (lines: readonly Line[]) => lines.reduce((sum, { quantity }) => sum + quantity, 0)

function Lines({ of: { lines, receipt } }: { of: OfficePacket }) {
  const t = words.use()
  const columnsOf = (lines: readonly Line[], isOneSubject: boolean): Column<Line>[] => {
    const sum = (of: (line: Line) => number) => count(lines.reduce((total, line) => total + of(line), 0))
    return columnsOfLines(t, sum, receipt !== null).filter(({ key }) => key !== 'subject' || !isOneSubject)
  }
  return (
    <BySubject rows={lines} count={copiesOf} title={t('contentsOf', { n: copiesOf(lines) })}>
      {(rows, isOneSubject) => (
        <DataTable
          className={isOneSubject ? 'inset' : undefined}
          caption={captionOf(t('packingList'), rows, isOneSubject)}
          cardColumns={2}
          columns={columnsOf(rows, isOneSubject)}
          rows={rows}
          rowKey={(line) => `${line.eventYearId}.${line.classId}.${line.kind}`}
          compact
        />
      )}
    </BySubject>
  )
}

const classOf = (line: Line) => translateSentence(line.className)

function columnsOfLines(
  t: ReturnType<typeof words.use>,
  sum: (of: (line: Line) => number) => string,
  hasReceipt: boolean,
): Column<Line>[] {
  return columnsOf(t, [
    { key: 'class', title: true, foot: t('all'), cell: classOf },
    { key: 'subject', cell: (line) => `${translateSentence(line.subjectName)} (${line.eventLetter})` },
    {
      key: 'item',
      cell: (line) =>
        line.spare > 0
          ? `${translateSentence(line.bookCategory)}, ${t('spareOf', { n: count(line.spare) })}`
          : translateSentence(line.bookCategory),
    },
    {
      key: 'copiesHead',
      num: true,
      strong: true,
      cell: (line) => count(line.quantity),
      foot: sum((line) => line.quantity),
    },
    hasReceipt && {
      key: 'received',
      num: true,
      cell: (line) => (
        <span className={line.received === line.quantity ? undefined : 'od-differs'}>
          {line.received === null ? '–' : count(line.received)}
        </span>
      ),
      foot: sum((line) => line.received ?? 0),
    },
  ])
}

/** The contents of a parcel of awards, by student. */
function Awards({ of: { awards } }: { of: OfficePacket }) {
  const t = words.use()
  if (awards.length === 0) return null
  const columns: Column<PacketAward>[] = columnsOf(t, [
    { key: 'student', title: true, cell: (award) => award.studentName },
    {
      key: 'class',
      cell: ({ className, section, rollNo }) =>
        `${translateSentence(className)}${section === '-' ? '' : ` ${section}`}, ${t('rollNo', { n: rollNo })}`,
    },
    { key: 'subject', cell: (award) => translateSentence(award.subjectName) },
    {
      key: 'item',
      card: 'wide',
      cell: (award) => (
        <>
          {translateSentence(award.title)} {award.gone && <Badge kind="doubt">{t('outdated')}</Badge>}
        </>
      ),
    },
  ])
  return (
    <BySubject
      rows={awards}
      count={(those) => those.length}
      title={t('forStudents', { n: new Set(awards.map(({ studentName }) => studentName)).size })}>
      {(rows, isOneSubject) => (
        <DataTable
          className={isOneSubject ? 'inset' : undefined}
          caption={captionOf(t('forWhom'), rows, isOneSubject)}
          cardColumns={2}
          columns={columns.filter(({ key }) => key !== 'subject' || !isOneSubject)}
          rows={rows}
          rowKey={(award) =>
            `${award.eventYearId}.${award.kind}.${award.classId}.${award.section}.${award.rollNo}.${award.studentName}`
          }
          compact
        />
      )}
    </BySubject>
  )
}

const stopOf = ({ can }: OfficePacket) => stops.find((stop) => stop === can.dispatch || stop === can.resend)

/** Says what has made a parcel wrong since it was packed, and what to do. */
function StopNotes({ of }: { of: OfficePacket }) {
  const t = words.use()
  const stop = stopOf(of)
  const gone = of.awards.filter((award) => award.gone).length
  return (
    <>
      {gone > 0 && (
        <Note kind="due">
          {t('correctedSince', { n: gone })} {t(of.can.cancel === true ? 'correctedHere' : 'correctedAway')}
        </Note>
      )}
      {stop && !(stop === 'dispatch.corrected' && gone > 0) && (
        <Note kind="due">{t(stopWords[stop].note)}</Note>
      )}
    </>
  )
}
