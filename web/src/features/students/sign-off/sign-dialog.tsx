import { seasonTrack } from '@podium/contract/dashboard/calls'
import { getStudentDetails } from '@podium/contract/students/calls'
import { getSignOffs, type SignOffList, signOffList } from '@podium/contract/students/calls-sign-off'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

/** Everything that shows whether a list is open. */
export const shownOfLists = [getSignOffs, getStudentDetails, seasonTrack]

/** Closes a list: what is still missing stands there once more, and the number of students is typed. */
export function SignDialog({ list, onClose }: { list: SignOffList; onClose: () => void }) {
  const t = words.use()
  const renew = useInvalidate(shownOfLists)
  const { eventManagementId, subjectName: subject, totalStudent, checks } = list
  const f = usePortalForm({
    schema: z.object({
      students: z.pipe(
        z.string().check(z.trim(), z.regex(/^\d{1,6}$/, t('countRequired'))),
        z.transform(Number),
      ),
    }),
    initialValues: { students: '' },
    save: async ({ students }) => {
      await call(signOffList, { body: { eventManagementId, students } }).finally(renew)
      toast.success(t('signedNow', { subject }))
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      size="small"
      title={t('signTitle', { subject })}
      fact={t('students', { n: totalStudent })}
    >
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <p>{t('signSays')}</p>
            {checks.length > 0 && (
              <Note kind="due">
                <p>{t('stillMissing')}</p>
                <ul className="dots">
                  {checks.map(({ kind, count: n }) => (
                    <li key={kind}>{t(kind, { n })}</li>
                  ))}
                </ul>
              </Note>
            )}
            <TextField
              label={t('count')}
              hint={t('countHint')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={6}
              data-autofocus
              key={f.form.key('students')}
              {...f.form.getInputProps('students')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {t('signOff')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
