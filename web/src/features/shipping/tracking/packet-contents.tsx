import {
  confirmReceipt,
  getOrder,
  getQuestionPaperStatus,
  type Packet,
  type PacketAward,
  type PacketLine,
  trackOrder as track,
} from '@podium/contract/shipping/calls'
import { useState } from 'react'
import type { Answer } from '#shell/call.ts'
import { count, Moment } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { isCount, type TypedNumber } from '#ui/typed-number.ts'
import { words } from './words.ts'

type Way = Answer<typeof track>

/** What a parcel holds; once it is on its way the school counts it here and confirms the receipt. */
export function PacketContents({ packet, way }: { packet: Packet; way: Way }) {
  const t = words.use()
  const { lines, weightGrams, receipt, can } = way
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
          <Confirm packet={packet} lines={lines.filter(({ received }) => received === null)} />
        </>
      ) : (
        <List lines={lines} />
      )}
      <ForWhom awards={way.awards} />
    </section>
  )
}

const nameOf = (line: PacketLine) => `${line.className}, ${line.subjectName}`

/** Whose the awards of a parcel are, a line for each child and subject; what a correction has changed is said. */
function ForWhom({ awards }: { awards: Way['awards'] }) {
  const t = words.use()
  if (awards.length === 0) return null
  const keyOf = (award: PacketAward) =>
    `${award.classId} ${award.section} ${award.rollNo} ${award.studentName} ${award.eventYearId}`
  const children = [...Map.groupBy(awards, keyOf).entries()]
  return (
    <details className="packet-children">
      <summary>{t('forWhom', { n: new Set(awards.map((award) => award.studentName)).size })}</summary>
      {awards.some(({ gone }) => gone) && <Note kind="due">{t('goneSays')}</Note>}
      <ul className="packet-lines">
        {children.map(([key, [first, ...others]]) => (
          <li key={key}>
            <span>
              <b>{first?.studentName}</b>
              <small>
                {first?.className}
                {first?.section === '-' ? '' : ` ${first?.section}`}, {first?.rollNo}, {first?.subjectName}
              </small>
            </span>
            <span>
              {[first, ...others].map(
                (award) =>
                  award && (
                    <span key={award.kind}>
                      {award.title}
                      {award.gone && ` (${t('gone')})`}
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

function List({ lines }: { lines: readonly PacketLine[] }) {
  const t = words.use()
  return (
    <ul className="packet-lines">
      {lines.map((line) => (
        <li key={`${line.eventYearId}.${line.classId}.${line.kind}`}>
          <span>
            <b>{nameOf(line)}</b>
            <small>
              {line.bookCategory}
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
      ))}
    </ul>
  )
}

function Confirm({ packet, lines }: { packet: Packet; lines: readonly PacketLine[] }) {
  const t = words.use()
  const say = useSentences()
  const [counts, setCounts] = useState<readonly TypedNumber[]>(lines.map(({ quantity }) => quantity))
  const [remark, setRemark] = useState('')
  const confirm = useEndpointMutation(confirmReceipt, {
    renews: [track, getOrder, getQuestionPaperStatus],
    onSuccess: () => {
      toast.success(t('confirmDone'))
    },
  })
  const differing = lines.filter((line, at) => counts[at] !== line.quantity).length
  const unread = !counts.every(isCount)
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (unread) return
        confirm.mutate({ body: { PacketId: packet.packetId, counts: counts.map(Number), remark } })
      }}
    >
      <p className="quiet">{t('confirmSays')}</p>
      <ul className="packet-lines">
        {lines.map((line, at) => (
          <li key={`${line.eventYearId}.${line.classId}.${line.kind}`}>
            <span>
              <b>{nameOf(line)}</b>
              <small>
                {line.bookCategory} · {t('sent')}: {count(line.quantity)}
                {line.spare > 0 && `, ${t('spareOf', { n: count(line.spare) })}`}
              </small>
            </span>
            <NumberField
              label={t('countedOf', { what: `${nameOf(line)}, ${line.bookCategory}` })}
              labelHidden
              value={counts[at] ?? ''}
              onChange={(counted) => setCounts(counts.map((one, place) => (place === at ? counted : one)))}
            />
          </li>
        ))}
      </ul>
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
      {confirm.error && <Note kind="bad">{say(confirm.error.message)}</Note>}
      <div>
        <Button type="submit" kind="primary" busy={confirm.isPending}>
          {t(differing > 0 ? 'confirmDiffers' : 'confirm')}
        </Button>
      </div>
    </form>
  )
}
