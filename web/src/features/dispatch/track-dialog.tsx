import { type Courier, type Packet, type TrackLine, trackOrder } from '@podium/contract/dispatch'
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
          <div className="way-of-packet">
            <section>
              <h3>{t('courier')}</h3>
              <CourierDetails of={way.data.courierDetails} />
            </section>
            <section>
              <h3>{t('track')}</h3>
              <Track lines={way.data.trackDetails} />
            </section>
          </div>
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
