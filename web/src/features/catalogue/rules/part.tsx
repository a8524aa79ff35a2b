import { rulesOfEvent } from '@podium/contract/results/calls-what-if'
import type { EventRules } from '@podium/contract/results/schemas'
import { lazy, Suspense, useState } from 'react'
import { FormFrame } from '#shell/form-frame.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { EventOne } from '../events/use-event.ts'
import { Ladders } from './ladders.tsx'
import { Medals } from './medals.tsx'
import { NextLevel } from './next.tsx'
import { TieBreak } from './ties.tsx'
import { type RulesOne, useRules } from './use-rules.ts'
import { Versions } from './versions.tsx'
import { rulesWords } from './words.ts'

const Trial = lazy(() => import('./trial.tsx').then((m) => ({ default: m.Trial })))

/** How an event's results are decided: edited, tried on last season, saved as a version. */
export function RulesPart({ of }: { of: EventOne }) {
  const { eventYearId } = of.event
  const rules = useEndpoint(rulesOfEvent, { query: { eventYearId: String(eventYearId) } })
  const [taken, setTaken] = useState<{ at: number; rules: EventRules }>()
  const data = rules.data?.eventYearId === eventYearId ? rules.data : undefined
  if (rules.error && !data) return <LoadProblem error={rules.error} retry={rules.refetch} />
  const current = data?.versions[0]
  if (!data || !current) return <Skeleton shape="form" />
  return (
    <div className="stack">
      <RulesEditor
        key={`${data.rulesVersion}.${taken?.at ?? 0}`}
        of={data}
        shown={taken?.rules ?? current.rules}
      />
      <Versions
        of={data}
        onTake={(version) => setTaken({ at: (taken?.at ?? 0) + 1, rules: version.rules })}
      />
    </div>
  )
}

function RulesEditor({ of, shown }: { of: RulesOne; shown: EventRules }) {
  const t = rulesWords.use()
  const { f, jobId, attempt, endTrial } = useRules(of, shown)
  const { form } = f
  const lock = of.can.save === true ? undefined : t('mayNotSave')
  return (
    <>
      <FormFrame of={f} className="stack">
        <TieBreak form={form} sections={of.sections} />
        <Medals form={form} />
        <Ladders form={form} />
        <CheckField
          label={t('onePrize')}
          key={form.key('onePrize')}
          {...form.getInputProps('onePrize', { type: 'checkbox' })}
        />
        <NextLevel form={form} />
        <Panel title={t('note')}>
          <TextField
            label={t('note')}
            labelHidden
            hint={t('noteHint')}
            maxLength={500}
            key={form.key('note')}
            {...form.getInputProps('note')}
          />
          <p className="hint">{of.base ? t('trySays', { season: of.base.FYear }) : t('noBase')}</p>
          <div className="cat-form-acts">
            {of.base && (
              <>
                <Button busy={f.saving} disabled={lock} onClick={() => attempt('event')}>
                  {t('tryOn', { season: of.base.FYear })}
                </Button>
                {of.base.events > 1 && (
                  <Button busy={f.saving} disabled={lock} onClick={() => attempt('season')}>
                    {t('tryAll')}
                  </Button>
                )}
              </>
            )}
            <Button type="submit" kind="primary" busy={f.saving} disabled={lock}>
              {t('save', { n: of.rulesVersion + 1 })}
            </Button>
          </div>
        </Panel>
      </FormFrame>
      <Suspense fallback={<Skeleton shape="table" rows={3} />}>
        {jobId && <Trial key={jobId} jobId={jobId} onClose={endTrial} />}
      </Suspense>
    </>
  )
}
