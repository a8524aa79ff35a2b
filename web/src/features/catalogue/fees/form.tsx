import {
  type ClassFees,
  catalogueEvent,
  catalogueEvents,
  feesEffect,
  saveFees,
} from '@podium/contract/catalogue/calls-events'
import { type BookKind, bookKindsOf, classes, className, isLittleStarClass } from '@podium/contract/classes'
import { officeMessages } from '@podium/contract/office/messages'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { FormFrame, nothingSaved, usePortalForm } from '#shell/form-frame.tsx'
import { count, keepDatesTogether } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { MenuButton } from '#ui/menu-button.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { Panel } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
import { catalogueCalls, type EventRecord, withFormPaths, words } from '../data.ts'
import type { Effect } from '../events/dialogs.tsx'
import { lateWords, useLateText } from './words-late.ts'

/** One class in the form: the amounts as typed, empty where there is none. */
type TypedFees = Record<'fee' | 'retained' | 'bookRetained' | BookKind, number | ''> & {
  classId: number
  offered: boolean
}

const noAmounts = {
  fee: '',
  retained: '',
  bookRetained: '',
  cb: '',
  pyqp: '',
  geneX: '',
  tb: '',
  wb: '',
} as const

/**
 * Returns all classes the event can have. Those with prices are ticked; all of them if the event has no prices yet.
 */
function typedFees(littleStar: boolean, rows: readonly ClassFees[]): TypedFees[] {
  return classes
    .filter(({ classId }) => isLittleStarClass(classId) === littleStar)
    .map(({ classId }) => {
      const row = rows.find((candidate) => candidate.classId === classId)
      if (!row) return { classId, offered: rows.length === 0, ...noAmounts }
      const price = (amount: number | null) => amount ?? ''
      const { fee, retained, bookRetained, cb, pyqp, geneX, tb, wb } = row
      return {
        classId,
        offered: true,
        fee,
        retained,
        bookRetained,
        cb: price(cb),
        pyqp: price(pyqp),
        geneX: price(geneX),
        tb: price(tb),
        wb: price(wb),
      }
    })
}

/** Returns the amounts of such a class: the fee, the school's share, its books, the school's share of each book. */
const amountsOf = (littleStar: boolean) =>
  ['fee', 'retained', ...bookKindsOf(littleStar ? 13 : 1), 'bookRetained'] as const

const emptyToNull = (typed: unknown) => (typed === '' ? null : typed)
const emptyToZero = (typed: unknown) => (typed === '' ? 0 : typed)

function bodyOf({ classes: typed }: { classes: TypedFees[] }) {
  return {
    classes: typed
      .filter(({ offered }) => offered)
      .map(({ offered: _, ...row }) => ({
        ...row,
        retained: emptyToZero(row.retained),
        bookRetained: emptyToZero(row.bookRetained),
        cb: emptyToNull(row.cb),
        pyqp: emptyToNull(row.pyqp),
        geneX: emptyToNull(row.geneX),
        tb: emptyToNull(row.tb),
        wb: emptyToNull(row.wb),
      })),
  }
}

const amount = z.union(
  [
    z.literal(''),
    z
      .number()
      .check(z.minimum(0, officeMessages.amountRequired), z.maximum(100_000, officeMessages.amountHigh)),
  ],
  officeMessages.amountRequired,
)
const row = z
  .object({
    classId: z.int(),
    offered: z.boolean(),
    fee: amount,
    retained: amount,
    bookRetained: amount,
    cb: amount,
    pyqp: amount,
    geneX: amount,
    tb: amount,
    wb: amount,
  })
  .check(
    z.refine(({ offered, fee }) => !offered || fee !== '', {
      error: officeMessages.amountRequired,
      path: ['fee'],
    }),
    // If the fee is missing, only that is reported.
    z.refine(({ fee, retained }) => fee === '' || Number(retained) <= fee, {
      error: officeMessages.retainedHigh,
      path: ['retained'],
    }),
  )

/** Checks the form class by class, then converts it for the call. */
const feesSchema = z.pipe(
  z.pipe(z.object({ classes: z.array(row) }), z.transform(bodyOf)),
  z.object({ classes: saveFees.body.shape.classes }),
)

const EffectDialog = lazyDialog(() => import('../events/dialogs.tsx'), 'EffectDialog')

function useFeesForm({ event, fees }: EventRecord) {
  const t = words.use()
  const invalidate = useInvalidate(catalogueCalls)
  const [effect, setEffect] = useState<Effect>()
  const agreed = useRef(false)
  const { eventYearId, version, littleStar } = event
  const f = usePortalForm({
    schema: feesSchema,
    initialValues: { classes: typedFees(littleStar, fees) } as { classes: TypedFees[] } & Record<
      string,
      unknown
    >,
    draftKey: `fees.${eventYearId}`,
    version,
    save: async ({ classes }, opened) => {
      const isConfirmed = agreed.current
      agreed.current = false
      const sentClasses = f.form.getValues().classes.map(({ offered }) => offered)
      const refusedAtFields = (cause: unknown): never => {
        throw withFormPaths('classes', cause, sentClasses)
      }
      if (!isConfirmed) {
        setEffect(await call(feesEffect, { body: { eventYearId, classes } }).catch(refusedAtFields))
        throw nothingSaved()
      }
      const body = { eventYearId, version: opened.version, classes }
      const saved = await call(saveFees, { body }).catch(refusedAtFields)
      toast.success(t('saved'))
      await invalidate()
      return saved.version
    },
  })
  const decide = (isConfirmed: boolean) => {
    setEffect(undefined)
    agreed.current = isConfirmed
    if (isConfirmed) void f.submit()
  }
  return { f, effect, decide }
}

