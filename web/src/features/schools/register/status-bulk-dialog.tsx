import type { AnswerOf } from '@podium/contract/endpoint'
import { officeSchool } from '@podium/contract/schools/calls-record'
import { officeSchools, type RegisterRow } from '@podium/contract/schools/calls-register'
import { setSchoolStatuses } from '@podium/contract/schools/calls-write'
import { call } from '#shell/call.ts'
import { count } from '#shell/format.tsx'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { RefusedDialog, type SeveralProps, useBulkAction } from '#shell/refused-dialog.tsx'
import { words } from './words.ts'

interface DialogProps extends SeveralProps<RegisterRow> {
  /** What they are to be */
  active: boolean
}
type Done = AnswerOf<typeof setSchoolStatuses>['done']

/** Switches the schools that are marked off, or on again, all for one reason; says what is left and why. */
export function StatusBulkDialog(props: DialogProps) {
  const { active, onClose } = props
  const t = words.use()
  const { asked, key, told, outcome } = useBulkAction(props, {
    invalidates: [officeSchools, officeSchool],
    said: (done: Done) => t(active ? 'onDoneMany' : 'offDoneMany', { n: done.length }),
  })
  if (outcome)
    return (
      <RefusedDialog
        title={t('notAll')}
        says={t('notAllSays', { done: outcome.done.length, n: outcome.refused.length })}
        refused={outcome.refused}
        nameOf={(id) => {
          const school = asked.find((one) => one.id === id)
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
      says={t(active ? 'onSaysMany' : 'offSaysMany', { people: count(people) })}
      rule={setSchoolStatuses.body.shape.reason}
      action={t(active ? 'switchOn' : 'switchOff')}
      danger={!active}
      act={(reason) => call(setSchoolStatuses, { body: { schools, active, reason }, idempotencyKey: key })}
      onDone={told}
      onClose={onClose}
    />
  )
}
