import './sign-off.css'
import { getSignOffs, type SignOffList } from '@podium/contract/students/calls-sign-off'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, startTransition, useState } from 'react'
import { useFocusBack } from '#shell/focus-back.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { buttonClass } from '#ui/button.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ListCard } from './list-card.tsx'
import { words } from './words.ts'

const SignDialog = lazy(() => import('./sign-dialog.tsx').then((m) => ({ default: m.SignDialog })))
const ReopenDialog = lazy(() => import('./reopen-dialog.tsx').then((m) => ({ default: m.ReopenDialog })))

interface Opened {
  what: 'sign' | 'reopen'
  list: SignOffList
}

/** The school's lists of the header's season, closed one by one by its coordinator; what is missing stands before. */
export function SignOffPage() {
  const t = words.use()
  const season = useSeason()
  const lists = useEndpoint(getSignOffs, { query: { FYear: season } })
  const [opened, show] = useState<Opened>()
  const focus = useFocusBack()
  const all = lists.data?.data
  const open = (next: Opened) => {
    focus.remember()
    startTransition(() => show(next))
  }
  const close = () => {
    show(undefined)
    focus.goBack()
  }
  const fact = all?.length
    ? t('factSigned', { season, n: all.filter((one) => one.signedOff).length, all: all.length })
    : t('fact', { season })
  return (
    <>
      <PageHeader title={t('title')} fact={fact} />
      {lists.isError && !all && (
        <Panel padded={false}>
          <LoadProblem error={lists.error} retry={() => lists.refetch()} />
        </Panel>
      )}
      {lists.isPending && <Skeleton shape="cards" rows={3} />}
      {all && all.length === 0 && (
        <Panel>
          <EmptyState
            icon="list"
            title={t('emptyTitle')}
            actions={
              <Link to={paths.studentEntry} className={buttonClass('primary')}>
                {t('toStudents')}
              </Link>
            }
          >
            {t('emptyText')}
          </EmptyState>
        </Panel>
      )}
      {all && all.length > 0 && (
        <div className="stack">
          <SchoolNotes lists={all} coordinator={lists.data?.coordinator ?? ''} />
          <ul className="sign-offs" aria-busy={lists.isPlaceholderData || undefined}>
            {all.map((list) => (
              <ListCard
                key={list.eventManagementId}
                list={list}
                onSign={() => open({ what: 'sign', list })}
                onReopen={() => open({ what: 'reopen', list })}
              />
            ))}
          </ul>
        </div>
      )}
      <Suspense>
        {opened?.what === 'sign' && <SignDialog list={opened.list} onClose={close} />}
        {opened?.what === 'reopen' && <ReopenDialog list={opened.list} onClose={close} />}
      </Suspense>
    </>
  )
}

/** What is the same for all lists: what signing means, who may do it, and what the school itself lacks. */
function SchoolNotes({ lists, coordinator }: { lists: readonly SignOffList[]; coordinator: string }) {
  const t = words.use()
  const other = lists.some(({ canSign }) => canSign === 'signoff.not_coordinator')
  const noContact = lists.some(({ checks }) => checks.some(({ kind }) => kind === 'contact'))
  return (
    <>
      <Note>{t('note')}</Note>
      {other && (
        <Note kind="due">
          {coordinator === '' ? t('noCoordinator') : t('onlyCoordinator', { name: coordinator })}{' '}
          {coordinator === '' && <Link to={paths.contactDetails}>{t('contacts')}</Link>}
        </Note>
      )}
      {noContact && (
        <Note kind="due">
          {t('noContact')} <Link to={paths.contactDetails}>{t('toContacts')}</Link>
        </Note>
      )}
    </>
  )
}