/**
 * Fees, school's share and books of an event, class by class; shows what a change would affect before it is saved.
 */
export function FeesForm({ record }: { record: EventRecord }) {
  const t = words.use()
  const { f, effect, decide } = useFeesForm(record)
  const { event, fees, can } = record
  const rows = f.form.useWatchValue('classes') as TypedFees[]
  const columns = useColumns(record, f.form, rows)
  const disabledReason = can.write === true ? undefined : t('mayNotWrite')
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
        <p>{t('pricesHint')}</p>
        {event.share.kind === 'percent' && <Note>{t('retainedPercent', { n: event.share.percent })}</Note>}
        {event.share.kind === 'slabs' && <Note>{t('retainedSlabs')}</Note>}
        {f.form.errors.classes && <Note kind="bad">{f.form.errors.classes}</Note>}
        <fieldset disabled={disabledReason !== undefined}>
          <DataTable
            className="cat-grid"
            caption={t('partFees')}
            columns={columns}
            rows={rows.map((row, index) => ({ row, index, students: studentsOf(fees, row.classId) }))}
            rowKey={({ row }) => String(row.classId)}
            cardColumns={2}
          />
        </fieldset>
        <div className="row mt-4">
          <Button type="submit" kind="primary" busy={f.saving} disabled={disabledReason}>
            {t('reviewChanges')}
          </Button>
          {first && (
            <Button disabled={disabledReason} onClick={takeForAll}>
              {t('sameForAll', { class: className(first.classId) })}
            </Button>
          )}
          {fees.length === 0 && can.write === true && (
            <CopyPrices of={event} take={(classes) => f.form.setFieldValue('classes', classes)} />
          )}
        </div>
      </FormFrame>
      {effect && (
        <EffectDialog effect={effect} onConfirm={() => decide(true)} onCancel={() => decide(false)} />
      )}
    </>
  )
}

interface CopyProps {
  of: EventRecord['event']
  take: (classes: TypedFees[]) => void
}

/**
 * Copies the prices of another event of the season into the form of an event without prices. Nothing is saved yet.
 */
function CopyPrices({ of: { FYear, littleStar }, take }: CopyProps) {
  const t = words.use()
  const { act } = useAction([])
  const { data } = useEndpoint(catalogueEvents, { query: { FYear } })
  // Little-star classes have names without numbers, and their own books.
  const priced = (data?.data ?? []).filter(
    ({ classes }) => classes !== '' && /\d/.test(classes) !== littleStar,
  )
  if (priced.length === 0) return null
  const copy = (eventYearId: number) =>
    act(async () => {
      const { fees } = await call(catalogueEvent, { query: { eventYearId: String(eventYearId) } })
      take(typedFees(littleStar, fees))
    })
  return (
    <MenuButton
      label={t('copyPrices')}
      icon="copy"
      items={priced.map(({ eventYearId, subjectName }) => ({
        label: subjectName,
        onChoose: () => void copy(eventYearId),
      }))}
    />
  )
}

const studentsOf = (fees: EventRecord['fees'], classId: number) =>
  fees.find((row) => row.classId === classId)?.students ?? 0

interface FeeRow {
  row: TypedFees
  index: number
  students: number
}

type Form = ReturnType<typeof useFeesForm>['f']['form']

function useColumns({ event }: EventRecord, form: Form, rows: readonly TypedFees[]): Column<FeeRow>[] {
  const t = words.use()
  // Amounts fixed by the season's share rule are not entered per class.
  const isUnused = (amountName: string) =>
    (amountName === 'retained' && event.share.kind !== 'perHead') ||
    (amountName === 'bookRetained' && event.share.kind === 'percent')
  const amounts = amountsOf(event.littleStar).map(
    (amountName): Column<FeeRow> => ({
      key: amountName,
      label: t(amountName),
      num: true,
      cell: ({ row, index }) => {
        const path = `classes.${index}.${amountName}`
        return (
          <NumberField
            label={t('fieldOf', { field: t(amountName), class: className(row.classId) })}
            labelHidden
            decimals={2}
            disabled={!(rows[index]?.offered ?? false) || isUnused(amountName)}
            {...form.field(path)}
          />
        )
      },
    }),
  )
  return columnsOf(t, [
    {
      key: 'class',
      title: true,
      cell: ({ row, index, students }) => {
        const path = `classes.${index}.offered`
        return lines(
          <CheckField
            label={translateSentence(className(row.classId))}
            {...form.field(path, { type: 'checkbox' })}
          />,
          students > 0 && `${t('enrolled')}: ${count(students)}`,
        )
      },
    },
    ...amounts,
  ])
}

const LateDialog = lazyDialog(() => import('../events/dialogs.tsx'), 'LateDialog')

/** The late fee of an event, and a button to change it. */
export function LatePanel({ record: { event, can } }: { record: EventRecord }) {
  const t = lateWords.use()
  const lateText = useLateText()
  const [open, setOpen] = useState(false)
  return (
    <Panel title={t('title')}>
      <div className="row gap-4 mb-3">
        <p>{keepDatesTogether(lateText(event))}</p>
        <Button disabled={can.write === true ? undefined : t('mayNot')} onClick={() => setOpen(true)}>
          {t('set')}
        </Button>
      </div>
      {open && (
        <LateDialog
          FYear={event.FYear}
          name={event.subjectName}
          events={[event]}
          onClose={() => setOpen(false)}
        />
      )}
    </Panel>
  )
}
