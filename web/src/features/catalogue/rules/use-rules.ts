import { saveResultRules } from '@podium/contract/results/calls-office'
import { rulesOfEvent, tryRules } from '@podium/contract/results/calls-what-if'
import type { EventRules } from '@podium/contract/results/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form-frame.tsx'
import { useInvalidate } from '#shell/query.ts'
import { toast } from '#ui/toast.tsx'
import { shownOfCatalogue } from '../shown.ts'
import { rulesSchema, typedRules } from './values.ts'
import { rulesWords } from './words.ts'

export type RulesOne = Answer<typeof rulesOfEvent>

/** What a press of a button wants of the rules that are typed. */
type Want = 'save' | 'event' | 'season'

/** A refusal with its fault at the field of the form, which has no `rules` around them. */
function atField(cause: unknown): unknown {
  if (!(cause instanceof CallError)) return cause
  const issues = cause.issues.map(({ path, message }) => ({ path: path.replace(/^rules\./, ''), message }))
  return new CallError(cause.message, cause.status, cause.code, issues, cause.id)
}

/** The form of an event's rules: saves them as a version, or tries them without saving. */
export function useRules(of: RulesOne, shown: EventRules) {
  const t = rulesWords.use()
  const renew = useInvalidate(shownOfCatalogue)
  const client = useQueryClient()
  const want = useRef<Want>('save')
  const [jobId, setJobId] = useState<string>()
  const { eventYearId, rulesVersion } = of
  const f = usePortalForm({
    schema: rulesSchema,
    initialValues: typedRules(shown),
    draftKey: `rules.${eventYearId}.${rulesVersion}`,
    save: async ({ rules, note }) => {
      const wanted = want.current
      want.current = 'save'
      try {
        if (wanted !== 'save') {
          setJobId((await call(tryRules, { body: { eventYearId, rules, on: wanted } })).jobId)
          // What is typed is still not saved.
          throw new CallError('', 0, '')
        }
        const saved = await call(saveResultRules, { body: { eventYearId, rulesVersion, rules, note } })
        toast.success(t('saved', { n: saved.rulesVersion }))
      } catch (cause) {
        throw atField(cause)
      }
      setTimeout(() => {
        void client.invalidateQueries({ queryKey: [rulesOfEvent.path] })
        void renew()
      })
    },
  })
  const attempt = (on: 'event' | 'season') => {
    want.current = on
    void f.submit().finally(() => {
      want.current = 'save'
    })
  }
  return { f, jobId, attempt, endTrial: () => setJobId(undefined) }
}

export type RulesForm = ReturnType<typeof useRules>['f']
