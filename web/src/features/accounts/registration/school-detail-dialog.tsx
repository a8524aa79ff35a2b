import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { words } from '../words.ts'
import { HandedInBefore } from './handed-in-before.tsx'
import { SchoolFields } from './school-fields.tsx'
import { type HandedIn, useSchoolForm } from './use-school-form.ts'

interface SchoolDetailDialogProps {
  opened: boolean
  onClose: () => void
}

/** «Management / School detail»: opens on the dashboard of somebody without a school (specification, section 2.6). */
export function SchoolDetailDialog({ opened, onClose }: SchoolDetailDialogProps) {
  return opened ? (
    <HandedInBefore waits={null}>
      {(application) => <OpenDialog application={application} onClose={onClose} />}
    </HandedInBefore>
  ) : null
}

function OpenDialog({ application, onClose }: { application: HandedIn | null; onClose: () => void }) {
  const t = words.use()
  const f = useSchoolForm(application, onClose)
  return (
    <Dialog opened onClose={onClose} title={`${t('schoolManagement')} / ${t('schoolTitle')}`}>
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          {application ? (
            <Note kind="bad">{t('rejected', { reason: application.remark })}</Note>
          ) : (
            <p className="hint">{t('schoolLede')}</p>
          )}
          <SchoolFields of={f} />
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {t('submitSchool')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
