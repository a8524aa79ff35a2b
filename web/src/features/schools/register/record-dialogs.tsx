import { india } from '@podium/contract/catalogue/calls-places'
import {
  officeRemovePerson,
  type SchoolPerson,
  type SchoolRecord,
} from '@podium/contract/schools/calls-record'
import {
  makeCoordinator,
  saveSchoolRecord,
  schoolRecordForm,
  setSchoolAccount,
  setSchoolStatus,
} from '@podium/contract/schools/calls-write'
import { actingForm, actingMinutes, startActing } from '@podium/contract/staff/calls-act-as-school'
import { call } from '#shell/call.ts'
import { FormDialog, useAsOpened, useFormDialog } from '#shell/form-dialog.tsx'
import { paths } from '#shell/paths.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { startSchoolSession } from '#shell/session.ts'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { schoolCalls, words } from './parts.tsx'
import { SchoolFields, schoolValues } from './school-fields.tsx'

/** Changes the details; what is typed is kept until it is saved. */
export function EditDialog({ school, onClose }: { school: SchoolRecord; onClose: () => void }) {
  const t = words.use()
  const { id, version } = useAsOpened(school)
  const f = useFormDialog({
    schema: schoolRecordForm,
    initialValues: schoolValues(school),
    draftKey: `school.${id}.${version}`,
    save: (body) => call(saveSchoolRecord, { body: { ...body, id, version } }),
    invalidates: schoolCalls,
    done: t('saved'),
    onClose,
  })
  const country = f.form.useWatchValue('country')
  const state = f.form.useWatchValue('state')
  const { field } = f.form
  return (
    <FormDialog
      of={f}
      title={t('editTitle', { code: school.schCode })}
      fact={school.schName}
      save={t('save')}>
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

/** Signs the officer in as the school: asks why and for how long; the school can see it. */
export function ActAsSchoolDialog({ school, onClose }: { school: SchoolRecord; onClose: () => void }) {
  const t = words.use()
  const initialValues: { reason: string; minutes: (typeof actingMinutes)[number] } = {
    reason: '',
    minutes: '30',
  }
  const f = useFormDialog({
    schema: actingForm,
    initialValues,
    save: (body) => call(startActing, { body: { ...body, id: school.id } }),
    onDone: ({ token, officer, until, userDetails }) => {
      startSchoolSession(token, { ...userDetails, acting: { officer, until } })
      location.assign(paths.dashboard)
    },
    onClose,
  })
  return (
    <FormDialog of={f} title={t('actingTitle', { name: school.schName })} save={t('actingStart')}>
      <Note kind="due">{t('actingHint')}</Note>
      <TextArea
        label={t('reason')}
        rows={3}
        hint={t('actingReasonHint')}
        data-autofocus
        {...f.form.field('reason')}
      />
      <SelectField
        label={t('actingMinutes')}
        choices={actingMinutes.map((n) => ({ value: n, label: t('minutes', { n: Number(n) }) }))}
        {...f.form.field('minutes')}
      />
    </FormDialog>
  )
}

/** Deactivates or reactivates a school. */
export function StatusDialog({ school, onClose }: { school: SchoolRecord; onClose: () => void }) {
  const t = words.use()
  const { id, version, active, schName: name } = school
  return (
    <ReasonDialog
      title={t(active ? 'offTitle' : 'onTitle', { name })}
      description={t(active ? 'offHint' : 'onHint')}
      action={t(active ? 'switchOff' : 'switchOn')}
      danger={active}
      done={t(active ? 'offDone' : 'onDone', { name })}
      draftKey={`standing.${id}`}
      act={(reason) => call(setSchoolStatus, { body: { id, version, active: !active, reason } })}
      invalidates={schoolCalls}
      onClose={onClose}
    />
  )
}

interface AccountProps {
  schoolId: number
  person: SchoolPerson
  onClose: () => void
}

/** Disables an account, or enables it again. */
export function AccountDialog({ schoolId, person, onClose }: AccountProps) {
  const t = words.use()
  const { id: userId, version, disabled: enabled, name } = person
  return (
    <ReasonDialog
      title={t(enabled ? 'enableTitle' : 'disableTitle', { name })}
      description={t(enabled ? 'enableHint' : 'disableHint', { name })}
      action={t(enabled ? 'enable' : 'disable')}
      danger={!enabled}
      done={t(enabled ? 'enableDone' : 'disableDone', { name })}
      draftKey={`account.${userId}`}
      act={(reason) => call(setSchoolAccount, { body: { id: schoolId, userId, version, enabled, reason } })}
      invalidates={schoolCalls}
      onClose={onClose}
    />
  )
}

/** Makes another person the coordinator. */
export function CoordinateDialog({ schoolId, person, before, onClose }: AccountProps & { before: string }) {
  const t = words.use()
  const { id: userId, name } = person
  return (
    <ReasonDialog
      title={t('coordinateTitle', { name })}
      description={before === '' ? t('coordinateFirst') : t('coordinateHint', { before })}
      action={t('coordinate')}
      done={t('coordinateDone', { name })}
      draftKey={`coordinate.${userId}`}
      act={(reason) => call(makeCoordinator, { body: { id: schoolId, userId, reason } })}
      invalidates={schoolCalls}
      onClose={onClose}
    />
  )
}

/** Removes a person from the school. */
export function RemoveDialog({ schoolId, person, onClose }: AccountProps) {
  const t = words.use()
  const { id: userId, version, name } = person
  return (
    <ReasonDialog
      title={t('removeTitle', { name })}
      description={t('removeHint', { name })}
      action={t('remove')}
      danger
      done={t('removeDone', { name })}
      draftKey={`remove.${userId}`}
      act={(reason) => call(officeRemovePerson, { body: { id: schoolId, userId, version, reason } })}
      invalidates={schoolCalls}
      onClose={onClose}
    />
  )
}
