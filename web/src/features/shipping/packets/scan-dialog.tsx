import { messages } from '@podium/contract/messages'
import {
  dispatchPackets,
  type OfficePacket,
  officeCouriers,
  officePacket,
} from '@podium/contract/shipping/calls-packets'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { ListProblem, useLeaveQuestion } from '#shell/form-dialog.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { dispatchCalls, words } from '../data.tsx'
import { SendDialog } from './packet-dialogs.tsx'
import { readLabel, readWeight } from './scan.ts'

type Parcel = OfficePacket['packet']
type Place = 'courier' | 'label' | 'awb' | 'weight'

const readParcel = async (id: number): Promise<Parcel> =>
  (await call(officePacket, { query: { packetId: String(id) } })).packet

/** The courier used last, which is usually the next one too. */
let last = ''

/** Returns what was scanned into a field after its text was sent. */
const scannedSince = (sent: string, now: string) => (now.startsWith(sent) ? now.slice(sent.length) : '')

/**
 * Hands over one parcel after another with a scanner, which types a code and Enter: our label, the courier's label,
 * then the weight. The focus moves to the next field; the parcels dispatched so far are listed below. What is scanned
 * while a call runs is meant for the next field, and is moved there.
 */
export function ScanDialog({ season, onClose }: { season: string; onClose: () => void }) {
  const t = words.use()
  const translate = useSentences()
  const invalidate = useInvalidate(dispatchCalls)
  const list = useEndpoint(officeCouriers)
  const couriers = (list.data?.data ?? []).filter(({ active }) => active)
  const [chosen, setCourier] = useState(last)
  const [only] = couriers
  const isKnown = couriers.some(({ courierId }) => String(courierId) === chosen)
  const courier = isKnown ? chosen : couriers.length === 1 ? String(only?.courierId) : ''
  const [label, setLabel] = useState('')
  const [awb, setAwb] = useState('')
  const [weight, setWeight] = useState('')
  const [parcel, setParcel] = useState<Parcel>()
  const [problem, setProblem] = useState<{ at: Place; text: string }>()
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState<readonly Parcel[]>([])
  const [changing, setChanging] = useState<Parcel>()
  const typed = useRef({ label, awb, weight })
  typed.current = { label, awb, weight }
  /** Enter was pressed while a call ran. */
  const entered = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const field = (place: Place) => form.current?.querySelector<HTMLInputElement>(`[name=${place}]`)
  const focusedField = problem?.at ?? (parcel ? 'awb' : 'label')
  // Select the text, so that the next scan overwrites a refused value.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cursor goes where the work is, whatever has happened
  useEffect(() => {
    field(focusedField)?.focus()
    if (problem && focusedField !== 'courier') field(focusedField)?.select()
  }, [parcel, problem, sent])
  useEffect(() => {
    if (busy || !entered.current) return
    entered.current = false
    form.current?.requestSubmit()
  }, [busy])

  // A parcel that was scanned but not yet dispatched
  const { leave, question } = useLeaveQuestion(() => parcel !== undefined, onClose)
  const refuse = (place: Place, text: string) => {
    entered.current = false
    setProblem({ at: place, text })
  }
  const clear = () => {
    setParcel(undefined)
    setProblem(undefined)
    for (const set of [setLabel, setAwb, setWeight]) set('')
  }

  const find = async (): Promise<void> => {
    const id = readLabel(label)
    if (courier === '') return refuse('courier', translate(messages.courierRequired))
    if (id === undefined) return refuse('label', t('scanNoLabel'))
    const scannedParcel = await readParcel(id)
    if (scannedParcel.FYear !== season)
      return refuse('label', t('scanSeason', { id: String(id), season: scannedParcel.FYear }))
    if (scannedParcel.status !== 'Packed')
      return refuse(
        'label',
        t('scanDispatched', {
          id: String(id),
          status: t(scannedParcel.status),
          no: scannedParcel.consignmentNo || '–',
        }),
      )
    setProblem(undefined)
    setParcel(scannedParcel)
    setAwb(scannedSince(label, typed.current.label))
  }

  const send = async (parcel: Parcel): Promise<void> => {
    const consignmentNo = awb.trim()
    const grams = readWeight(weight)
    if (consignmentNo === '') return refuse('awb', t('scanAwbMissing'))
    if (/^PACKET\b/i.test(consignmentNo)) return refuse('awb', t('scanAwbLabel'))
    if (document.activeElement === field('awb') && weight === '') return refuse('weight', '')
    if (grams === undefined) return refuse('weight', t('scanWeightUnit'))
    const body = { ids: [parcel.packetId], courierId: Number(courier), consignmentNo, weightGrams: grams }
    try {
      await call(dispatchPackets, { body }).finally(invalidate)
    } catch (cause) {
      setAwb(awb)
      setWeight(weight)
      throw cause
    }
    setSent([{ ...parcel, consignmentNo, weightGrams: grams }, ...sent])
    clear()
    setLabel(scannedSince(awb, typed.current.awb) + scannedSince(weight, typed.current.weight))
  }

  const attempt = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    try {
      await work()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (cause.code === 'not_found') refuse('label', t('scanUnknown', { id: String(readLabel(label)) }))
      else if (cause.code === 'dispatch.number_taken') refuse('awb', t('scanAwbTaken', { no: awb.trim() }))
      else refuse(parcel ? 'awb' : 'label', translate(cause.message))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(parcel ? () => send(parcel) : find)
  }
  const change = (id: number) => attempt(async () => setChanging(await readParcel(id)))
  const corrected = (id: number) =>
    attempt(async () => {
      const now = await readParcel(id)
      setSent((before) => before.map((dispatched) => (dispatched.packetId === id ? now : dispatched)))
    })
  const error = (place: Place) => (problem?.at === place ? problem.text : undefined)
  if (changing)
    return (
      <SendDialog
        ids={[changing.packetId]}
        known={changing}
        onClose={() => setChanging(undefined)}
        onDone={() => void corrected(changing.packetId)}
      />
    )
  return (
    <Dialog opened onClose={leave} title={t('scan')}>
      <form
        ref={form}
        className="od-form"
        onSubmit={submit}
        onKeyDown={({ key, target }) => {
          // Its button is busy, so that the form hears nothing of it.
          if (busy && key === 'Enter' && target instanceof HTMLInputElement) entered.current = true
        }}
        noValidate>
        <DialogBody>
          <div className="stack">
            <p className="quiet">{t('scanHint')}</p>
            <SelectField
              label={t('courier')}
              name="courier"
              empty={t('chooseCourier')}
              choices={couriers.map(({ courierId, name }) => ({ value: String(courierId), label: name }))}
              value={courier}
              error={courier === '' ? error('courier') : undefined}
              onChange={(event) => {
                last = event.currentTarget.value
                setCourier(last)
              }}
            />
            <ListProblem error={list.data ? null : list.error} retry={list.refetch} />
            {parcel ? (
              <>
                <ScannedParcel parcel={parcel} onOther={clear} />
                <TextField
                  label={t('consignmentNo')}
                  name="awb"
                  hint={t('scanAwbHint')}
                  autoComplete="off"
                  maxLength={60}
                  value={awb}
                  error={error('awb')}
                  onChange={(event) => setAwb(event.currentTarget.value)}
                />
                <TextField
                  label={t('weight')}
                  name="weight"
                  optional
                  hint={t('scanWeightHint')}
                  autoComplete="off"
                  maxLength={60}
                  value={weight}
                  error={error('weight')}
                  onChange={(event) => setWeight(event.currentTarget.value)}
                />
              </>
            ) : (
              <TextField
                label={t('scanLabel')}
                name="label"
                hint={t('scanLabelHint')}
                autoComplete="off"
                data-autofocus
                maxLength={60}
                value={label}
                error={error('label')}
                onChange={(event) => setLabel(event.currentTarget.value)}
              />
            )}
            {sent.length > 0 && <SentParcels sent={sent} onChange={(id) => void change(id)} />}
          </div>
        </DialogBody>
        <DialogFoot onClose={leave}>
          <Button type="submit" kind="primary" busy={busy}>
            {parcel ? t('sendNow', { n: 1 }) : t('scanFind')}
          </Button>
        </DialogFoot>
      </form>
      {question}
    </Dialog>
  )
}

