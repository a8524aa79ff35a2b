import { inviteForm } from '@podium/contract/accounts/calls-invitations'
import { languageChoices } from '@podium/contract/languages'
import type * as z from 'zod/mini'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { words } from './invitation-list.tsx'

interface InviteDialogProps {
  draftKey: string
  send: (invited: z.output<typeof inviteForm>) => Promise<unknown>
  onClose: () => void
}

/** Invites someone to a school by e-mail. */
export function InviteDialog({ draftKey, send, onClose }: InviteDialogProps) {
  const t = words.use()
  const language = useWrittenLanguage()
  const f = useFormDialog({
    schema: inviteForm,
    initialValues: { name: '', emailId: '', language },
    draftKey,
    save: send,
    done: (_, invited) => t('sent', { email: invited.emailId }),
    onClose,
  })
  return (
    <FormDialog of={f} title={t('invite')} save={t('send')} asksBeforeLeaving>
      <TextField label={t('name')} autoComplete="off" data-autofocus {...f.form.field('name')} />
      <TextField
        label={t('email')}
        type="email"
        autoComplete="off"
        hint={t('emailHint')}
        {...f.form.field('emailId')}
      />
      <SelectField label={t('language')} choices={languageChoices} {...f.form.field('language')} />
      <p className="hint">{t('inviteHint')}</p>
    </FormDialog>
  )
}
