import type { AnswerOf } from '@podium/contract/endpoint'
import {
  type AnomalyKind,
  exportAnomalies,
  resultAnomalies,
} from '@podium/contract/results/calls-corrections'
import type { ResultSet } from '@podium/contract/results/calls-office'
import { useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { count, Moment, nothing } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { ListTable } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, Segmented } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import type { Anomaly, OfficeEvent } from '../office-event.ts'
import { officeFilters } from '../office-filters.ts'
import { officeWords, useReason } from '../office-parts.tsx'
import '#ui/filters.css'

const formats = ['csv', 'xlsx'] as const

/** Downloads the filtered anomalies as a file, for whoever corrects the marks. */
function FaultFiles(asked: { setId: number; kind: AnomalyKind | undefined; open: boolean | undefined }) {
  const t = officeWords.use()
  const { busy, fetchFile } = useDownloads<'csv' | 'xlsx'>()
  return (
    <div className="acts res-lead">
      {formats.map((format) => (
        <Button
          key={format}
          icon="download"
          busy={busy === format}
          onClick={() => void fetchFile(format, exportAnomalies, { body: { ...asked, format } })}>
          {t(format === 'csv' ? 'faultsCsv' : 'faultsXlsx')}
        </Button>
      ))}
    </div>
  )
}

const ResolveDialog = lazyDialog(() => import('./dialogs.tsx'), 'ResolveDialog')
const ReopenDialog = lazyDialog(() => import('./dialogs.tsx'), 'ReopenDialog')
const RowDialog = lazyDialog(() => import('../corrections/dialogs.tsx'), 'RowDialog')
const pageSize = 50

/** The anomalies in a file, counted by kind. They are resolved one at a time, several at once or a whole kind. */
export function AnomaliesStep({ of, set }: { of: OfficeEvent; set: ResultSet }) {
  const t = officeWords.use()
  const reason = useReason()
  const { values, shown, change } = useFilters(officeFilters)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [resolving, setResolving] = useState<{ anomalyIds?: number[]; n: number }>()
  const [reopening, setReopening] = useState<number[]>()
  const [correcting, setCorrecting] = useState<Anomaly>()
  const page = Math.max(values.page, 1)
  const anomalies = useEndpoint(resultAnomalies, {
    query: {
      setId: String(set.setId),
      kind: values.kind || undefined,
      open: values.all ? undefined : 'true',
      page: String(page),
      pageSize: String(pageSize),
    },
  })
  if (anomalies.error && !anomalies.data)
    return <LoadProblem error={anomalies.error} retry={anomalies.refetch} />
  const kinds = anomalies.data?.kinds ?? []
  const ofKind = kinds.find(({ kind }) => kind === values.kind)
  const closed = set.state === 'imported' ? false : reason('results.wrong_state')
  const done = () => {
    setSelected(new Set())
    setResolving(undefined)
    setReopening(undefined)
    setCorrecting(undefined)
  }
  return (
    <>
      <KindsPanel
        kinds={anomalies.data?.kinds}
        chosen={values.kind}
        onChoose={(kind) => change({ kind })}
        setId={set.setId}
        open={values.all ? undefined : true}
      />
      {kinds.length > 0 && (
        <div>
          <div className="filters">
            <SelectField
              label={t('kind')}
              className="mid"
              empty={t('allKinds')}
              choices={kinds.map(({ kind }) => ({ value: kind, label: t(`kind_${kind}`) }))}
              value={shown.kind}
              onChange={(changed) => {
                const kind = kinds.find((item) => item.kind === changed.currentTarget.value)?.kind
                change({ kind: kind ?? '' })
              }}
            />
            <Segmented
              label={t('show')}
              value={shown.all || 'open'}
              choices={[
                { value: 'open', label: t('onlyOpen') },
                { value: 'yes', label: t('withResolved') },
              ]}
              onChange={(value) => change({ all: value === 'yes' ? 'yes' : '' })}
            />
            {ofKind && ofKind.open > 0 && (
              <div className="push">
                <Button disabled={closed} onClick={() => setResolving({ n: ofKind.open })}>
                  {t('resolveKind', { n: ofKind.open })}
                </Button>
              </div>
            )}
          </div>
          <ListTable
            list={anomalies}
            caption={t('anomaliesCaption', { n: set.version })}
            rowKey={(row) => String(row.anomalyId)}
            columns={anomalyColumns(
              t,
              { disabled: closed || reason(of.can.import), press: setCorrecting },
              values.all === 'yes'
                ? {
                    disabled: reason(anomalies.data?.reopen ?? true),
                    press: (row) => setReopening([row.anomalyId]),
                  }
                : undefined,
            )}
            empty={<EmptyState icon="ok">{t('anomaliesNoneOpen')}</EmptyState>}
            cardColumns={2}
            selection={{
              selected,
              onChange: setSelected,
              selectable: (row) => !row.resolved && closed === false,
              name: (row) => `${row.nioRollNo} ${t(`kind_${row.kind}`)}`,
            }}
            bulk={
              <>
                <span>{t('selected', { n: selected.size })}</span>
                <Button onClick={() => setSelected(new Set())}>{t('unselect')}</Button>
                <Button
                  kind="primary"
                  onClick={() => setResolving({ anomalyIds: [...selected].map(Number), n: selected.size })}>
                  {t('resolveSelected', { n: selected.size })}
                </Button>
              </>
            }
            paging={{
              total: anomalies.data?.total ?? 0,
              page,
              size: pageSize,
              onPage: (next) => change({ page: next }),
            }}
          />
        </div>
      )}
      {correcting && (
        <RowDialog
          event={of.event}
          setId={set.setId}
          row={correcting}
          onClose={() => setCorrecting(undefined)}
          onDone={done}
        />
      )}
      {reopening && (
        <ReopenDialog
          set={set}
          anomalyIds={reopening}
          onClose={() => setReopening(undefined)}
          onDone={done}
        />
      )}
      {resolving && (
        <ResolveDialog
          setId={set.setId}
          kind={resolving.anomalyIds ? undefined : values.kind || undefined}
          anomalyIds={resolving.anomalyIds}
          n={resolving.n}
          onClose={() => setResolving(undefined)}
          onDone={done}
        />
      )}
    </>
  )
}

