import {
  type WhatIfChild,
  type WhatIfField,
  type WhatIfOutcome,
  whatIfState,
} from '@podium/contract/results/calls-what-if'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { count } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { endpointQuery } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { rulesWords } from './values.ts'

const pollInterval = 700

/** What other rules would have changed last season, event by event, with the progress while it is computed. */
export function Trial({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const t = rulesWords.use()
  const translate = useSentences()
  const { data, error, refetch } = useQuery({
    ...endpointQuery(whatIfState, { query: { jobId } }),
    refetchInterval: (query) => {
      const state = query.state.data?.job.state
      return state === 'waiting' || state === 'running' || state === undefined ? pollInterval : false
    },
  })
  const [open, setOpen] = useState<number>()
  const top = useRef<HTMLDivElement>(null)
  const isLoaded = data !== undefined
  // The buttons that start a trial are far above its result.
  useEffect(() => {
    if (isLoaded) top.current?.scrollIntoView({ block: 'start' })
  }, [isLoaded])
  const columns = useColumns(open, setOpen)
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="table" rows={3} />
  const { job, events } = data
  const shown =
    events.find(({ eventYearId }) => eventYearId === open) ?? (events.length === 1 ? events[0] : undefined)
  const runs = job.state === 'waiting' || job.state === 'running'
  return (
    <div ref={top} className="stack cat-trial" aria-live="polite">
      <Panel
        title={t('trial', { season: events[0]?.FYear ?? '' })}
        aside={
          <Button kind="text" onClick={onClose}>
            {t('stop')}
          </Button>
        }>
        {runs && (
          <ProgressBar label={t('trying')} total={Math.max(job.total, 1)} done={job.done}>
            {t('tried', { n: events.length })}
          </ProgressBar>
        )}
        {job.state === 'failed' && <Note kind="bad">{translate(job.error ?? '')}</Note>}
        {job.state === 'done' && events.every(({ touched }) => touched === 0) && (
          <Note kind="ok">{t('nobody')}</Note>
        )}
      </Panel>
      {events.length > 0 && (
        <DataTable
          caption={t('trial', { season: events[0]?.FYear ?? '' })}
          columns={columns}
          rows={events}
          rowKey={({ eventYearId }) => String(eventYearId)}
          cardColumns={2}
        />
      )}
      {shown && shown.children.length > 0 && <ChangedStudents outcome={shown} />}
    </div>
  )
}

const shownTallies = [
  ['medal', 'medalsOf'],
  ['prize', 'prizesOf'],
  ['award', 'awardsOf'],
  ['nextLevel', 'invited'],
] as const

function useColumns(open: number | undefined, onOpen: (id: number) => void): Column<WhatIfOutcome>[] {
  const t = rulesWords.use()
  const tallies = shownTallies.map(
    ([field, word]): Column<WhatIfOutcome> => ({
      key: field,
      label: t(word),
      num: true,
      cell: ({ [field]: tally }) => (
        <>
          <span className="nowrap">
            {t('tally', { before: count(tally.before), after: count(tally.after) })}
          </span>
          {tally.gained + tally.lost + tally.changed > 0 && (
            <span className="under nowrap">
              <span aria-hidden="true">
                {t('rankChanges', { gained: tally.gained, lost: tally.lost, changed: tally.changed })}
              </span>
              <span className="sr">{t('rankChangesSpoken', { ...tally })}</span>
            </span>
          )}
        </>
      ),
    }),
  )
  return columnsOf(t, [
    {
      key: 'subject',
      title: true,
      cell: (row) =>
        row.children.length > 0 ? (
          <button
            type="button"
            className="lk"
            aria-pressed={row.eventYearId === open}
            onClick={() => onOpen(row.eventYearId)}>
            {row.subjectName}
          </button>
        ) : (
          row.subjectName
        ),
    },
    { key: 'touched', num: true, strong: true, cell: (row) => count(row.touched) },
    { key: 'ranks', num: true, cell: (row) => count(row.ranks) },
    ...tallies,
  ])
}

const fieldWords = {
  medal: 'fieldMedal',
  prize: 'fieldPrize',
  award: 'fieldAward',
  nextLevel: 'fieldNextLevel',
} as const satisfies Record<WhatIfField, string>

function ChangedStudents({ outcome }: { outcome: WhatIfOutcome }) {
  const t = rulesWords.use()
  const valueText = (field: WhatIfField, value: string) => {
    if (value === '') return t('nothing')
    if (field === 'nextLevel') return t('yes')
    return field === 'medal' ? t(value as 'Gold' | 'Silver' | 'Bronze') : value
  }
  const rank = (of: number | null) => (of === null ? '–' : count(of))
  const columns: Column<WhatIfChild>[] = columnsOf(t, [
    {
      key: 'child',
      title: true,
      cell: (row) => (
        <>
          {row.studentName}
          <span className="under num">{row.examRollNo}</span>
        </>
      ),
    },
    { key: 'class', cell: (row) => translateSentence(row.className) },
    { key: 'school', card: 'wide', cell: (row) => row.schName },
    {
      key: 'rank',
      num: true,
      cell: (row) => (row.rank === row.newRank ? rank(row.rank) : `${rank(row.rank)} → ${rank(row.newRank)}`),
    },
    {
      key: 'difference',
      card: 'wide',
      cell: (row) => (
        <ul>
          {row.changes.map(({ field, from, to }) => (
            <li key={field}>
              {t(fieldWords[field])}: {valueText(field, from)} → <b>{valueText(field, to)}</b>
            </li>
          ))}
        </ul>
      ),
    },
  ])
  const title = t('children', { subject: outcome.subjectName })
  return (
    <div>
      <div className="row gap-4 mb-3">
        <h2>{title}</h2>
        {outcome.touched > outcome.children.length && (
          <span className="quiet">
            {t('firstOf', { n: outcome.children.length, all: count(outcome.touched) })}
          </span>
        )}
      </div>
      <DataTable
        caption={title}
        columns={columns}
        rows={outcome.children}
        rowKey={(row) => row.examRollNo}
        cardColumns={2}
      />
    </div>
  )
}
