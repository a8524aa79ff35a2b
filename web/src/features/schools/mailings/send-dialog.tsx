import type { BodyOf, QueryOf } from '@podium/contract/endpoint'
import {
  confirmCountFrom,
  type mailingPlan,
  mailings,
  sendMailing,
  type testMailing,
} from '@podium/contract/schools/calls-mailings'
import { useState } from 'react'
import { type Answer, CallError } from '#shell/call.ts'
import { callOnce } from '#shell/call-once.ts'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { useBouncedCount } from '#shell/mails.tsx'
import { useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/schools-mailings.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-mailings.json'))

/** How many schools an e-mail goes to. */
export type MailingPlan = Answer<typeof mailingPlan>
/** Which schools are addressed. */
export type MailingRequest = QueryOf<typeof mailingPlan>
/** The text, and the schools it is for. */
export type MailingText = BodyOf<typeof testMailing>

const mailingCalls = [mailings]

interface SendDialogProps {
  written: MailingText
  /** The subject with readable words instead of placeholders */
  subject: string
  plan: MailingPlan
  onSent: () => void
  onClose: () => void
}

/** Asks before an e-mail is sent; for many schools the number must be typed. Pressing twice sends once. */
export function SendDialog({ written, subject, plan, onSent, onClose }: SendDialogProps) {
  const { schools, mails, bounced } = plan
  const t = words.use()
  const translate = useSentences()
  const invalidate = useInvalidate(mailingCalls)
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const [typed, setTyped] = useState('')
  const returned = useBouncedCount()(bounced)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ typed?: string; problem?: string }>({})
  const send = async () => {
    setBusy(true)
    setRefused({})
    try {
      await callOnce(sendMailing, { body: { ...written, schools, typed }, idempotencyKey })
      toast.success(t('started'))
      onSent()
      onClose()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      const [issue] = cause.issues
      if (issue?.path === 'typed') setRefused({ typed: translate(issue.message) })
      else setRefused({ problem: translate(issue?.message ?? cause.message) })
    } finally {
      await invalidate()
      setBusy(false)
    }
  }
  return (
    <Dialog opened onClose={onClose} title={t('sureTitle', { n: schools })} fact={subject} size="small">
      <DialogBody>
        <div className="stack">
          <p>
            {t('sureHint', { n: mails })} {returned}
          </p>
          {schools >= confirmCountFrom && (
            <TextField
              label={t('typed', { n: count(schools) })}
              inputMode="numeric"
              value={typed}
              error={refused.typed}
              data-autofocus
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          {refused.problem && <Note kind="bad">{refused.problem}</Note>}
        </div>
      </DialogBody>
      <DialogFoot onCancel={onClose} stays={schools < confirmCountFrom}>
        <Button kind="primary" icon="mail" busy={busy} onClick={() => void send()}>
          {t('send', { n: schools })}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
