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
  /** What will happen: a sentence or elements. */
  says: ReactNode
  /** Default: «Reason». */
  label?: string
  hint?: string
  /** The call's schema for the text; by default a required reason of at most 500 characters. */
  rule?: z.ZodMiniType<string, string>
  /** Offers the office's standard reasons of this kind above the text; the text can still be edited. */
  picks?: ReasonKind
  /** Initial text. */
  first?: string
  action: string
  danger?: boolean
  /** Label of the cancel button, if «Cancel» could be mistaken for the action. */
  back?: string
  /** Stores the input in this tab until it is sent; without a key, leaving the page asks first. */
  draftKey?: string
  /** If it is refused, the dialog stays open with the input and shows why. */
  act: (reason: string) => Promise<T>
  /** Calls to refetch afterwards, refused or not. */
  invalidates?: readonly Endpoint[]
  /** The success message. */
  done?: string | ((answer: T) => string)
  /** What happens next; by default the dialog closes. */
  onDone?: (answer: T) => unknown
  /** Returns true if it has handled the refusal; the dialog then shows nothing. */
  onRefused?: (cause: CallError) => boolean
  onClose: () => void
}

const usualRule = text(messages.reasonRequired, 500)

/** Asks for the reason (or another text) for an action, and performs it. */
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

/** The office's standard reasons for `ReasonDialog`: choosing one fills in the text, which can be edited. */
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
