import type { AnswerOf } from '@podium/contract/endpoint'
import type { resultAnomalies } from '@podium/contract/results/calls-anomalies'
import { count, Moment } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import type { Column } from '#ui/data-table-types.ts'
import type { officeWords } from '../words-office.ts'

export type Anomaly = AnswerOf<typeof resultAnomalies>['data'][number]

/** Where in the file, whose row, what was found, what was done with it, and why that was accepted. */
export function anomalyColumns(
  t: ReturnType<typeof officeWords.use>,
  onCorrect: { disabled: false | string; press: (row: Anomaly) => void },
  onReopen?: { disabled: false | string; press: (row: Anomaly) => void },
): Column<Anomaly>[] {
  return [
    {
      key: 'roll',
      label: t('rollNo'),
      title: true,
      cell: (row) => <span className="nowrap">{row.nioRollNo || '–'}</span>,
    },
    {
      key: 'row',
      label: t('row'),
      num: true,
      cell: (row) => (row.rowNo > 0 ? count(row.rowNo) : <span className="quiet">–</span>),
    },
    {
      key: 'kind',
      label: t('kind'),
      card: 'wide',
      cell: (row) =>
        row.blocking && !row.resolved ? (
          <Badge kind="doubt">{t(`kind_${row.kind}`)}</Badge>
        ) : (
          t(`kind_${row.kind}`)
        ),
    },
    {
      key: 'found',
      label: t('found'),
      card: 'wide',
      cell: ({ column, value, note }) => (
        <>
          {column ? `${column}: ${value || t('emptyCell')}` : value}
          <span className="under">{translateSentence(note)}</span>
        </>
      ),
    },
    { key: 'treatment', label: t('treatment'), cell: (row) => t(row.treatment) },
    {
      key: 'resolution',
      label: t('resolution'),
      card: 'wide',
      cell: (row) => (
        <div className="res-resolved">
          {row.resolved ? (
            <>
              {row.resolution}
              <span className="under">
                {t('byFact', { name: row.resolvedBy })}, <Moment value={row.resolvedAt} />
              </span>
            </>
          ) : (
            row.reopened.length === 0 && <span className="quiet">–</span>
          )}
          {row.reopened.toReversed().map((past) => (
            <span key={past.reopenedAt} className="under res-past">
              {t('wasDecided', { resolution: past.resolution })}
              <span>
                {t('byFact', { name: past.by })}, <Moment value={past.at} />
              </span>
              {t('wasReopened', { reason: past.reason })}
              <span>
                {t('byFact', { name: past.reopenedBy })}, <Moment value={past.reopenedAt} />
              </span>
            </span>
          ))}
        </div>
      ),
    },
    {
      key: 'correct',
      label: t('rowCorrect'),
      act: true,
      cell: (row: Anomaly) =>
        !row.resolved && (
          <Button
            kind="text"
            disabled={onCorrect.disabled}
            aria-label={`${t('rowCorrect')}: ${row.nioRollNo || count(row.rowNo)}`}
            onClick={() => onCorrect.press(row)}
          >
            {t('rowCorrect')}
          </Button>
        ),
    },
    ...(onReopen
      ? [
          {
            key: 'reopen',
            label: t('reopen'),
            act: true,
            cell: (row: Anomaly) =>
              row.resolved && (
                <Button
                  kind="text"
                  disabled={onReopen.disabled}
                  aria-label={`${t('reopen')}: ${row.nioRollNo || count(row.rowNo)}`}
                  onClick={() => onReopen.press(row)}
                >
                  {t('reopen')}
                </Button>
              ),
          },
        ]
      : []),
  ]
}