interface KindsPanelProps {
  /** Undefined while loading. */
  kinds: AnswerOf<typeof resultAnomalies>['kinds'] | undefined
  chosen: AnomalyKind | ''
  onChoose: (kind: AnomalyKind | '') => void
  setId: number
  open: true | undefined
}

/** How many anomalies of each kind there are, the kind to list, and the listed ones as a file. */
function KindsPanel({ kinds, chosen, onChoose, setId, open }: KindsPanelProps) {
  const t = officeWords.use()
  return (
    <Panel title={t('anomalies')} padded={false}>
      <p className="res-lead">{kinds?.length === 0 ? t('anomaliesNone') : t('anomaliesHint')}</p>
      {kinds && kinds.length > 0 && (
        <>
          <FaultFiles setId={setId} kind={chosen || undefined} open={open} />
          <DataTable
            caption={t('kindsCaption')}
            className="inset"
            compact
            rows={kinds}
            rowKey={(row) => row.kind}
            columns={[
              {
                key: 'kind',
                label: t('kind'),
                title: true,
                cell: (row) => (
                  <button
                    type="button"
                    className="lk"
                    aria-pressed={row.kind === chosen}
                    onClick={() => onChoose(row.kind === chosen ? '' : row.kind)}>
                    {t(`kind_${row.kind}`)}
                  </button>
                ),
              },
              {
                key: 'blocking',
                label: t('blocking'),
                cell: (row) =>
                  row.blocking && row.open > 0 ? (
                    <Badge kind="doubt">{t('blocking')}</Badge>
                  ) : (
                    <span className="quiet">{row.blocking ? t('noneOpen') : t('notBlocking')}</span>
                  ),
              },
              { key: 'open', label: t('open'), num: true, cell: (row) => row.open },
              { key: 'all', label: t('count'), num: true, cell: (row) => row.all },
            ]}
          />
        </>
      )}
    </Panel>
  )
}

/** Returns the columns: position in the file, student, anomaly, how it was handled and why that was accepted. */
function anomalyColumns(
  t: ReturnType<typeof officeWords.use>,
  onCorrect: { disabled: false | string; press: (row: Anomaly) => void },
  onReopen?: { disabled: false | string; press: (row: Anomaly) => void },
): Column<Anomaly>[] {
  return columnsOf(t, [
    {
      key: 'roll',
      label: t('rollNo'),
      title: true,
      cell: (row) => <span className="nowrap">{row.nioRollNo || nothing}</span>,
    },
    { key: 'row', num: true, cell: (row) => (row.rowNo > 0 ? count(row.rowNo) : nothing) },
    {
      key: 'kind',
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
      card: 'wide',
      cell: ({ column, value, note }) =>
        lines(column ? `${column}: ${value || t('emptyCell')}` : value, translateSentence(note)),
    },
    { key: 'treatment', cell: (row) => t(row.treatment) },
    {
      key: 'resolution',
      card: 'wide',
      cell: (row) => (
        <div className="res-resolved">
          {row.resolved
            ? lines(
                row.resolution,
                <>
                  {t('byFact', { name: row.resolvedBy })}, <Moment value={row.resolvedAt} />
                </>,
              )
            : row.reopened.length === 0 && nothing}
          {row.reopened.toReversed().map((past) => (
            <span key={past.reopenedAt} className="under res-past">
              {t('wasDecided', { resolution: past.resolution })}
              <span className="block">
                {t('byFact', { name: past.by })}, <Moment value={past.at} />
              </span>
              {t('wasReopened', { reason: past.reason })}
              <span className="block">
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
            onClick={() => onCorrect.press(row)}>
            {t('rowCorrect')}
          </Button>
        ),
    },
    onReopen && {
      key: 'reopen',
      act: true,
      cell: (row) =>
        row.resolved && (
          <Button
            kind="text"
            disabled={onReopen.disabled}
            aria-label={`${t('reopen')}: ${row.nioRollNo || count(row.rowNo)}`}
            onClick={() => onReopen.press(row)}>
            {t('reopen')}
          </Button>
        ),
    },
  ])
}
