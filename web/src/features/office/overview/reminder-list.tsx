import { whatsAppLink } from '@podium/contract/fields'
import { formatRupees } from '@podium/contract/money'
import {
  maxReminders,
  type ReminderRow,
  reminderList,
  seasonProgress,
  sendReminders,
} from '@podium/contract/office/calls-overview'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { count, Day, dayText, Moment, placeText, Rupees } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { defineWords } from '#shell/language/words.ts'
import { ListTable } from '#shell/list-table.tsx'
import { officePaths, paths } from '#shell/paths.ts'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { SchoolLink } from '#shell/record-links.tsx'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { WhatsApp } from '#ui/copyable.tsx'
import { lines } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import type en from '#words/en/office-overview.json'
import { overviewFilters } from '../filters.ts'
import './overview.css'

/** Translations of the office's overview. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/office-overview.json'))

/** Translation keys of the next steps of a school. */
export const stepWords = { enrol: 'enrol', pay: 'pay', 'choose-dates': 'choose' } as const

const countingPollInterval = 2_000
const minute = 60_000

/** The season's figures from the last count; polls while a new count runs. */
export const useProgress = (season: string) =>
  useQuery({
    ...endpointQuery(seasonProgress, { query: { FYear: season } }),
    refetchInterval: ({ state }) => (state.data?.counting ? countingPollInterval : minute),
  })

export type ReminderFiltering = ReturnType<typeof useFilters<typeof overviewFilters.readers>>

/** The overview's short list of schools with the least time left, with a link to all. */
export function FewReminders() {
  const t = words.use()
  return (
    <ReminderList
      few
      head={() => (
        <div className="overview-head">
          <h2 id="overview-reminders">{t('reminders')}</h2>
          <span className="overview-actions">
            <Link to={officePaths.schoolMailings} search={{ list: 'reminders' }}>
              {t('emailThem')}
            </Link>
            <Link to={officePaths.reminders}>{t('allReminders')}</Link>
          </span>
        </div>
      )}
    />
  )
}

const shownFew = 5

interface ReminderListProps {
  few?: boolean
  /** Renders the title and filters above the list */
  head: (filters: ReminderFiltering, tools: ReactNode) => ReactNode
}

export function ReminderList({ few = false, head }: ReminderListProps) {
  const t = words.use()
  const season = useSeason()
  const filters = useFilters(overviewFilters)
  const { page, ...asked } = filters.values
  const progress = useProgress(season)
  const { data, error, refetch, isPlaceholderData } = useEndpoint(reminderList, {
    query: { ...asked, FYear: season, page: String(page) },
    // Before the first count it is unknown whether anything has to be done.
    enabled: progress.isError || Boolean(progress.data?.figures),
  })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState<readonly number[]>()
  const disabledReason = useMay('reminders.send') ? undefined : t('mayNot')
  const { columns, tools } = useListView(
    'reminders',
    useReminderColumns(disabledReason, (row: ReminderRow) => setAsking([row.id])),
  )
  const returned = (data?.data ?? [])
    .filter(({ id }) => asking?.includes(id))
    .reduce((sum, { bounced }) => sum + bounced, 0)
  return (
    <section aria-labelledby={few ? 'overview-reminders' : undefined}>
      {head(filters, tools)}
      <ReminderTable
        list={{ data, error, refetch, isPlaceholderData }}
        few={few ? shownFew : undefined}
        filters={filters}
        selected={selected}
        onSelect={setSelected}
        disabledReason={disabledReason}
        columns={columns}
        bulk={
          <>
            <span>{t('chosen', { n: selected.size })}</span>
            <Button
              kind="primary"
              icon="mail"
              disabled={disabledReason}
              onClick={() => setAsking([...selected].map(Number))}>
              {t('remindMany', { n: selected.size })}
            </Button>
            <Link
              to={officePaths.schoolMailings}
              search={{ ids: [...selected].join(','), list: 'reminders' }}
              className={buttonClass('secondary')}>
              {t('emailThem')}
            </Link>
          </>
        }
      />
      {asking && (
        <ConfirmAction
          title={t('remindTitle', { n: asking.length })}
          action={t('remind')}
          act={() => call(sendReminders, { body: { FYear: season, ids: asking.slice(0, maxReminders) } })}
          invalidates={[reminderList]}
          done={({ sent: n, leftOut: left }) =>
            left === 0 ? t('sent', { n }) : t('sentLeftOut', { n, left })
          }
          onDone={() => {
            setSelected(new Set())
            setAsking(undefined)
          }}
          onClose={() => setAsking(undefined)}>
          <p>
            {t('remindHint')} {returned > 0 && t('remindReturned', { n: returned })}
          </p>
        </ConfirmAction>
      )}
    </section>
  )
}

