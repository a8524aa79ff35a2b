import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass, Segmented } from '#ui/button.tsx'
import { type CountCard, CountCards, CountTable } from '#ui/count-cards.tsx'
import type { IconName } from '#ui/icon.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { seasonFilters, useFilters } from './filters.ts'
import { count, dayText } from './format.tsx'
import { PanelProblem } from './load-problem.tsx'
import { paths } from './paths.ts'
import { useSession } from './session.ts'
import { words } from './words.ts'

interface FigurePageProps {
  title: string
  fact: ReactNode
  t: (key: 'print' | 'total' | 'emptyTitle' | 'addStudents') => string
  /** The answer with the subjects */
  list: { data: object | undefined; error: Error | null; isPlaceholderData: boolean; refetch: () => unknown }
  /** The figures of each subject, once loaded */
  cards: CountCard[] | undefined
  /** Headings of the figures: class, kind if there is one, figure */
  heads: readonly string[]
  /** Above the figures */
  filters?: ReactNode
  /** The buttons are there before the figures, too */
  buttonsFirst?: boolean
  /** Shown without subjects, with a link to student entry */
  empty: { icon: IconName; text: string }
  /** Between the filters and the figures */
  children?: ReactNode
}

/** A page of figures by class and subject, as a table or a card for each subject, to print. */
export function FigurePage(props: FigurePageProps) {
  const { title, fact, t, list, cards, heads, filters, buttonsFirst = false, empty, children } = props
  const own = words.use()
  const school = useSession()?.schName
  const { shown, change } = useFilters(seasonFilters)
  const { view } = shown
  const stale = list.isPlaceholderData
  const figures = { cards: cards ?? [], heads, written: count }
  return (
    <>
      <PageHeader title={title} fact={fact}>
        {(cards ? cards.length > 0 : buttonsFirst) && (
          <>
            <Segmented
              label={own('view')}
              value={view}
              choices={[
                { value: 'table', label: own('asTable'), icon: 'table' },
                { value: 'boxes', label: own('asBoxes'), icon: 'list' },
              ]}
              onChange={(next) => change({ view: next })}
            />
            <Button icon="print" disabled={!cards} onClick={() => window.print()}>
              {t('print')}
            </Button>
          </>
        )}
      </PageHeader>
      <p className="print-only">
        {school}, {dayText(new Date().toISOString())}
      </p>
      {filters}
      {list.error && !cards && <PanelProblem error={list.error} retry={list.refetch} />}
      {!list.error && !cards && <Skeleton shape={view === 'table' ? 'table' : 'cards'} />}
      {cards && cards.length > 0 && (
        <div className={stale ? 'dt stale' : undefined} aria-busy={stale || undefined}>
          {children}
          {view === 'table' ? (
            <CountTable {...figures} caption={title} total={t('total')} />
          ) : (
            <CountCards {...figures} />
          )}
        </div>
      )}
      {cards?.length === 0 && (
        <Panel padded={false}>
          <EmptyState
            icon={empty.icon}
            title={t('emptyTitle')}
            actions={
              <Link to={paths.studentEntry} className={buttonClass('secondary')}>
                {t('addStudents')}
              </Link>
            }>
            {empty.text}
          </EmptyState>
        </Panel>
      )}
    </>
  )
}