/** What was scanned, so that a wrong parcel is noticed before it is sent. */
function ScannedParcel({ parcel, onOther }: { parcel: Parcel; onOther: () => void }) {
  const t = words.use()
  return (
    <div className="od-scanned">
      <span>
        <b>{t('packetNo', { id: String(parcel.packetId) })}</b> {parcel.schName}, {parcel.schCode}
        <small>
          {t(parcel.contents)}, {t('copies', { n: parcel.copies })}, {parcel.city}
        </small>
      </span>
      <Button kind="text" onClick={onOther}>
        {t('scanOther')}
      </Button>
    </div>
  )
}

/** The parcels dispatched since the dialog was opened, newest first. */
function SentParcels({ sent, onChange }: { sent: readonly Parcel[]; onChange: (id: number) => void }) {
  const t = words.use()
  return (
    <section aria-label={t('sent', { n: sent.length })}>
      <h3>
        <span role="status">{t('sent', { n: sent.length })}</span>
      </h3>
      <ul className="od-couriers">
        {sent.map((dispatched) => (
          <li key={dispatched.packetId}>
            <span>
              {t('packetNo', { id: String(dispatched.packetId) })}, {dispatched.schName}
              <small>
                <span className="code">{dispatched.consignmentNo}</span>
                {dispatched.weightGrams !== null && `, ${t('kg', { kg: dispatched.weightGrams / 1000 })}`}
              </small>
            </span>
            <Button
              className="sm"
              aria-label={t('scanCorrect', { id: String(dispatched.packetId) })}
              onClick={() => onChange(dispatched.packetId)}>
              {t('edit')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
