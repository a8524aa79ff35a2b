import { messages } from '@podium/contract/messages'
import { confirmAgain } from '@podium/contract/staff/calls'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import type en from '#words/en/confirm.json'
import { CallError, call } from '../call.ts'
import { FormFrame, usePortalForm } from '../form-frame.tsx'
import { defineWords } from '../language/words.ts'
import { closeQuestion } from './asking.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/confirm.json'))

const methods = {
  code: z.object({
    code: z
      .string()
      .check(z.minLength(1, messages.officeCodeRequired), z.maxLength(20, messages.officeCodeInvalid)),
  }),
  password: z.object({
    password: z.string().check(z.minLength(1, messages.passwordRequired), z.maxLength(128)),
  }),
}
type ProofMethod = keyof typeof methods

/** Asks for a code or the password before an action that is hard to undo; the action then continues. */
export function ProofDialog() {
  const t = words.use()
  const [method, setMethod] = useState<ProofMethod>('code')
  return (
    <Dialog opened onClose={() => closeQuestion(false)} title={t('title')} size="small">
      <ProofForm
        key={method}
        method={method}
        onOther={() => setMethod(method === 'code' ? 'password' : 'code')}
      />
    </Dialog>
  )
}

function select(field: HTMLElement | null): void {
  if (field instanceof HTMLInputElement) field.select()
}

function ProofForm({ method, onOther }: { method: ProofMethod; onOther: () => void }) {
  const t = words.use()
  const f = usePortalForm({
    schema: methods[method],
    initialValues: { [method]: '' },
    save: async (proof) => {
      try {
        await call(confirmAgain, { body: proof })
        closeQuestion(true)
      } catch (cause) {
        // The session is over, which leads to the sign-in.
        if (cause instanceof CallError && cause.status === 401) closeQuestion(false)
        // Selected for overwriting, after the error has returned the focus.
        requestAnimationFrame(() => select(f.form.getInputNode(method)))
        throw cause
      }
    },
  })
  const { form } = f
  const placed = useRef(false)
  useEffect(() => {
    // The other field replaces the link that was pressed.
    if (!placed.current) form.getInputNode(method)?.focus()
    placed.current = true
  })
  const switchMethod = (
    <button type="button" className="lk" onClick={onOther}>
      {t(method === 'code' ? 'usePassword' : 'useCode')}
    </button>
  )
  return (
    <FormFrame of={f} asksBeforeLeaving={false}>
      <DialogBody>
        <p>{t('description')}</p>
        {method === 'code' ? (
          <TextField
            label={t('code')}
            className="code-field"
            hint={t('codeHint')}
            aside={switchMethod}
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            data-autofocus
            {...form.field('code')}
          />
        ) : (
          <PasswordField label={t('password')} aside={switchMethod} {...form.field('password')} />
        )}
      </DialogBody>
      <DialogFoot onCancel={() => closeQuestion(false)}>
        <Button type="submit" kind="primary" busy={f.saving}>
          {t('confirm')}
        </Button>
      </DialogFoot>
    </FormFrame>
  )
}
