import { type SlabInput, slabIssues } from '@podium/contract/catalogue/calls-seasons'
import { maxSlabs, type ShareRule } from '@podium/contract/catalogue/rules-fee'
import { seasonValues } from '@podium/contract/catalogue/schemas'
import { officeMessages } from '@podium/contract/office/messages'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { DateField } from '#shell/dates/date-field.tsx'
import type { PathOf, usePortalForm } from '#shell/form-frame.tsx'
import { count } from '#shell/format.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { words } from '../data.ts'

/** The values of a season's form: the share rule in three fields. */
export type SeasonValues = {
  feeDueOn: string
  resultsFrom: string
  dateChoiceDays: number | ''
  kind: ShareRule['kind']
  percent: number | ''
  slabs: SlabInput[]
}

interface Season {
  feeDueOn: string
  resultsFrom: string
  dateChoiceDays: number
  share: ShareRule
}

export function seasonValuesOf({ feeDueOn, resultsFrom, dateChoiceDays, share }: Season): SeasonValues {
  return {
    feeDueOn,
    resultsFrom,
    dateChoiceDays,
    kind: share.kind,
    percent: share.kind === 'percent' ? share.percent : '',
    slabs: share.kind === 'slabs' ? share.slabs : [{ from: 1, share: '' }],
  }
}

const percent = z
  .number(officeMessages.percentRequired)
  .check(z.minimum(0, officeMessages.percentRequired), z.maximum(100, officeMessages.percentRequired))

const optionalNumber = z.union([z.literal(''), z.number()], officeMessages.numberRequired)

/** The fields of a season's form, each with its own error. */
export const seasonFields = {
  feeDueOn: seasonValues.feeDueOn,
  resultsFrom: seasonValues.resultsFrom,
  dateChoiceDays: seasonValues.dateChoiceDays,
  kind: z.enum(['perHead', 'percent', 'slabs']),
  percent: z.union([z.literal(''), percent], officeMessages.percentRequired),
  slabs: z.array(z.object({ from: optionalNumber, share: optionalNumber })),
}

export const percentGiven = z.refine<{ kind: string; percent: number | '' }>(
  (typed) => typed.kind !== 'percent' || typed.percent !== '',
  { error: officeMessages.percentRequired, path: ['percent'] },
)

/** Checks the slabs only if the share rule uses them. */
export const slabsGiven = z.check<Pick<SeasonValues, 'kind' | 'slabs'>>((payload) => {
  const { kind, slabs } = payload.value
  if (kind !== 'slabs') return
  for (const { path, message } of slabIssues(slabs))
    payload.issues.push({ code: 'custom', path: path.split('.'), message, input: slabs })
})

/** Turns the typed share into a rule. */
export function toShareRule({
  kind,
  percent,
  slabs,
}: Pick<SeasonValues, 'kind' | 'percent' | 'slabs'>): ShareRule {
  if (kind === 'percent') return { kind, percent: Number(percent) }
  if (kind === 'perHead') return { kind }
  return { kind, slabs: slabs.map(({ from, share }) => ({ from: Number(from), share: Number(share) })) }
}

interface Props {
  kind: string
  field: SeasonField
  slabs: readonly SlabInput[]
  slabsError: ReactNode
  onAddSlab: () => void
  onRemoveSlab: (index: number) => void
}

/** Dates of a season, and the school's share. */
export function SeasonFields({ kind, field, slabs, slabsError, onAddSlab, onRemoveSlab }: Props) {
  const t = words.use()
  return (
    <div className="grid">
      <DateField label={t('feeDueOn')} className="c6" {...field('feeDueOn')} />
      <DateField label={t('resultsFrom')} className="c6" {...field('resultsFrom')} />
      <NumberField label={t('choiceDays')} className="c6" {...field('dateChoiceDays')} />
      <RadioField
        label={t('shareRule')}
        name="share"
        className="c12"
        choices={[
          { value: 'perHead', label: t('perHead') },
          { value: 'percent', label: t('percent') },
          { value: 'slabs', label: t('slabs') },
        ]}
        {...field('kind')}
      />
      {kind === 'percent' && (
        <NumberField label={t('percentOf')} className="c6" decimals={2} {...field('percent')} />
      )}
      {kind === 'slabs' && (
        <SlabFields
          slabs={slabs}
          field={field}
          error={slabsError}
          onAdd={onAddSlab}
          onRemove={onRemoveSlab}
        />
      )}
    </div>
  )
}

type SeasonField = (
  path: PathOf<SeasonValues>,
) => ReturnType<ReturnType<typeof usePortalForm>['form']['field']>

interface SlabProps {
  slabs: readonly SlabInput[]
  field: SeasonField
  error: ReactNode
  onAdd: () => void
  onRemove: (index: number) => void
}

/** Slabs by head count: from which number of students on the school keeps which amount of each entry. */
function SlabFields({ slabs, field, error, onAdd, onRemove }: SlabProps) {
  const t = words.use()
  return (
    <div className="c12 stack">
      <p className="hint">{t('slabsHint')}</p>
      {slabs.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a slab has nothing of its own until it is typed
        <div className="cat-slab" key={index}>
          <NumberField label={t('slabFrom', { n: index + 1 })} {...field(`slabs.${index}.from`)} />
          <NumberField
            label={t('slabShare')}
            hint={slabRange(t, slabs, index)}
            decimals={2}
            {...field(`slabs.${index}.share`)}
          />
          {index > 0 && (
            <IconButton
              icon="delete"
              label={t('removeSlab', { n: index + 1 })}
              onClick={() => onRemove(index)}
            />
          )}
        </div>
      ))}
      {error && <p className="msg">{error}</p>}
      <div className="row mt-4">
        <Button icon="plus" disabled={slabs.length < maxSlabs ? undefined : t('slabsFull')} onClick={onAdd}>
          {t('addSlab')}
        </Button>
      </div>
    </div>
  )
}

/** Returns “1 to 49 children” or “200 children and more”; undefined until both ends are valid. */
function slabRange(
  t: ReturnType<typeof words.use>,
  slabs: readonly SlabInput[],
  index: number,
): string | undefined {
  const from = slabs[index]?.from ?? ''
  const next = slabs[index + 1]
  if (typeof from !== 'number') return undefined
  if (next === undefined) return t('slabOpen', { n: from })
  if (typeof next.from !== 'number' || next.from <= from) return undefined
  return t('slabReach', { from: count(from), to: count(next.from - 1) })
}
