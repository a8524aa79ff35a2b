import { roles } from '@podium/contract/staff/calls-people'
import type { ComponentProps } from 'react'
import { SelectField } from '#ui/select-field.tsx'
import { words } from './words.ts'

/** A role to choose, each with what it may do. */
export function RoleField(props: Omit<ComponentProps<typeof SelectField>, 'label' | 'choices'>) {
  const t = words.use()
  const choices = roles.map((role) => ({ value: role, label: `${t(role)}: ${t(`${role}May`)}` }))
  return <SelectField {...props} label={t('role')} choices={choices} />
}
