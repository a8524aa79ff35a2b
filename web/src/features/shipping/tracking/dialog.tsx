import {
  type Courier,
  confirmReceipt,
  getOrder,
  getQuestionPaperStatus,
  type Packet,
  type PacketAward,
  type PacketLine,
  type TrackLine,
  trackOrder as track,
  trackOrder,
} from '@podium/contract/shipping/calls'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { useLeaveQuestion } from '#shell/form-dialog.tsx'
import { count, Moment } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useAttempt } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { isCount, type TypedNumber } from '#ui/numbers.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { statusLooks, words } from './order-status.tsx'

type Tracking = Answer<typeof track>

interface ContentsProps {
  packet: Packet
  tracking: Tracking
  /** Whether something was counted or written that is not sent yet */
  isTyped: RefObject<boolean>
}

/** The contents of a parcel. Once it is on its way, the school checks them here and confirms the receipt. */
function PacketContents({ packet, tracking, isTyped }: ContentsProps) {
  const t = words.use()
  const { lines, weightGrams, receipt, can } = tracking
  const copies = lines.reduce((sum, line) => sum + line.quantity, 0)
  const facts = [
    ...(copies > 0 ? [t('insideCopies', { n: copies })] : []),
    ...(weightGrams === null ? [] : [t('insideWeight', { kg: (weightGrams / 1000).toFixed(1) })]),
  ]
  if (lines.length === 0 && can.confirm !== true && !receipt) return null
  const counted = lines.filter(({ received }) => received !== null)
  return (
    <section>
      <h3>{t(can.confirm === true ? 'confirmTitle' : 'inside')}</h3>
      {facts.length > 0 && <p className="quiet">{facts.join(', ')}</p>}
      {receipt && (
        <Note kind={receipt.differs ? 'due' : 'ok'}>
          {t(receipt.differs ? 'confirmedDiffers' : 'confirmedBy', { name: receipt.confirmedBy })},{' '}
          <Moment value={receipt.confirmedAt} />
          {receipt.remark !== '' && <q> {receipt.remark}</q>}
        </Note>
      )}
      {can.confirm === true ? (
        <>
          {counted.length > 0 && <List lines={counted} />}
          <Confirm
            packet={packet}
            lines={lines.filter(({ received }) => received === null)}
            isTyped={isTyped}
          />
        </>
      ) : (
        <List lines={lines} />
      )}
      <AwardRecipients awards={tracking.awards} />
    </section>
  )
}

const nameOf = (line: PacketLine) =>
  `${translateSentence(line.className)}, ${translateSentence(line.subjectName)}`

