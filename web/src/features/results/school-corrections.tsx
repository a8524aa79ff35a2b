import { resultCorrections } from '@podium/contract/results-corrections'
import { dayText } from '#shell/format.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Note } from '#ui/note.tsx'
import { ChangedResults } from './changed-results.tsx'
import { words } from './words.ts'

/** The corrections of a subject that changed results of the own school: when, why, whose; nothing where there is none. */
export function SchoolCorrections({ eventYearId }: { eventYearId: number }) {
  const t = words.use()
  const { data } = useEndpoint(resultCorrections, { query: { eventYearId: String(eventYearId) } })
  return data?.data.map(({ version, reason, releasedAt, changes, count }) => (
    <Note key={version} kind="due">
      <p>{t('correctedOn', { day: dayText(releasedAt), n: version, reason })}</p>
      <details className="no-print">
        <summary>{t('correctedShow', { n: count })}</summary>
        <ChangedResults caption={t('correctedCaption', { n: version })} rows={changes} />
        <p className="hint">{t('correctedCertificates')}</p>
      </details>
    </Note>
  ))
}
