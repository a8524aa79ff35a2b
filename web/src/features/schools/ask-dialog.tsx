import { askBackApplication } from '@podium/contract/applications'
import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import * as z from 'zod/mini'
import { CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { TextArea } from '#ui/text-field.tsx'
import type { DecisionProps } from './decision.ts'
import { words } from './words.ts'

const schema = z.object({ question: text(messages.questionBackRequired, 1000) })

/** Asks the applicant for what is missing; what is typed stays until it is sent. */
export function AskDialog({ detail, onDone, onRefused, onClose }: DecisionProps) {
  const t = words.use()
  const kit = useKitWords()
  const { id, version, schName, city, applicantName: applicant } = detail.application
  const f = usePortalForm({
    schema,
    initialValues: { question: '' },
    draftKey: `ask-back.${id}`,
    save: async ({ question }) => {
      try {
        await call(askBackApplication, { body: { id, version, question } })
        onDone(t('askedToast', { applicant }))
      } catch (cause) {
        if (!(cause instanceof CallError) || !onRefused(cause)) throw cause
      }
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('askTitle')} size="small">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="appl-ask">
            <p>
              <b>{schName}</b>, {city}
            </p>
            <p>{t('askText', { applicant })}</p>
            <TextArea
              label={t('question')}
              rows={4}
              hint={t('questionHint')}
              data-autofocus
              key={f.form.key('question')}
              {...f.form.getInputProps('question')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {t('askSave')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
