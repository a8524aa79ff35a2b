import { lazy, Suspense } from 'react'
import { Dashboard } from '#features/dashboard/dashboard-page.tsx'

const SchoolDetailDialog = lazy(() =>
  import('#features/accounts/school-detail-dialog.tsx').then((m) => ({ default: m.SchoolDetailDialog })),
)

/** The dashboard with the school detail dialog, which belongs to another feature. */
export function DashboardPage() {
  return (
    <Dashboard
      schoolDialog={(close) => (
        <Suspense>
          <SchoolDetailDialog opened onClose={close} />
        </Suspense>
      )}
    />
  )
}
