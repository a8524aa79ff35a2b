import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import { type ReasonKind, standardReasons } from '@podium/contract/office/calls-settings'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import type { CallError } from './call.ts'
import { FormDialog, useFormDialog } from './form-dialog.tsx'
import { useEndpoint } from './query.ts'
import type { ActionOutcome } from './use-action.ts'
import { words } from './words.ts'

interface ReasonProps<T> extends ActionOutcome<T> {
  title: string
  /** What will happen: a sentence or elements. */
  description: ReactNode
  /** Default: «Reason». */
  label?: string
  hint?: string
  optional?: boolean
  /** Asks for a single line. */
  short?: boolean
  /** The call's schema for the text; by default a required reason of at most 500 characters. */
  rule?: z.ZodMiniType<string, string | undefined>
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
  /** Returns true if it has handled the refusal; the dialog then shows nothing. */
  onRefused?: (cause: CallError) => boolean
}

const defaultRule = text(messages.reasonRequired, 500)

/** Asks for the reason (or another text) for an action, and performs it. */
export function ReasonDialog<T>(props: ReasonProps<T>) {
  const { title, description, action, danger, back, act, ...rest } = props
  const { label, hint, optional, short, rule = defaultRule, picks, first = '', ...ending } = rest
  const t = words.use()
  const Field = short ? TextField : TextArea
  const f = useFormDialog({
    schema: z.object({ reason: rule }),
    initialValues: { reason: first },
    save: ({ reason }) => act(reason),
    ...ending,
  })
  return (
    <FormDialog
      of={f}
      title={title}
      size="small"
      save={action}
      danger={danger}
      back={back}
      asksBeforeLeaving={ending.draftKey === undefined}>
      {typeof description === 'string' ? <p>{description}</p> : description}
      {picks && <ReasonPicks kind={picks} onPick={(reason) => f.form.setFieldValue('reason', reason)} />}
      <Field
        label={label ?? t('reason')}
        hint={hint}
        optional={optional}
        data-autofocus
        {...f.form.field('reason')}
      />
    </FormDialog>
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
