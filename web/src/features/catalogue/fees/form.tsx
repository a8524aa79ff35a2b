import { feesEffect, saveFees } from '@podium/contract/catalogue/calls-events'
import { className } from '@podium/contract/classes'
import { lazy, Suspense, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { count } from '#shell/format.tsx'
import { useRenew } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { toast } from '#ui/toast.tsx'
import type { Effect } from '../events/effect-dialog.tsx'
import type { EventOne } from '../events/use-event.ts'
import { placed } from '../placed.ts'
import { shownOfCatalogue } from '../shown.ts'
import { words } from '../words.ts'
import { amountsOf, feesSchema, type TypedFees, typedFees } from './values.ts'

const EffectDialog = lazy(() =>
  import('../events/effect-dialog.tsx').then((m) => ({ default: m.EffectDialog })),
)

/** Ends a press of the button without a word: the dialog asks first. */
const asksFirst = () => new CallError('', 0, '')

function useFeesForm({ event, fees }: EventOne) {
  const t = words.use()
  const renew = useRenew(shownOfCatalogue)
  const [effect, setEffect] = useState<Effect>()
  const agreed = useRef(false)
  const { eventYearId, version, littleStar } = event
  const f = usePortalForm({
    schema: feesSchema,
    initialValues: { classes: typedFees(littleStar, fees) } as { classes: TypedFees[] } & Record<
      string,
      unknown
    >,
    draftKey: `fees.${eventYearId}.${version}`,
    save: async ({ classes }) => {
      const yes = agreed.current
      agreed.current = false
      try {
        if (yes) await call(saveFees, { body: { eventYearId, version, classes } })
        else setEffect(await call(feesEffect, { body: { eventYearId, classes } }))
      } catch (cause) {
        throw placed(
          'classes',
          cause,
          f.form.getValues().classes.map(({ offered }) => offered),
        )
      }
      if (!yes) throw asksFirst()
      toast.success(t('saved'))
      setTimeout(() => void renew())
    },
  })
  const decide = (yes: boolean) => {
    setEffect(undefined)
    agreed.current = yes
    if (yes) void f.submit()
  }
  return { f, effect, decide }
}

/** Fees, retained share and books of an event, class by class; what a change would touch is shown before it is saved. */
export function FeesForm({ of }: { of: EventOne }) {
  const t = words.use()
  const { f, effect, decide } = useFeesForm(of)
  const { event, fees, can } = of
  const rows = f.form.useWatchValue('classes') as TypedFees[]
  const columns = useColumns(of, f.form, rows)
  const first = rows.find(({ offered }) => offered)
  const takeForAll = () => {
    if (!first) return
    for (const [index, row] of rows.entries()) {
      if (!row.offered || row.classId === first.classId) continue
      const { classId } = row
      f.form.setFieldValue(`classes.${index}`, { ...first, classId })
    }
  }
  return (
    <>
      <FormFrame of={f} className="stack">
        <p>{t('pricesSay')}</p>
        {event.share.kind === 'percent' && <Note>{t('retainedPercent', { n: event.share.percent })}</Note>}
        {event.share.kind === 'slabs' && <Note>{t('retainedSlabs')}</Note>}
        {f.form.errors.classes && <Note kind="bad">{f.form.errors.classes}</Note>}
        <DataTable
          className="cat-grid"
          caption={t('partFees')}
          columns={columns}
          rows={rows.map((row, index) => ({ row, index, students: studentsOf(fees, row.classId) }))}
          rowKey={({ row }) => String(row.classId)}
          cardColumns={2}
        />
        <div className="cat-form-acts">
          <Button
            type="submit"
            kind="primary"
            busy={f.saving}
            disabled={can.write === true ? undefined : t('mayNotWrite')}
          >
            {t('look')}
          </Button>
          {first && (
            <Button onClick={takeForAll}>{t('sameForAll', { class: className(first.classId) })}</Button>
          )}
        </div>
      </FormFrame>
      <Suspense>
        {effect && <EffectDialog effect={effect} onYes={() => decide(true)} onNo={() => decide(false)} />}
      </Suspense>
    </>
  )
}

const studentsOf = (fees: EventOne['fees'], classId: number) =>
  fees.find((row) => row.classId === classId)?.students ?? 0

interface Line {
  row: TypedFees
  index: number
  students: number
}

type Form = ReturnType<typeof useFeesForm>['f']['form']

function useColumns({ event }: EventOne, form: Form, rows: readonly TypedFees[]): Column<Line>[] {
  const t = words.use()
  // What the season's rule decides is not typed for a class.
  const isUnused = (what: string) =>
    (what === 'retained' && event.share.kind !== 'perHead') ||
    (what === 'bookRetained' && event.share.kind === 'percent')
  const amounts = amountsOf(event.littleStar).map(
    (what): Column<Line> => ({
      key: what,
      label: t(what),
      num: true,
      cell: ({ row, index }) => {
        const path = `classes.${index}.${what}`
        return (
          <NumberField
            label={t('fieldOf', { field: t(what), class: className(row.classId) })}
            labelHidden
            decimals={2}
            disabled={!(rows[index]?.offered ?? false) || isUnused(what)}
            key={form.key(path)}
            {...form.getInputProps(path)}
          />
        )
      },
    }),
  )
  return [
    {
      key: 'class',
      label: t('class'),
      title: true,
      cell: ({ row, index, students }) => {
        const path = `classes.${index}.offered`
        return (
          <>
            <CheckField
              label={className(row.classId)}
              key={form.key(path)}
              {...form.getInputProps(path, { type: 'checkbox' })}
            />
            {students > 0 && (
              <span className="under">
                {t('enrolled')}: {count(students)}
              </span>
            )}
          </>
        )
      },
    },
    ...amounts,
  ]
}
