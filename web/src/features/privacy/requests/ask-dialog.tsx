import { askDataRequest, askForm, dataRequests, requestKinds } from '@podium/contract/privacy/calls'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const { kind, words: said, reach } = askForm.shape
const schema = z.object({ kind, words: said, reach })

/** Enters a request that came by telephone, letter or mail. */
export function AskDialog({ studentId, onClose }: { studentId: number; onClose: () => void }) {
  const t = words.use()
  const client = useQueryClient()
  const f = usePortalForm({
    schema,
    initialValues: { kind: 'export' as const, words: '', reach: '' },
    draftKey: `request.of.${studentId}`,
    save: async (values) => {
      await call(askDataRequest, { body: { studentId, ...values } })
      toast.success(t('entered'))
      await client.invalidateQueries({ queryKey: [dataRequests.path] })
      onClose()
    },
  })
  return (
    <FormDialog of={f} onClose={onClose} title={t('enterTitle')} size="small" save={t('enter')}>
      <SelectField
        label={t('kind')}
        choices={requestKinds.map((value) => ({ value, label: t(value) }))}
        key={f.form.key('kind')}
        {...f.form.getInputProps('kind')}
      />
      <TextArea
        label={t('words')}
        hint={t('wordsHint')}
        rows={3}
        key={f.form.key('words')}
        {...f.form.getInputProps('words')}
      />
      <TextField
        label={t('reach')}
        hint={t('reachHint')}
        optional
        autoComplete="off"
        key={f.form.key('reach')}
        {...f.form.getInputProps('reach')}
      />
    </FormDialog>
  )
}
