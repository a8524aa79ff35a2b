import { whatsAppLink } from '@podium/contract/fields'
import type { BounceMark } from '@podium/contract/office/calls-bounces'
import { officeSchool, officeSchoolHistory, officeSchoolYears } from '@podium/contract/schools/calls-record'
import { officeSchools } from '@podium/contract/schools/calls-register'
import { addressWorks } from '@podium/contract/schools/calls-write'
import { officePacket, officePackets } from '@podium/contract/shipping/calls-packets'
import { officeMe } from '@podium/contract/staff/calls'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { defineWords } from '#shell/language/words.ts'
import { BounceNote } from '#shell/mails.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { WhatsApp } from '#ui/copyable.tsx'
import type en from '#words/en/schools-register-record.json'

/** The words of a school's record in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-register-record.json'))

export type SchoolAnswer = Answer<typeof officeSchool>

/** Loads the school in the URL, with its staff, contacts and link. */
export function useRecord() {
  const season = useSeason()
  const params = useParams({ strict: false })
  const id = String(Number(params.id) || 0)
  const record = useEndpoint(officeSchool, { query: { id, FYear: season } })
  // Earlier data stays while the next loads, but it may be another school's.
  const data = record.data?.school.id === Number(id) ? record.data : undefined
  return { id, season, record, data }
}

/** Everything that shows a school, or whether its parcels have its address: refetched after each change. */
export const schoolCalls = [
  officeSchool,
  officeSchoolYears,
  officeSchoolHistory,
  officeSchools,
  officePackets,
  officePacket,
  officeMe,
]

/** Phone numbers, each with a WhatsApp link. */
export function PhoneNumbers({ numbers, name }: { numbers: readonly string[]; name: string }) {
  const t = words.use()
  return numbers.filter(Boolean).map((number) => (
    <span key={number} className="block nowrap">
      {number} <WhatsApp href={whatsAppLink(number)} name={name} newTab={t('newTab')} />
    </span>
  ))
}

interface BouncedEmailProps {
  schoolId: number
  email: string
  mark: BounceMark
  refusal: string | undefined
  /** The address as shown */
  children: ReactNode
}

/** An address; below it since when e-mails to it bounce and why, with a button to clear that mark. */
export function BouncedEmail({ schoolId, email, mark, refusal, children }: BouncedEmailProps) {
  const address = useRef<HTMLSpanElement>(null)
  // Gets the focus once the button is gone.
  const goOn = () => address.current?.focus({ preventScroll: true })
  return (
    <>
      <span ref={address} tabIndex={-1} className="block">
        {children}
      </span>
      {mark && (
        <>
          <BounceNote bounce={mark} />
          <ClearBounceButton
            schoolId={schoolId}
            email={email}
            since={mark.at}
            refusal={refusal}
            onDone={goOn}
          />
        </>
      )}
    </>
  )
}

interface ClearBounceButtonProps extends Omit<BouncedEmailProps, 'mark' | 'children'> {
  since: string
  onDone: () => void
}

function ClearBounceButton({ schoolId: id, email, since, refusal, onDone }: ClearBounceButtonProps) {
  const t = words.use()
  const { busy, act } = useAction(schoolCalls)
  const works = () =>
    act(() => call(addressWorks, { body: { id, email, at: since } }), t('addressWorksDone', { email }))
  return (
    <Button
      kind="text"
      className="sm record-works"
      busy={busy}
      disabled={refusal}
      aria-label={t('addressWorksOf', { email })}
      onClick={() => void works().then((isDone) => isDone && onDone())}>
      {t('addressWorks')}
    </Button>
  )
}
