import { india } from '@podium/contract/catalogue/calls-places'
import type { SchoolRecord } from '@podium/contract/schools/calls-record'
import { saveSchoolRecord, schoolRecordForm } from '@podium/contract/schools/calls-write'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { useInvalidate } from '#shell/query.ts'
import { toast } from '#ui/toast.tsx'
import { SchoolFields, schoolValues } from './school-fields.tsx'
import { shownOfSchools } from './use-record.ts'
import { words } from './words-record.ts'

/** Changes the details; what is typed stays until it is saved. */
export function EditDialog({ school, onClose }: { school: SchoolRecord; onClose: () => void }) {
  const t = words.use()
  const renew = useInvalidate(shownOfSchools)
  const { id, version } = school
  const f = usePortalForm({
    schema: schoolRecordForm,
    initialValues: schoolValues(school),
    draftKey: `school.${id}.${version}`,
    save: async (body) => {
      await call(saveSchoolRecord, { body: { ...body, id, version } }).finally(renew)
      toast.success(t('saved'))
      onClose()
    },
  })
  const country = f.form.useWatchValue('country')
  const state = f.form.useWatchValue('state')
  type Name = keyof ReturnType<typeof f.form.getValues>
  const field = (name: Name) => ({ key: f.form.key(name), ...f.form.getInputProps(name) })
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('editTitle', { code: school.schCode })}
      fact={school.schName}
      save={t('save')}
    >
      <div className="grid">
        <SchoolFields
          field={field}
          country={country}
          state={state}
          hadState={school.country === india ? school.state : ''}
        />
      </div>
    </FormDialog>
  )
}
