import { decidePapers, type Paper, resultPapers } from '@podium/contract/results/calls-paper-comparison'
import { type FormEvent, useState } from 'react'
import { count, Day, Moment } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint, useEndpointMutation, useInvalidate } from '#shell/query.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { useReason } from '../allowed.ts'
import { shownOfEvents } from '../office-event.ts'
import { Problem } from '../problem.tsx'
import { officeWords } from '../words-office.ts'

interface Line extends Paper {
  key: string
  className: string
  differs: boolean
  effect: number | null
  /** The first line of its class, which alone names it. */
  first: boolean
}

const figures = ['mean', 'p10', 'lower', 'median', 'upper', 'p90'] as const

/** The papers of an event's dates beside each other; where they differ, the decision. Nothing where all sat on one date. */
export function Papers({ setId }: { setId: number }) {
  const t = officeWords.use()
  const { data, error, refetch } = useEndpoint(resultPapers, { query: { setId: String(setId) } })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data || data.classes.length === 0) return null
  const rows = data.classes.flatMap(({ className, classId, papers, differs, effect }) =>
    papers.map(
      (paper, at): Line => ({
        ...paper,
        key: `${classId} ${paper.ordinal}`,
        className,
        differs,
        effect,
        first: at === 0,
      }),
    ),
  )
  const columns: Column<Line>[] = [
    {
      key: 'class',
      label: t('class'),
      title: true,
      cell: (row) => (
        <>
          {translateSentence(row.className)}
          <span className="under">
            {t('paperNo', { n: row.ordinal })}, <Day value={row.heldOn} />
          </span>
        </>
      ),
    },
    {
      key: 'hint',
      label: t('paperHint'),
      cell: (row) => {
        if (!row.first) return null
        if (row.effect === null) return <span className="quiet">{t('papersFew')}</span>
        return row.differs ? (
          <Badge kind="doubt">{t('papersApart')}</Badge>
        ) : (
          <span className="quiet">{t('papersAlike')}</span>
        )
      },
    },
    { key: 'sat', label: t('present'), num: true, cell: (row) => count(row.sat) },
    { key: 'schools', label: t('schools'), num: true, cell: (row) => count(row.schools) },
    ...figures.map(
      (key): Column<Line> => ({ key, label: t(key), num: true, cell: (row) => row[key].toFixed(1) }),
    ),
  ]
  return (
    <Panel title={t('papersTitle')} padded={false}>
      <div className="res-lead stack">
        <p>{t('papersSay')}</p>
        {data.decision && (
          <Note kind="ok">
            {data.decision.note} <span className="under">{t('byFact', { name: data.decision.by })}, </span>
            <Moment value={data.decision.at} />
          </Note>
        )}
        {data.differ && !data.decision && <Decide setId={setId} seen={data.seen} allowed={data.canDecide} />}
      </div>
      <DataTable
        caption={t('papersCaption')}
        className="inset"
        compact
        rows={rows}
        rowKey={(row) => row.key}
        columns={columns}
        cardColumns={2}
      />
    </Panel>
  )
}

function Decide({ setId, seen, allowed }: { setId: number; seen: string; allowed: true | string }) {
  const t = officeWords.use()
  const reason = useReason()
  const renewEvent = useInvalidate(shownOfEvents)
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const decide = useEndpointMutation(decidePapers, {
    invalidates: [resultPapers],
    onSettled: renewEvent,
    onSuccess: () => toast.success(t('papersDecided')),
  })
  const off = reason(allowed)
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    setTried(true)
    if (note.trim() !== '' && !off) decide.mutate({ body: { setId, seen, note } })
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Note kind="due">{t('papersOpen')}</Note>
      <TextArea
        label={t('papersWhy')}
        value={note}
        maxLength={500}
        error={tried && note.trim() === '' ? t('noteMissing') : undefined}
        onChange={(changed) => setNote(changed.currentTarget.value)}
      />
      <Problem error={decide.error} />
      <div>
        <Button type="submit" kind="primary" busy={decide.isPending} disabled={off}>
          {t('papersStand')}
        </Button>
        {off && <p className="hint">{off}</p>}
      </div>
    </form>
  )
}
