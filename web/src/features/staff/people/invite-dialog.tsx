import { inviteForm, inviteStaff, type roles, staffList } from '@podium/contract/staff/calls-people'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { RoleField } from './role-field.tsx'
import { words } from './words.ts'

const nobody: { name: string; emailId: string; role: (typeof roles)[number] } = {
  name: '',
  emailId: '',
  role: 'viewer',
}

/** Invites a colleague: name, address, role. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const client = useQueryClient()
  const [key] = useState(() => crypto.randomUUID())
  const f = usePortalForm({
    schema: inviteForm,
    initialValues: nobody,
    draftKey: 'staff.invite',
    save: async (body) => {
      await call(inviteStaff, { body, idempotencyKey: `${key}.${body.emailId}`.slice(0, 100) })
      await client.invalidateQueries({ queryKey: [staffList.path] })
      toast.success(t('inviteDone', { name: body.name }))
      onClose()
    },
  })
  return (
    <FormDialog of={f} onClose={onClose} title={t('invite')} save={t('send')} asksBeforeLeaving>
      <TextField
        label={t('name')}
        autoComplete="off"
        data-autofocus
        key={f.form.key('name')}
        {...f.form.getInputProps('name')}
      />
      <TextField
        label={t('email')}
        type="email"
        autoComplete="off"
        key={f.form.key('emailId')}
        {...f.form.getInputProps('emailId')}
      />
      <RoleField key={f.form.key('role')} {...f.form.getInputProps('role')} />
      <p className="hint">{t('inviteSays')}</p>
    </FormDialog>
  )
}
