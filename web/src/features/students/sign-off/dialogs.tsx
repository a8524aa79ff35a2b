import { seasonTrack } from '@podium/contract/dashboard/calls'
import { messages } from '@podium/contract/messages'
import { getStudentDetails } from '@podium/contract/students/calls'
import {
  getSignOffs,
  reopenList,
  type SignOffList,
  signOffLists,
} from '@podium/contract/students/calls-sign-off'
import * as z from 'zod/mini'
import { type BulkActionProps, RefusedDialog, useBulkAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { Note } from '#ui/note.tsx'
import { TextField } from '#ui/text-field.tsx'
import type en from '#words/en/students-sign-off.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/students-sign-off.json'))

/** Everything that shows whether a list is open. */
const signOffCalls = [getSignOffs, getStudentDetails, seasonTrack]

const schema = z.object({ name: z.string().check(z.trim(), z.minLength(1, messages.nameRequired)) })

const subjectOf = (lists: readonly SignOffList[], id: number) =>
  translateSentence(lists.find(({ eventManagementId }) => eventManagementId === id)?.subjectName ?? '')

interface SignDialogProps extends BulkActionProps<SignOffList> {
  /** The name to be typed */
  name: string
}

/** Signs off lists: shows once more what is still open in each; the coordinator types the name once. */
export function SignDialog({ name, ...props }: SignDialogProps) {
  const t = words.use()
  const { asked, showOutcome, outcome } = useBulkAction(props, {
    invalidates: signOffCalls,
    doneText: ([first, ...more]: { id: number }[], asked) =>
      first && more.length === 0
        ? t('signedNow', { subject: subjectOf(asked, first.id) })
        : t('signedMany', { n: more.length + 1 }),
  })
  const f = useFormDialog({
    schema,
    initialValues: { name: '' },
    save: (body) => {
      const lists = asked.map(({ eventManagementId, totalStudent: students }) => ({
        eventManagementId,
        students,
      }))
      return call(signOffLists, { body: { ...body, lists } })
    },
    onDone: showOutcome,
    onClose: props.onClose,
  })
  if (outcome)
    return (
      <RefusedDialog
        title={t('notAll')}
        summary={t('notAllText', { done: outcome.done.length, n: outcome.refused.length })}
        refused={outcome.refused}
        nameOf={(id) => subjectOf(asked, id)}
        understood={t('understood')}
        onClose={props.onClose}
      />
    )
  const [first] = asked
  return (
    <FormDialog
      of={f}
      size="small"
      title={
        asked.length === 1 && first
          ? t('signTitle', { subject: first.subjectName })
          : t('signManyTitle', { n: asked.length })
      }
      fact={t('students', { n: asked.reduce((sum, { totalStudent }) => sum + totalStudent, 0) })}
      save={asked.length === 1 ? t('signOff') : t('signMany', { n: asked.length })}>
      {asked.length > 1 && (
        <ul className="bullets">
          {asked.map(({ eventManagementId, subjectName, totalStudent: n, checks }) => (
            <li key={eventManagementId}>
              {translateSentence(subjectName)}, {t('students', { n })}
              {checks.length > 0 && (
                <span className="under">
                  {t('stillMissing')} {checks.map((check) => t(check.kind, { n: check.count })).join(' · ')}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <p>{t('signHint')}</p>
      {asked.length === 1 && first && first.checks.length > 0 && (
        <Note kind="due">
          <p>{t('stillMissing')}</p>
          <ul className="bullets">
            {first.checks.map(({ kind, count: n }) => (
              <li key={kind}>{t(kind, { n })}</li>
            ))}
          </ul>
        </Note>
      )}
      <TextField
        label={t('yourName')}
        hint={t('yourNameHint', { name })}
        autoComplete="off"
        maxLength={200}
        data-autofocus
        {...f.form.field('name')}
      />
    </FormDialog>
  )
}

/** Reopens a list; the reason is required and kept in its history. */
export function ReopenDialog({ list, onClose }: { list: SignOffList; onClose: () => void }) {
  const t = words.use()
  const { eventManagementId, closesOn } = list
  const subject = translateSentence(list.subjectName)
  return (
    <ReasonDialog
      title={t('reopenTitle', { subject })}
      description={t('reopenHint', { day: dayText(closesOn) })}
      action={t('reopen')}
      draftKey={`reopen.${eventManagementId}`}
      act={(reason) => call(reopenList, { body: { eventManagementId, reason } })}
      invalidates={signOffCalls}
      done={t('reopenedNow', { subject })}
      onClose={onClose}
    />
  )
}
