import { type ResultChange, resultCorrections } from '@podium/contract/results/calls-corrections'
import { dayText } from '#shell/format.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Note } from '#ui/note.tsx'
import { words } from '../words.ts'
import { ChangedResults } from './changed-results.tsx'

/** The corrections of a subject that changed results of the own school: when, why, whose; nothing where there is none. */
export function SchoolCorrections({ eventYearId }: { eventYearId: number }) {
  const { data } = useEndpoint(resultCorrections, { query: { eventYearId: String(eventYearId) } })
  return <Corrections rows={data?.data ?? []} />
}

interface Correction {
  version: number
  reason: string
  /** Null before its release. */
  releasedAt: string | null
  changes: readonly ResultChange[]
  count: number
}

/** Corrections as a school reads them. */
export function Corrections({ rows }: { rows: readonly Correction[] }) {
  const t = words.use()
  return rows.map(({ version, reason, releasedAt, changes, count }) => (
    <section key={version} className="stack" aria-label={t('correctedCaption', { n: version })}>
      <Note kind="due">
        {releasedAt === null
          ? t('correctedSoon', { n: version, reason })
          : t('correctedOn', { day: dayText(releasedAt), n: version, reason })}
      </Note>
      <details className="res-changed no-print">
        <summary>{t('correctedShow', { n: count })}</summary>
        <p className="hint">{t('correctedCertificates')}</p>
        <ChangedResults caption={t('correctedCaption', { n: version })} rows={changes} />
      </details>
    </section>
  ))
}
