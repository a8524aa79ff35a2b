import type { Endpoint } from '@podium/contract/endpoint'
import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import { type ReasonKind, standardReasons } from '@podium/contract/office/calls-settings'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { CallError } from './call.ts'
import { FormFrame, usePortalForm } from './form-frame.tsx'
import { useEndpoint, useInvalidate } from './query.ts'
import { words } from './words.ts'

interface ReasonProps<T> {
  title: string
  /** What will happen: a sentence, or elements of the caller's own. */
  says: ReactNode
  /** «Reason» unless said. */
  label?: string
  hint?: string
  /** The call's own rule of the text; a required reason of at most 500 characters unless given. */
  rule?: z.ZodMiniType<string, string>
  /** Offers the office’s standard reasons of this kind above the text, which can still be changed. */
  picks?: ReasonKind
  /** What the reason says before anything is typed. */
  first?: string
  action: string
  danger?: boolean
  /** The word of the way out where «Cancel» could be taken for the action. */
  back?: string
  /** Keeps what is typed in this tab until it is sent; without it leaving the page is asked about. */
  draftKey?: string
  /** A refusal is said in the dialog, which stays open with what was typed. */
  act: (reason: string) => Promise<T>
  /** Calls that are asked anew after it, refused or not. */
  invalidates?: readonly Endpoint[]
  /** Says that it was done. */
  done?: string | ((answer: T) => string)
  /** What comes after it; the dialog closes unless given. */
  onDone?: (answer: T) => unknown
  /** True: the refusal was dealt with outside, and the dialog says nothing of it. */
  onRefused?: (cause: CallError) => boolean
  onClose: () => void
}

const usualRule = text(messages.reasonRequired, 500)

/** Asks for the reason (or another text) of what is about to be done, and does it. */
export function ReasonDialog<T>(props: ReasonProps<T>) {
  const { title, says, rule = usualRule, draftKey, done, onClose, onDone = onClose, onRefused } = props
  const t = words.use()
  const kit = useKitWords()
  const renew = useInvalidate(props.invalidates)
  const f = usePortalForm({
    schema: z.object({ reason: rule }),
    initialValues: { reason: props.first ?? '' },
    draftKey,
    save: async ({ reason }) => {
      try {
        const answer = await props.act(reason).finally(renew)
        if (done !== undefined) toast.success(typeof done === 'string' ? done : done(answer))
        await onDone(answer)
      } catch (cause) {
        if (!(cause instanceof CallError) || !onRefused?.(cause)) throw cause
      }
    },
  })
  return (
    <Dialog opened onClose={onClose} title={title} size="small">
      <FormFrame of={f} asksBeforeLeaving={draftKey === undefined}>
        <DialogBody>
          <div className="stack">
            {typeof says === 'string' ? <p>{says}</p> : says}
            {props.picks && (
              <ReasonPicks kind={props.picks} onPick={(reason) => f.form.setFieldValue('reason', reason)} />
            )}
            <TextArea
              label={props.label ?? t('reason')}
              hint={props.hint}
              data-autofocus
              {...f.form.field('reason')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{props.back ?? kit.cancel}</Button>
          <Button type="submit" kind={props.danger ? 'danger-filled' : 'primary'} busy={f.saving}>
            {props.action}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}

/** The office's standard reasons for a kind of decision, for `ReasonDialog`: one that is chosen becomes the text, which can be changed. */
function ReasonPicks({ kind, onPick }: { kind: ReasonKind; onPick: (reason: string) => void }) {
  const t = words.use()
  const { data } = useEndpoint(standardReasons)
  const reasons = data?.data.find((list) => list.kind === kind)?.reasons ?? []
  if (reasons.length === 0) return null
  return (
    <SelectField
      label={t('standardReasons')}
      empty={t('chooseReason')}
      choices={reasons.map(({ en }) => ({ value: en, label: en }))}
      onChange={(event) => event.currentTarget.value !== '' && onPick(event.currentTarget.value)}
    />
  )
}
