import { exportDays } from '@podium/contract/ledger/calls-closing'
import { istDay } from '@podium/contract/season'
import type { useFilters } from '#shell/filters.ts'
import { ListDownloads } from '#shell/saved-views/list-downloads.tsx'
import { Panel } from '#ui/panel.tsx'
import { DateField } from '#ui/text-field.tsx'
import type { closingFilters } from '../filters.ts'
import { words } from '../words.ts'

interface JournalProps {
  filters: ReturnType<typeof useFilters<typeof closingFilters.readers>>
}

/** Every decision upon money between two days, for the accountant. */
export function Journal({ filters }: JournalProps) {
  const t = words.use()
  const today = istDay(new Date())
  const from = filters.shown.from || `${today.slice(0, 7)}-01`
  const until = filters.shown.until || today
  // A day that is half typed is none: the one before stays.
  const change = (days: { from?: string; until?: string }) => {
    if (!Object.values(days).includes('')) filters.change(days)
  }
  return (
    <Panel title={t('journal')} className="money-journal">
      <p className="quiet">{t('journalSays')}</p>
      <div className="grid">
        <DateField
          className="c3"
          label={t('from')}
          value={from}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <DateField
          className="c3"
          label={t('until')}
          value={until}
          onChange={(event) => change({ until: event.currentTarget.value })}
        />
      </div>
      <div className="acts">
        <ListDownloads endpoint={exportDays} bodyOf={(format) => ({ from, until, format })} />
      </div>
    </Panel>
  )
}
