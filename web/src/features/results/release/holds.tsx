import type { AnswerOf } from '@podium/contract/endpoint'
import {
  holdResults,
  officeResultEvent,
  officeResultEvents,
  resultHolds,
  unholdResults,
} from '@podium/contract/results/calls-office'
import { useState } from 'react'
import * as z from 'zod/mini'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { CallError, call } from '#shell/call.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { Day } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { DataTable, lines } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { officeWords, SchoolCodeField, useReason } from '../office-parts.tsx'

/** The schools whose results in an event are withheld. Results can be withheld with a reason, or shown again. */
export function Holds({ eventYearId }: { eventYearId: number }) {
  const t = officeWords.use()
  const reason = useReason()
  const [isHolding, setHolding] = useState(false)
  const [lifting, setLifting] = useState<Hold>()
  const { data, error, refetch } = useEndpoint(resultHolds, { query: { eventYearId: String(eventYearId) } })
  const disabled = reason(useMay('results.release') ? true : 'access.denied')
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  return (
    <section aria-label={t('holdsTitle')}>
      <div className="res-head row mb-3">
        <h2>{t('holdsTitle')}</h2>
        <Button icon="lock" disabled={disabled} onClick={() => setHolding(true)}>
          {t('hold')}
        </Button>
      </div>
      <DataTable
        caption={t('holdsCaption')}
        rows={data?.data}
        rowKey={(row) => row.schCode}
        empty={<EmptyState icon="ok">{t('noHolds')}</EmptyState>}
        cardColumns={2}
        columns={[
          { key: 'school', label: t('school'), title: true, cell: (row) => lines(row.schName, row.schCode) },
          { key: 'reason', label: t('reason'), card: 'wide', cell: (row) => row.reason },
          { key: 'by', label: t('heldBy'), cell: (row) => row.withheldBy },
          { key: 'at', label: t('heldAt'), cell: (row) => <Day value={row.withheldAt} /> },
          {
            key: 'act',
            label: '',
            act: true,
            cell: (row) => (
              <Button
                kind="text"
                disabled={disabled}
                aria-label={t('liftFor', { name: row.schName })}
                onClick={() => setLifting(row)}>
                {t('lift')}
              </Button>
            ),
          },
        ]}
      />
      {isHolding && <HoldDialog eventYearId={eventYearId} onClose={() => setHolding(false)} />}
      {lifting && (
        <ReleaseHoldDialog eventYearId={eventYearId} hold={lifting} onClose={() => setLifting(undefined)} />
      )}
    </section>
  )
}

type Hold = AnswerOf<typeof resultHolds>['data'][number]

const invalidates = [resultHolds, officeResultEvent, officeResultEvents]
const fields = z.pick(holdResults.body, { schCode: true, reason: true })

/** Withholds the results of one school, with a reason that only the office sees. */
function HoldDialog({ eventYearId, onClose }: { eventYearId: number; onClose: () => void }) {
  const t = officeWords.use()
  const f = useFormDialog({
    schema: fields,
    initialValues: { schCode: '', reason: '' },
    save: ({ schCode, reason }) =>
      call(holdResults, { body: { eventYearId, schCode: schCode.toUpperCase(), reason } }).catch((cause) => {
        if (!(cause instanceof CallError && cause.code === 'not_found')) throw cause
        const message = t('noSuchSchool')
        throw new CallError(message, cause.status, cause.code, [{ path: 'schCode', message }])
      }),
    invalidates,
    done: (_, { schCode }) => t('heldToast', { code: schCode.toUpperCase() }),
    onClose,
  })
  return (
    <FormDialog of={f} title={t('holdTitle')} size="small" save={t('holdNow')}>
      <SchoolCodeField label={t('schoolCode')} data-autofocus {...f.form.field('schCode')} />
      <TextArea label={t('reason')} hint={t('holdHint')} {...f.form.field('reason')} />
    </FormDialog>
  )
}

interface ReleaseHoldProps {
  eventYearId: number
  hold: Hold
  onClose: () => void
}

/** Lets a school see its withheld results. */
function ReleaseHoldDialog({ eventYearId, hold, onClose }: ReleaseHoldProps) {
  const t = officeWords.use()
  return (
    <ConfirmAction
      title={t('liftTitle', { name: hold.schName })}
      action={t('lift')}
      act={() => call(unholdResults, { body: { eventYearId, schCode: hold.schCode } })}
      invalidates={invalidates}
      done={t('liftedToast', { name: hold.schName })}
      onClose={onClose}>
      <p>{t('liftHint')}</p>
    </ConfirmAction>
  )
}
