import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { CallError } from './call.ts'
import { useReloadWhenBack } from './connection.tsx'
import { isFailedDownload } from './failed-downloads.ts'
import { translateSentence, useSentences } from './language/sentences.ts'
import { Brand } from './logo.tsx'
import { paths } from './paths.ts'
import { area, home, signedIn } from './session.ts'
import { words } from './words.ts'

interface LoadProblemProps {
  error: Error
  retry?: () => unknown
  /** 1 if it replaces the page */
  level?: 1 | 2
}

/** Shown when a list could not be loaded: the server's message and «Try again», or why it is not open. */
export function LoadProblem({ error, retry, level }: LoadProblemProps) {
  const translate = useSentences()
  if (error instanceof CallError && error.status === 403)
    return <NoPermissionPage reason={error.message} level={level} />
  return (
    <ErrorState retry={retry} level={level}>
      {translate(error.message)}
    </ErrorState>
  )
}

/** The same in place of a panel. */
export const PanelProblem = (problem: LoadProblemProps) => (
  <Panel padded={false}>
    <LoadProblem {...problem} />
  </Panel>
)

/** The same for a whole page; `title` is the page's, if known without the missing data. */
export function PageProblem({ title, ...problem }: Omit<LoadProblemProps, 'level'> & { title?: string }) {
  return (
    <>
      {title && <PageHeader title={title} />}
      <Panel>
        <LoadProblem {...problem} level={title ? 2 : 1} />
      </Panel>
    </>
  )
}

/** An address without a page, in its layout; without a session, under the logo only, with a link to the sign-in. */
export function NotFound({ frame: Framed }: { frame: (inside: { instead: ReactNode }) => ReactNode }) {
  const t = words.use()
  const inside = signedIn() !== undefined
  const start = area === 'office' ? home : paths.dashboard
  const label = area === 'office' ? t('toOverview') : t('toDashboard')
  const page = (
    <>
      <title>{t('notFoundTitle')}</title>
      <EmptyState
        icon="search"
        level={1}
        title={t('notFoundTitle')}
        actions={
          <Link to={inside ? start : home} className={buttonClass('primary')}>
            {inside ? label : t('toSignIn')}
          </Link>
        }>
        {t('notFoundText')}
      </EmptyState>
    </>
  )
  if (inside) return <Framed instead={page} />
  return (
    <>
      <header className="top">
        <Link className="logo" to={home}>
          <Brand />
        </Link>
      </header>
      <main className="main">{page}</main>
    </>
  )
}

/** A page the user has no permission for, with the reason. */
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

/** A page that failed while rendering. */
export function CrashPage({ error }: ErrorComponentProps) {
  const t = words.use()
  const lost = isFailedDownload(error)
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
        }>
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
