import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Button, buttonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { area, home } from './area.ts'
import { translateSentence } from './language/sentences.ts'
import { isLostPart } from './lost-parts.ts'
import { useReloadWhenBack } from './offline.tsx'
import { words } from './words.ts'

/** No page of this address. */
export function NotFoundPage() {
  const t = words.use()
  return (
    <main className="main">
      <title>{t('notFoundTitle')}</title>
      <EmptyState
        icon="search"
        level={1}
        title={t('notFoundTitle')}
        actions={
          <Link to={home} className={buttonClass('primary')}>
            {t(area === 'office' ? 'toOverview' : 'toDashboard')}
          </Link>
        }
      >
        {t('notFoundText')}
      </EmptyState>
    </main>
  )
}

/** A page that the sign-in does not include; says why. */
export function NoPermissionPage({ reason, level = 2 }: { reason?: string; level?: 1 | 2 }) {
  const t = words.use()
  return (
    <>
      {level === 1 && <title>{t('noPermissionTitle')}</title>}
      <EmptyState icon="lock" level={level} title={t('noPermissionTitle')}>
        {reason ? translateSentence(reason) : t('noPermissionText')}
      </EmptyState>
    </>
  )
}

/** A page that broke while it was drawn. */
export function CrashPage({ error }: ErrorComponentProps) {
  const t = words.use()
  const lost = isLostPart(error)
  useReloadWhenBack(lost)
  return (
    <div role="alert">
      <EmptyState
        icon="warning"
        level={1}
        title={t(lost ? 'lostTitle' : 'crashedTitle')}
        actions={
          !lost && (
            <Button kind="primary" onClick={() => window.location.reload()}>
              {t('reload')}
            </Button>
          )
        }
      >
        {lost ? (
          t('lostText')
        ) : (
          <>
            {t('crashedText')}{' '}
            <span className="code">{error instanceof Error ? error.message : String(error)}</span>
          </>
        )}
      </EmptyState>
    </div>
  )
}
