import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import * as z from 'zod/mini'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { words } from './words-people.ts'

const schema = z.object({ reason: text(messages.reasonRequired, 500) })

interface Props {
  title: string
  says: string
  action: string
  danger: boolean
  draftKey: string
  /** Answers whether it was done; the dialog stays open where not. */
  act: (reason: string) => Promise<boolean>
  onClose: () => void
}

/** Asks why before something is done to somebody's access. */
export function ReasonDialog({ title, says, action, danger, draftKey, act, onClose }: Props) {
  const t = words.use()
  const f = usePortalForm({
    schema,
    initialValues: { reason: '' },
    draftKey,
    save: async ({ reason }) => {
      if (await act(reason)) onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={title} size="small">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <p>{says}</p>
            <TextArea
              label={t('reason')}
              rows={3}
              data-autofocus
              key={f.form.key('reason')}
              {...f.form.getInputProps('reason')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind={danger ? 'danger-filled' : 'primary'} busy={f.saving}>
            {action}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
