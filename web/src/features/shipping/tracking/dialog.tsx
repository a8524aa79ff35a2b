import { type Courier, type Packet, type TrackLine, trackOrder } from '@podium/contract/shipping/calls'
import { Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { signs } from './order-status.tsx'
import { PacketContents } from './packet-contents.tsx'
import { words } from './words.ts'

interface Props {
  packet: Packet
  onClose: () => void
}

/** Courier and way of one parcel. */
export function TrackDialog({ packet, onClose }: Props) {
  const t = words.use()
  const way = useEndpoint(trackOrder, { query: { PacketId: String(packet.packetId) } })
  return (
    <Dialog opened onClose={onClose} title={t('dialogTitle')} fact={t('dialogFact', { id: packet.packetId })}>
      <DialogBody>
        {way.data ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <section className="way-of-packet" aria-label={t('dialogTitle')} tabIndex={0}>
            <Again of={way.data} />
            <section>
              <h3>{t('courier')}</h3>
              <CourierDetails of={way.data.courierDetails} />
            </section>
            <section>
              <h3>{t('track')}</h3>
              <Track lines={way.data.trackDetails} />
            </section>
            <PacketContents key={way.dataUpdatedAt} packet={packet} way={way.data} />
          </section>
        ) : way.isError ? (
          <LoadProblem error={way.error} retry={() => way.refetch()} />
        ) : (
          <Skeleton shape="text" rows={6} />
        )}
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogFoot>
    </Dialog>
  )
}

/** A parcel that came back goes out again as another one: each names the other. */
function Again({ of }: { of: { resends: number | null; resentAs: number | null } }) {
  const t = words.use()
  if (of.resends === null && of.resentAs === null) return null
  return (
    <Note>
      {of.resends !== null && t('resends', { id: of.resends })}{' '}
      {of.resentAs !== null && t('resentAs', { id: of.resentAs })}
    </Note>
  )
}

function CourierDetails({ of }: { of: Courier | null }) {
  const t = words.use()
  if (!of) return <Note>{t('noCourier')}</Note>
  return (
    <KeyValues>
      <KeyValue label={t('courierName')}>{of.courierName}</KeyValue>
      <KeyValue label={t('consignmentNo')} {...(of.consignmentNo === '' ? {} : { copy: of.consignmentNo })}>
        {of.consignmentNo === '' ? '–' : <span className="code">{of.consignmentNo}</span>}
      </KeyValue>
      <KeyValue label={t('courierLink')}>
        {/* The server lets https alone through; a link of another kind would be run here. */}
        {of.courierLink.startsWith('https://') ? (
          <a className="lk" href={of.courierLink} target="_blank" rel="noopener noreferrer">
            {t('openCourier', { name: of.courierName })}
            <span className="sr"> ({t('newTab')})</span>
          </a>
        ) : (
          '–'
        )}
      </KeyValue>
    </KeyValues>
  )
}

/** The way as a line of stations, the newest on top. */
function Track({ lines }: { lines: readonly TrackLine[] }) {
  const t = words.use()
  if (lines.length === 0) return <p className="quiet">{t('noTrack')}</p>
  return (
    <ol className="stations">
      {lines.map(({ orderStatus, remarks, creationDate }) => {
        const [tone, icon] = signs[orderStatus]
        return (
          <li key={`${creationDate} ${orderStatus}`} className={tone}>
            <span className="station">
              <Icon name={icon} small />
            </span>
            <div>
              <b>{t(orderStatus)}</b>
              {remarks !== '' && <span>{remarks}</span>}
              <small>
                <Moment value={creationDate} />
              </small>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
