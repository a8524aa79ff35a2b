import { exportReminderList, nextSteps, reminderSpans } from '@podium/contract/office/calls-overview'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { choicesOf, ListFilters, usePlaceChoices } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { buttonClass } from '#ui/button.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { hideAfterSkeleton } from '#ui/skeleton.tsx'
import { type ReminderFiltering, ReminderList, stepWords, words } from './reminder-list.tsx'

/** Schools by next step and days left. One or several can be reminded here, or all written to. */
export function RemindersPage() {
  const t = words.use()
  const season = useSeason()
  return (
    <div className="overview stack gap-6" ref={hideAfterSkeleton}>
      <ReminderList
        head={(filters, tools) => {
          const { page: _, ...asked } = filters.values
          return (
            <>
              <PageHeader title={t('reminders')}>
                <ListDownloads
                  endpoint={exportReminderList}
                  of={t('reminders')}
                  bodyOf={(format) => ({ ...asked, FYear: season, format })}
                />
                <Link
                  to={officePaths.schoolMailings}
                  search={{ ...asked, list: 'reminders' }}
                  className={buttonClass('secondary')}>
                  {t('emailThem')}
                </Link>
              </PageHeader>
              <ReminderFilters filters={filters} tools={tools} />
            </>
          )
        }}
      />
    </div>
  )
}

const spans = reminderSpans.filter((span) => span !== 'over')

function ReminderFilters({ filters, tools }: { filters: ReminderFiltering; tools: ReactNode }) {
  const t = words.use()
  const all = t('any')
  const { states } = usePlaceChoices(filters.shown.state)
  return (
    <ListFilters
      filters={filters}
      fields={{
        search: { label: t('find'), placeholder: t('findHint') },
        step: { label: t('step'), all, choices: choicesOf(nextSteps, (step) => t(stepWords[step])) },
        state: { label: t('state'), all, choices: states },
        within: {
          label: t('within'),
          all,
          choices: [
            { value: 'over', label: t('over') },
            ...choicesOf(spans, (span) => t('days', { n: Number(span) })),
          ],
        },
      }}
      view={tools}
    />
  )
}
