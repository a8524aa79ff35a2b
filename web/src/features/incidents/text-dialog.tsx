import { text } from '@podium/contract/fields'
import * as z from 'zod/mini'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { useRenew } from './use-incident.ts'
import { words } from './words.ts'

interface Props {
  title: string
  says: string
  label: string
  required: string
  action: string
  done: string
  draftKey: string
  longest?: number
  act: (typed: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for one text and does something with it; what is typed stays until it is sent. */
export function TextDialog(props: Props) {
  const t = words.use()
  const renew = useRenew()
  const { title, says, label, action, done, act, onClose } = props
  const f = usePortalForm({
    schema: z.object({ text: text(props.required, props.longest ?? 500) }),
    initialValues: { text: '' },
    draftKey: props.draftKey,
    save: async ({ text: typed }) => {
      await act(typed).finally(renew)
      toast.success(done)
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={title} size="small">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <p>{says}</p>
            <TextArea
              label={label}
              rows={4}
              data-autofocus
              key={f.form.key('text')}
              {...f.form.getInputProps('text')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {action}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
