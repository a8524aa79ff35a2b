import { officeSpares, saveSpares, sparePapers, spareRule } from '@podium/contract/shipping/calls-orders'
import { useState } from 'react'
import type { Answer } from '#shell/call.ts'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint, useRenew } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from '../words.ts'
import { shownOfDispatch, useMayWrite } from './data.ts'

/** The rule for spare papers of the season: what it is now stands on its button. */
export function Spares({ season }: { season: string }) {
  const t = words.use()
  const mayWrite = useMayWrite()
  const [open, setOpen] = useState(false)
  const { data, isError, error, refetch } = useEndpoint(officeSpares, { query: { FYear: season } })
  const rule = data?.rule
  const said = !rule
    ? t('spares')
    : rule.percent > 0 || rule.minimum > 0
      ? t('sparesAre', { percent: rule.percent, minimum: rule.minimum })
      : t('sparesNone')
  return (
    <>
      <Button icon="edit" disabled={mayWrite ? undefined : t('mayNotWrite')} onClick={() => setOpen(true)}>
        {said}
      </Button>
      {open && (
        <Dialog opened onClose={() => setOpen(false)} title={t('sparesTitle', { season })} size="small">
          {data ? (
            <Rule key={data.version} season={season} spares={data} onClose={() => setOpen(false)} />
          ) : (
            <DialogBody>
              {isError ? <LoadProblem error={error} retry={refetch} /> : <Skeleton shape="text" rows={3} />}
            </DialogBody>
          )}
        </Dialog>
      )}
    </>
  )
}

interface RuleProps {
  season: string
  spares: Answer<typeof officeSpares>
  onClose: () => void
}

/** How many children the example speaks of. */
const exampleClass = 34

function Rule({ season, spares, onClose }: RuleProps) {
  const t = words.use()
  const renew = useRenew(shownOfDispatch)
  const { rule, setFor, version } = spares
  const f = usePortalForm({
    schema: spareRule,
    initialValues: rule,
    save: async (values) => {
      await call(saveSpares, { body: { ...values, FYear: season, version } }).finally(renew)
      toast.success(t('saved'))
      onClose()
    },
  })
  const percent = Number(f.form.useWatchValue('percent'))
  const minimum = Number(f.form.useWatchValue('minimum'))
  const fits = spareRule.safeParse({ percent, minimum }).success
  return (
    <FormFrame of={f} asksBeforeLeaving={false}>
      <DialogBody>
        <div className="stack">
          <p>{t('sparesSay')}</p>
          {setFor !== null && setFor !== season && (
            <p className="quiet">{t('sparesFrom', { season: setFor })}</p>
          )}
          <NumberField
            label={t('sparePercent')}
            key={f.form.key('percent')}
            {...f.form.getInputProps('percent')}
          />
          <NumberField
            label={t('spareMinimum')}
            key={f.form.key('minimum')}
            {...f.form.getInputProps('minimum')}
          />
          {fits && (
            <p className="quiet" aria-live="polite">
              {t('sparesExample', {
                children: exampleClass,
                n: sparePapers(exampleClass, { percent, minimum }),
              })}
            </p>
          )}
        </div>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>{t('abort')}</Button>
        <Button type="submit" kind="primary" busy={f.saving}>
          {t('save')}
        </Button>
      </DialogFoot>
    </FormFrame>
  )
}
