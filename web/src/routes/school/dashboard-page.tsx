import { lazy, Suspense } from 'react'
import { Dashboard } from '#features/dashboard/dashboard-page.tsx'
import { NoticesPanel } from '#features/notices/school-panel.tsx'
import { VisitsNote } from '#features/visits/visits-note.tsx'

const SchoolDetailDialog = lazy(() =>
  import('#features/accounts/school-detail-dialog.tsx').then((m) => ({ default: m.SchoolDetailDialog })),
)

/** The dashboard with the school detail dialog and the notices, which belong to other features. */
export function DashboardPage() {
  return (
    <Dashboard
      notices={
        <>
          <NoticesPanel />
          <VisitsNote />
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
