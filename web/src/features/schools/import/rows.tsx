import {
  decideSchoolImport,
  type ImportDecision,
  type ImportRowState,
  importDecisions,
  importFields,
  importRowStates,
  schoolImport,
  schoolImportRows,
} from '@podium/contract/schools/calls-import'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { nothing } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { ListTable } from '#shell/list-table.tsx'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { SchoolLink } from '#shell/record-links.tsx'
import { useAction } from '#shell/use-action.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { EmptyState } from '#ui/note.tsx'
import type en from '#words/en/schools-import.json'
import { importFilters } from '../filters.ts'

export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-import.json'))

export type SchoolImport = Answer<typeof schoolImport>

const pollInterval = 1_500

/** Loads the open file and polls while it is being processed. */
export function useImport(id: string) {
  return useQuery({
    ...endpointQuery(schoolImport, { query: { id } }),
    enabled: id !== '',
    refetchInterval: ({ state }) =>
      state.data?.state === 'checking' || state.data?.state === 'importing' ? pollInterval : false,
  })
}

type ImportRow = Answer<typeof schoolImportRows>['data'][number]

/** The rows of a file by state; for possible duplicates the officer decides. */
export function ImportRows({ id, current }: { id: string; current: SchoolImport }) {
  const t = words.use()
  const translate = useSentences()
  const filters = useFilters(importFilters)
  const { state: requestedState, page } = filters.values
  // For an imported file the created schools come first.
  const order = current.state === 'done' ? importRowStates.toReversed() : importRowStates
  const state =
    current.counts[requestedState] > 0
      ? requestedState
      : (order.find((name) => current.counts[name] > 0) ?? requestedState)
  const list = useEndpoint(schoolImportRows, { query: { id, state, page: String(page) } })
  const { act, busy } = useAction('all')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const decide = (rows: number[], decision: ImportDecision) =>
    act(() => call(decideSchoolImport, { body: { id, rows, decision } })).then((isDone) => {
      if (isDone) setChosen((now) => new Set([...now].filter((row) => !rows.includes(Number(row)))))
    })
  const columns = useRowColumns(state, translate, (row, decision) => void decide([row], decision))
  const shown = importRowStates.filter((name) => name === state || current.counts[name] > 0)
  return (
    <section className="stack">
      <h2>{t(current.state === 'done' ? 'rowsDone' : 'rowsTitle')}</h2>
      <div>
        <Segmented
          label={t('rowsTitle')}
          value={state}
          choices={shown.map((name) => ({
            value: name,
            label: t(`rows_${name}`, { n: current.counts[name] }),
          }))}
          onChange={(chosen) => filters.change({ state: chosen as ImportRowState })}
        />
        <p className="hint">{t(`hint_${state}`)}</p>
      </div>
      <ListTable
        list={list}
        filters={filters}
        caption={t(`rows_${state}`, { n: current.counts[state] })}
        columns={columns}
        rowKey={({ row }) => String(row)}
        empty={<EmptyState title={t('nothingHere')} />}
        {...(state === 'likely'
          ? {
              selection: { selected: chosen, onChange: setChosen, name: (row: ImportRow) => row.schName },
              bulk: (
                <>
                  <b>{t('chosen', { n: chosen.size })}</b>
                  {importDecisions.map((decision) => (
                    <Button
                      key={decision}
                      busy={busy}
                      onClick={() => void decide([...chosen].map(Number), decision)}>
                      {t(decision)}
                    </Button>
                  ))}
                </>
              ),
            }
          : {})}
      />
    </section>
  )
}

function useRowColumns(
  state: ImportRowState,
  translate: (text: string) => string,
  decide: (row: number, decision: ImportDecision) => void,
): Column<ImportRow>[] {
  const t = words.use()
  const titleOf = (field: string) => {
    const importField = importFields.find((name) => name === field)
    return importField ? `${t(importField)}: ` : ''
  }
  const columns: Column<ImportRow>[] = columnsOf(t, [
    { key: 'row', num: true, cell: ({ row }) => row },
    { key: 'name', title: true, cell: ({ schName }) => schName || nothing },
    { key: 'place', cell: ({ place }) => place },
  ])
  if (state === 'faulty')
    columns.push({
      key: 'faults',
      label: t('faults'),
      card: 'wide',
      cell: ({ faults }) =>
        faults.map(({ field, message }) => `${titleOf(field)}${translate(message)}`).join(' '),
    })
  if (state !== 'faulty' && state !== 'new')
    columns.push({
      key: 'school',
      label: t(state === 'likely' ? 'rowAlike' : state === 'created' ? 'createdAs' : 'knownAs'),
      card: 'wide',
      cell: ({ school, alike: similar }) => (
        <>
          {state === 'likely' && <span className="under">{t('alike', { n: similar.length })}</span>}
          {(state !== 'likely' && school ? [{ ...school, row: null }] : similar).map((candidate) => (
            <span key={`${candidate.id}.${candidate.row}`} className="block">
              {candidate.id === null ? (
                t('fileRow', { n: candidate.row ?? 0, name: candidate.schName })
              ) : (
                <SchoolLink id={candidate.id}>{candidate.schName}</SchoolLink>
              )}
              <span className="under">{[candidate.schCode, candidate.place].filter(Boolean).join(', ')}</span>
            </span>
          ))}
        </>
      ),
    })
  if (state === 'likely')
    columns.push({
      key: 'decision',
      label: t('decision'),
      card: 'wide',
      cell: ({ row, decision, schName }) => (
        <Segmented
          label={t('decisionOf', { name: schName })}
          value={decision}
          choices={importDecisions.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => value !== '' && decide(row, value)}
        />
      ),
    })
  return columns
}
