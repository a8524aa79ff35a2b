import { lazy, Suspense } from 'react'
import { Dashboard } from '#features/dashboard/page.tsx'
import { NoticesPanel } from '#features/notices/school-panel.tsx'
import { ActingSessionsNote } from '#features/staff/act-as-school/note.tsx'

const SchoolDetailDialog = lazy(() =>
  import('#features/accounts/registration/school-detail-dialog.tsx').then((m) => ({
    default: m.SchoolDetailDialog,
  })),
)

/** The dashboard, combined with the school detail dialog and the notices, which are other features. */
export function DashboardPage() {
  return (
    <Dashboard
      notices={
        <>
          <NoticesPanel />
          <ActingSessionsNote />
        </>
      }
      schoolDialog={(close) => (
        <Suspense>
          <SchoolDetailDialog opened onClose={close} />
        </Suspense>
      )}
    />
  )
}
