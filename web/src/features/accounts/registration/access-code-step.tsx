import { accessCode, verifyAccessCode } from '@podium/contract/accounts/calls-registration'
import { useState } from 'react'
import * as z from 'zod/mini'
import { CallError, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { GateFormFrame, useGateForm } from '../gate-form.tsx'
import { words } from '../words.ts'

const schema = z.strictObject({ code: accessCode })
const triesOfLink = 5

/** The access code that is printed on the letter to the school. */
export function AccessCodeStep({ id, steps, onDone }: { id: string; steps: number; onDone: () => void }) {
  const t = words.use()
  const [wrong, setWrong] = useState(0)
  const f = useGateForm({
    schema,
    initialValues: { code: '' },
    focus: 'code',
    save: async ({ code }) => {
      try {
        const { message } = await call(verifyAccessCode, { body: { id, code } })
        toast.success(translateSentence(message))
        onDone()
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause
        if (cause.code !== 'account.wrong_status_code') throw cause
        setWrong(wrong + 1)
        throw new CallError(cause.message, 200, cause.code, [{ path: 'code', message: cause.message }])
      }
    },
  })
  const left = Math.max(0, triesOfLink - wrong)
  const hint = wrong === 0 ? undefined : left === 0 ? t('noTriesLeft') : t('triesLeft', { n: left })
  return (
    <>
      <p className="dots">{t('stepOf', { n: 1, total: steps })}</p>
      <h1>{t('codeTitle')}</h1>
      <p className="lede">{t('codeLede')}</p>
      <GateFormFrame of={f}>
        <TextField
          label={t('accessCode')}
          className="gate-code letters"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          hint={hint}
          {...f.field('code')}
        />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('next')}
        </Button>
      </GateFormFrame>
    </>
  )
}
