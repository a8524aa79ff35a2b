import type { AnswerOf } from '@podium/contract/endpoint'
import type { LikelySchool } from '@podium/contract/schools/calls-applications'
import { officeSchool } from '@podium/contract/schools/calls-record'
import { officeSchools, type RegisterRow } from '@podium/contract/schools/calls-register'
import {
  createSchool,
  likelySchools,
  newSchoolForm,
  setSchoolStatuses,
} from '@podium/contract/schools/calls-write'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type BulkActionProps, RefusedDialog, useBulkAction } from '#shell/action-dialogs.tsx'
import { CallError, call } from '#shell/call.ts'
import { callOnce } from '#shell/call-once.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { count } from '#shell/format.tsx'
import { officePaths } from '#shell/paths.ts'
import { useDebounced, useEndpoint } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { SchoolLink } from '#shell/record-links.tsx'
import { TextField } from '#ui/text-field.tsx'
import { SchoolFields, schoolValues } from './school-fields.tsx'
import { words } from './words.ts'

/** Known schools similar to the typed one; undefined before they are loaded. */
type SimilarSchools = readonly LikelySchool[] | undefined

function useCreateForm(onClose: () => void) {
  const t = words.use()
  const navigate = useNavigate()
  const [similar, setSimilar] = useState<SimilarSchools>()
  const f = useFormDialog({
    schema: newSchoolForm,
    initialValues: { ...schoolValues(), schCode: '' },
    draftKey: 'new-school',
    save: async (body) => {
      try {
        return await call(createSchool, { body: { ...body, compared: similar !== undefined } })
      } catch (cause) {
        if (!(cause instanceof CallError) || cause.code !== 'schools.likely') throw cause
        const { schName, pinCode, mobile, udiseCode, affiliationNo } = body
        const fields = { schName, pinCode, mobile, udiseCode, affiliationNo }
        setSimilar((await call(likelySchools, { body: fields })).likely)
        throw cause
      }
    },
    invalidates: [officeSchools],
    done: ({ schCode: code }, { schName: name }) => t('created', { name, code }),
    onDone: ({ schId }) => {
      f.draft.drop()
      f.form.resetDirty()
      return navigate({ to: officePaths.school, params: { id: String(schId) } })
    },
    onClose,
  })
  return { f, likely: similar }
}

/** Returns the code that a school of this name would get, once the user has paused typing. */
function useProposedCode(typed: string): string | undefined {
  const schName = useDebounced(typed.trim(), 400)
  const body = { schName, pinCode: '', mobile: '', udiseCode: '', affiliationNo: '' }
  const enabled = schName.length > 2
  const proposed = useEndpoint(likelySchools, { body, enabled })
  return enabled ? proposed.data?.proposedCode : undefined
}

/** Creates a school by hand, after showing known schools that are similar. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const { f, likely: similar } = useCreateForm(onClose)
  const country = f.form.useWatchValue('country')
  const state = f.form.useWatchValue('state')
  const code = useProposedCode(f.form.useWatchValue('schName'))
  const { field } = f.form
  return (
    <FormDialog
      of={f}
      title={t('newTitle')}
      save={t(similar && similar.length > 0 ? 'createAnyway' : 'create')}>
      <p className="hint">{t('newHint')}</p>
      {similar && similar.length > 0 && <SimilarSchoolsList schools={similar} />}
      <div className="grid">
        <SchoolFields field={field} country={country} state={state} />
        <TextField
          label={t('schCode')}
          className="c6"
          optional
          hint={code ? t('schCodeProposed', { code }) : t('schCodeHint')}
          autoCapitalize="characters"
          {...field('schCode')}
        />
      </div>
    </FormDialog>
  )
}

function SimilarSchoolsList({ schools }: { schools: readonly LikelySchool[] }) {
  const t = words.use()
  return (
    <section className="register-likely">
      <h3>{t('likelyTitle', { n: schools.length })}</h3>
      <p className="hint">{t('likelyHint')}</p>
      <ul>
        {schools.map((school) => (
          <li key={school.schId} className="mt-2">
            <SchoolLink id={school.schId}>{school.schName}</SchoolLink>
            <span className="under">
              {school.schCode}, {school.city} {school.pinCode} ·{' '}
              {t('same', { fields: school.same.map((kind) => t(`same_${kind}`)).join(', ') })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface DialogProps extends BulkActionProps<RegisterRow> {
  /** The new status */
  active: boolean
}
type ChangedSchools = AnswerOf<typeof setSchoolStatuses>['done']

/** Deactivates or reactivates the selected schools for one reason; says which were skipped and why. */
export function StatusBulkDialog(props: DialogProps) {
  const { active, onClose } = props
  const t = words.use()
  const { asked, key, showOutcome, outcome } = useBulkAction(props, {
    invalidates: [officeSchools, officeSchool],
    doneText: (done: ChangedSchools) => t(active ? 'onDoneMany' : 'offDoneMany', { n: done.length }),
  })
  if (outcome)
    return (
      <RefusedDialog
        title={t('notAll')}
        summary={t('notAllText', { done: outcome.done.length, n: outcome.refused.length })}
        refused={outcome.refused}
        nameOf={(id) => {
          const school = asked.find((candidate) => candidate.id === id)
          return school ? `${school.schName} (${school.schCode})` : String(id)
        }}
        understood={t('understood')}
        onClose={onClose}
      />
    )
  const people = asked.reduce((sum, { staff }) => sum + staff, 0)
  const schools = asked.map(({ id, version }) => ({ id, version }))
  return (
    <ReasonDialog
      title={t(active ? 'onTitleMany' : 'offTitleMany', { n: asked.length })}
      description={t(active ? 'onHintMany' : 'offHintMany', { people: count(people) })}
      rule={setSchoolStatuses.body.shape.reason}
      action={t(active ? 'switchOn' : 'switchOff')}
      danger={!active}
      act={(reason) =>
        callOnce(setSchoolStatuses, { body: { schools, active, reason }, idempotencyKey: key })
      }
      onDone={showOutcome}
      onClose={onClose}
    />
  )
}
