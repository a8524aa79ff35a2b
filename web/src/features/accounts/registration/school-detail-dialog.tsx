import { FormDialog } from '#shell/form-dialog.tsx'
import { Note } from '#ui/note.tsx'
import { words } from '../words.ts'
import {
  type Place,
  SchoolFields,
  type SubmittedApplication,
  useSchoolForm,
  WithEarlierApplication,
} from './school-fields.tsx'

/** “Management / School detail”: opens on the dashboard of a user without a school (specification, section 2.6). */
export function SchoolDetailDialog({ onClose }: { onClose: () => void }) {
  return (
    <WithEarlierApplication fallback={null}>
      {(application, place) => (
        <OpenDialog key={application?.id} application={application} place={place} onClose={onClose} />
      )}
    </WithEarlierApplication>
  )
}

interface OpenDialogProps {
  application: SubmittedApplication | null
  place: Place
  onClose: () => void
}

function OpenDialog({ application, place, onClose }: OpenDialogProps) {
  const t = words.use()
  const f = useSchoolForm(application, place, onClose)
  return (
    <FormDialog
      of={{ ...f, onClose }}
      title={`${t('schoolManagement')} / ${t('schoolTitle')}`}
      save={t('submitSchool')}>
      {application?.remark ? (
        <Note kind="bad">{t('rejected', { reason: application.remark })}</Note>
      ) : (
        <p className="hint">{t('schoolIntro')}</p>
      )}
      <SchoolFields of={f} />
    </FormDialog>
  )
}
