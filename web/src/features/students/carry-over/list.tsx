import type { CarryRow } from '@podium/contract/students/calls-carry-over'
import { useState } from 'react'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { CarryBar } from './bar.tsx'
import { CarryClassGroup } from './class.tsx'
import type { Carry, CarryPreview } from './data.ts'
import { CarryLeft } from './left.tsx'
import { carryTotals, classesOf, needsLook, nothingDecided } from './state.ts'
import { carryWords } from './words.ts'

interface CarryListProps {
  season: string
  carry: Carry
  found: CarryPreview
}

const changedCodes = ['changed_meanwhile', 'enrolment.amounts_changed']

/** The figures, the options for all, the classes one below the other, who stays behind, and the bar that confirms. */
export function CarryList({ season, carry, found }: CarryListProps) {
  const t = carryWords.use()
  const say = useSentences()
  const [only, setOnly] = useState<'all' | 'look'>('all')
  const { choice, decide, problem } = carry
  const totals = carryTotals(found.rows, choice)
  const groups = classesOf(found.rows)
  const shown = groups.filter(({ rows }) => only === 'all' || rows.some(needsLook))
  const of = (state: CarryRow['state']) => found.rows.filter((row) => row.state === state)
  const { options } = choice
  const asLastYear = [
    { value: 'same' as const, label: t('asLastYear') },
    { value: 'none' as const, label: t('noneChosen') },
  ]
  return (
    <div className="cy" aria-busy={carry.stale || undefined}>
      {problem && (
        <Note kind="bad">
          {say(problem.message)} {changedCodes.includes(problem.code) && t('changed')}
        </Note>
      )}
      {groups.length === 0 && <Note kind="ok">{t('allThere', { from: found.fromSeason })}</Note>}
      <Panel>
        <div className="cy-top">
          <Figures totals={totals} />
          {groups.length > 0 && (
            <div className="cy-options">
              <div>
                <span className="cy-lab" aria-hidden="true">
                  {t('subjects')}
                </span>
                <Segmented
                  label={t('subjects')}
                  value={options.subjects}
                  choices={asLastYear}
                  onChange={(subjects) => decide({ ...choice, options: { ...options, subjects } })}
                />
              </div>
              <div>
                <span className="cy-lab" aria-hidden="true">
                  {t('books')}
                </span>
                <Segmented
                  label={t('books')}
                  value={options.books}
                  choices={asLastYear}
                  onChange={(books) => decide({ ...choice, options: { ...options, books } })}
                />
              </div>
              {totals.look > 0 && (
                <div>
                  <span className="cy-lab" aria-hidden="true">
                    {t('show')}
                  </span>
                  <Segmented
                    label={t('show')}
                    value={only}
                    choices={[
                      { value: 'all', label: t('showAll') },
                      { value: 'look', label: t('showLook') },
                    ]}
                    onChange={setOnly}
                  />
                </div>
              )}
              {choice !== nothingDecided && (
                <Button kind="text" icon="undo" onClick={() => decide(nothingDecided)}>
                  {t('discard')}
                </Button>
              )}
            </div>
          )}
        </div>
      </Panel>
      {shown.map((group) => (
        <CarryClassGroup
          key={`${group.classId} ${only}`}
          group={group}
          onlyLook={only === 'look'}
          offer={found.offers.find(({ classId }) => classId === group.classId)?.subjects ?? []}
          choice={choice}
          decide={decide}
          stale={carry.stale}
        />
      ))}
      {only === 'all' && (
        <>
          <CarryLeft rows={of('there')} title={t('thereTitle', { n: totals.there })} />
          <CarryLeft rows={of('leaves')} title={t('leavesTitle', { n: totals.leaves })} />
        </>
      )}
      {groups.length > 0 && <CarryBar season={season} totals={totals} carry={carry} />}
    </div>
  )
}

function Figures({ totals }: { totals: ReturnType<typeof carryTotals> }) {
  const t = carryWords.use()
  const { enter, look, there, leaves, untaken, faulty } = totals
  const shown: [string, number, string?][] = [
    [t('enter'), enter],
    [t('look', { n: look }), look, look > 0 ? 'due' : undefined],
    [t('there'), there],
    [t('leaves', { n: leaves }), leaves],
    [t('untaken'), untaken + faulty],
  ]
  return (
    <dl className="im-counts" aria-live="polite">
      {shown.map(([label, n, kind]) => (
        <div key={label} className={kind}>
          <dt>{label}</dt>
          <dd>{count(n)}</dd>
        </div>
      ))}
    </dl>
  )
}