/** Lists the awards of a parcel by student and subject, and marks changes by a correction. */
function AwardRecipients({ awards }: { awards: Tracking['awards'] }) {
  const t = words.use()
  if (awards.length === 0) return null
  const keyOf = (award: PacketAward) =>
    `${award.classId} ${award.section} ${award.rollNo} ${award.studentName} ${award.eventYearId}`
  const children = [...Map.groupBy(awards, keyOf).entries()]
  return (
    <details className="packet-children mt-4">
      <summary>{t('forWhom', { n: new Set(awards.map((award) => award.studentName)).size })}</summary>
      {awards.some(({ gone }) => gone) && <Note kind="due">{t('outdatedHint')}</Note>}
      <ul className="packet-lines">
        {children.map(([key, [first, ...others]]) => (
          <li key={key}>
            <span>
              <b>{first?.studentName}</b>
              <small>
                {translateSentence(first?.className ?? '')}
                {first?.section === '-' ? '' : ` ${first?.section}`}, {first?.rollNo},{' '}
                {translateSentence(first?.subjectName ?? '')}
              </small>
            </span>
            <span>
              {[first, ...others].map(
                (award) =>
                  award && (
                    <span key={award.kind}>
                      {translateSentence(award.title)}
                      {award.gone && ` (${t('outdated')})`}
                    </span>
                  ),
              )}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A parcel with more lines is folded by subject: the awards of a school can be 150 lines. */
const fewLines = 20

function Lines<L extends PacketLine>({
  lines,
  children,
}: {
  lines: readonly L[]
  children: (line: L) => ReactNode
}) {
  const t = words.use()
  if (lines.length <= fewLines) return <ul className="packet-lines">{lines.map(children)}</ul>
  return [...Map.groupBy(lines, ({ eventYearId }) => eventYearId)].map(([eventYearId, those]) => (
    <details key={eventYearId} className="packet-subject">
      <summary>
        {translateSentence(those[0]?.subjectName ?? '')} ·{' '}
        {t('insideCopies', { n: those.reduce((sum, { quantity }) => sum + quantity, 0) })}
      </summary>
      <ul className="packet-lines">{those.map(children)}</ul>
    </details>
  ))
}

function List({ lines }: { lines: readonly PacketLine[] }) {
  const t = words.use()
  return (
    <Lines lines={lines}>
      {(line) => (
        <li key={`${line.eventYearId}.${line.classId}.${line.kind}`}>
          <span>
            <b>{nameOf(line)}</b>
            <small>
              {translateSentence(line.bookCategory)}
              {line.spare > 0 && `, ${t('spareOf', { n: count(line.spare) })}`}
            </small>
          </span>
          <span className="num">
            {count(line.quantity)}
            {line.received !== null && line.received !== line.quantity && (
              <small>
                {t('counted')}: {count(line.received)}
              </small>
            )}
          </span>
        </li>
      )}
    </Lines>
  )
}

interface ConfirmProps extends Omit<ContentsProps, 'tracking'> {
  lines: readonly PacketLine[]
}

function Confirm({ packet, lines, isTyped }: ConfirmProps) {
  const t = words.use()
  const [counts, setCounts] = useState<readonly TypedNumber[]>(lines.map(({ quantity }) => quantity))
  const [remark, setRemark] = useState('')
  const { busy, problem, attempt } = useAttempt([track, getOrder, getQuestionPaperStatus])
  const differing = lines.filter((line, index) => counts[index] !== line.quantity).length
  const unread = !counts.every(isCount)
  useEffect(() => {
    isTyped.current = !busy && (differing > 0 || remark.trim() !== '')
    return () => {
      isTyped.current = false
    }
  }, [isTyped, busy, differing, remark])
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (unread) return
        const body = { PacketId: packet.packetId, counts: counts.map(Number), remark }
        void attempt(
          () => call(confirmReceipt, { body }),
          () => toast.success(t('confirmDone')),
        )
      }}>
      <p className="quiet">{t(lines.length > fewLines ? 'confirmHintFolded' : 'confirmHint')}</p>
      <Lines lines={lines.map((line, index) => ({ ...line, index }))}>
        {({ index, ...line }) => (
          <li key={`${line.eventYearId}.${line.classId}.${line.kind}`}>
            <span>
              <b>{nameOf(line)}</b>
              <small>
                {translateSentence(line.bookCategory)} · {t('sent')}: {count(line.quantity)}
                {line.spare > 0 && `, ${t('spareOf', { n: count(line.spare) })}`}
              </small>
            </span>
            <NumberField
              label={t('countedOf', { what: `${nameOf(line)}, ${translateSentence(line.bookCategory)}` })}
              labelHidden
              value={counts[index] ?? ''}
              onChange={(counted) =>
                setCounts(counts.map((count, place) => (place === index ? counted : count)))
              }
            />
          </li>
        )}
      </Lines>
      {differing > 0 && <Note kind="due">{t('differsNow', { n: differing })}</Note>}
      <TextArea
        label={t('remark')}
        hint={t('remarkHint')}
        optional
        rows={2}
        maxLength={500}
        value={remark}
        onChange={(event) => setRemark(event.currentTarget.value)}
      />
      {problem && <Note kind="bad">{problem}</Note>}
      <div>
        <Button type="submit" kind="primary" busy={busy}>
          {t(differing > 0 ? 'confirmDiffers' : 'confirm')}
        </Button>
      </div>
    </form>
  )
}

/** Courier and tracking of one parcel. */
export function TrackDialog({ packet, onClose }: { packet: Packet; onClose: () => void }) {
  const t = words.use()
  const tracking = useEndpoint(trackOrder, { query: { PacketId: String(packet.packetId) } })
  const isTyped = useRef(false)
  const { leave, question } = useLeaveQuestion(() => isTyped.current, onClose)
  return (
    <Dialog opened onClose={leave} title={t('dialogTitle')} fact={t('dialogFact', { id: packet.packetId })}>
      {question}
      <DialogBody>
        {tracking.data ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          <section className="packet-tracking stack gap-6" aria-label={t('dialogTitle')} tabIndex={0}>
            <ResendLinks of={tracking.data} />
            <section>
              <h3>{t('courier')}</h3>
              <CourierDetails of={tracking.data.courierDetails} />
            </section>
            <section>
              <h3>{t('track')}</h3>
              <TrackingHistory lines={tracking.data.trackDetails} />
            </section>
            <PacketContents
              // Starts anew only once a colleague has confirmed: what is counted here must outlast a refetch.
              key={tracking.data.lines.map(({ received }) => received).join()}
              packet={packet}
              tracking={tracking.data}
              isTyped={isTyped}
            />
          </section>
        ) : tracking.isError ? (
          <LoadProblem error={tracking.error} retry={() => tracking.refetch()} />
        ) : (
          <Skeleton shape="text" rows={6} />
        )}
      </DialogBody>
      <DialogFoot onClose={leave} />
    </Dialog>
  )
}

/** A returned parcel is resent as a new one; each links to the other. */
function ResendLinks({ of }: { of: { resends: number | null; resentAs: number | null } }) {
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
        {/* The server allows only https; this guards against `javascript:` links. */}
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

/** The tracking as a line of stations, newest first. */
function TrackingHistory({ lines }: { lines: readonly TrackLine[] }) {
  const t = words.use()
  if (lines.length === 0) return <p className="quiet">{t('noTrack')}</p>
  return (
    <ol className="stations">
      {lines.map(({ orderStatus, remarks, creationDate }) => {
        const [tone, icon] = statusLooks[orderStatus]
        return (
          <li key={`${creationDate} ${orderStatus}`} className={tone}>
            <span className="station">
              <Icon name={icon} small />
            </span>
            <div>
              <b>{t(orderStatus)}</b>
              {remarks !== '' && <span>{translateSentence(remarks)}</span>}
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