interface Props {
  /** What the caller has read of the query: it redraws only who has read its fields. */
  list: Pick<
    ReturnType<typeof useEndpoint<typeof reminderList>>,
    'data' | 'error' | 'refetch' | 'isPlaceholderData'
  >
  /** Shows only this many rows, without selection and paging. */
  few?: number | undefined
  filters: ReminderFiltering
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  /** Why this role may not send reminders. */
  disabledReason: string | undefined
  columns: readonly Column<ReminderRow>[]
  bulk: ReactNode
}

/** Schools with their next step, least time left first. */
function ReminderTable({ list, few, filters, selected, onSelect, disabledReason, columns, bulk }: Props) {
  const t = words.use()
  const { data } = list
  const set = filters.countSet('search', 'step', 'state', 'within') > 0
  return (
    <ListTable
      list={list}
      caption={t('remindersCaption')}
      columns={columns.filter(({ key }) => key !== 'due' || data?.data.some(({ due }) => due !== null))}
      rows={data?.data.slice(0, few)}
      rowKey={(row) => String(row.id)}
      selection={
        disabledReason === undefined && few === undefined
          ? {
              selected,
              onChange: onSelect,
              selectable: (row) => row.can === true,
              name: (row) => row.schName,
            }
          : undefined
      }
      bulk={bulk}
      empty={
        <EmptyState
          icon="ok"
          title={t(set ? 'noReminders' : 'noRemindersAll')}
          actions={set && <Button onClick={filters.clear}>{t('clear')}</Button>}
        />
      }
      filters={few === undefined ? filters : undefined}
    />
  )
}

/** The school's page for each step, as linked in the reminder e-mails. */
const schoolPages = { enrol: paths.studentEntry, pay: paths.managePayment, 'choose-dates': paths.examDate }

/** Returns the columns of the list. */
function useReminderColumns(
  disabledReason: string | undefined,
  onRemind: (row: ReminderRow) => void,
): Column<ReminderRow>[] {
  const t = words.use()
  const season = useSeason()
  const textOf = ({ schName: school, step, until, due }: ReminderRow) => {
    const text = t(`whatsApp_${step}`, { school, season, amount: due === null ? '' : formatRupees(due) })
    const day = until === null ? '' : ` ${t('whatsAppUntil', { day: dayText(until) })}`
    return `${text}${day} ${location.origin}${schoolPages[step]}`
  }
  return columnsOf(t, [
    {
      key: 'school',
      title: true,
      cell: (row) =>
        lines(
          <SchoolLink id={row.id}>{row.schName}</SchoolLink>,
          `${row.schCode}, ${placeText(row.city, row.state)}`,
        ),
    },
    { key: 'step', card: 'wide', cell: (row) => t(stepWords[row.step]) },
    {
      key: 'left',
      cell: (row) => lines(<DaysLeft days={row.daysLeft} />, row.until !== null && <Day value={row.until} />),
    },
    { key: 'students', num: true, cell: (row) => count(row.students) },
    { key: 'due', label: t('feesDue'), num: true, cell: (row) => <Rupees amount={row.due} dash /> },
    {
      key: 'last',
      label: t('lastReminder'),
      card: 'wide',
      cell: (row) =>
        row.lastReminder === null ? (
          <span className="quiet">{t('never')}</span>
        ) : (
          lines(<Moment value={row.lastReminder.at} />, t('by', { name: row.lastReminder.by }))
        ),
    },
    {
      key: 'act',
      label: t('remind'),
      act: true,
      cell: (row) => (
        <span className="row inline">
          <Button
            className="sm"
            icon="mail"
            aria-label={t('remindOf', { name: row.schName })}
            disabled={disabledReason ?? (row.can === true ? undefined : t(row.can))}
            onClick={() => onRemind(row)}>
            {t('remind')}
          </Button>
          {disabledReason === undefined && (
            <WhatsApp href={whatsAppLink(row.phone, textOf(row))} name={row.schName} newTab={t('newTab')} />
          )}
        </span>
      ),
    },
  ])
}

/** Days left as text; late ones are marked. */
function DaysLeft({ days }: { days: number | null }) {
  const t = words.use()
  if (days === null) return <span className="quiet">{t('noDay')}</span>
  if (days < 0) return <Badge kind="rejected">{t('overBy', { n: -days })}</Badge>
  if (days === 0) return <Badge kind="waiting">{t('today')}</Badge>
  return days <= 7 ? <Badge kind="waiting">{t('leftOf', { n: days })}</Badge> : t('leftOf', { n: days })
}
