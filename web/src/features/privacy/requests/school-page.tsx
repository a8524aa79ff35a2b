import {
  type SchoolDataRequest,
  schoolDataRequests,
  withdrawDataRequest,
} from '@podium/contract/privacy/calls'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { pageFilters, useFilters } from '#shell/filters.ts'
import { Day } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { ListTable } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import type en from '#words/en/privacy-requests-school.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/privacy-requests-school.json'))

const NewRequestDialog = lazyDialog(() => import('./school-pass-dialog.tsx'), 'NewRequestDialog')
const ConfirmAction = lazyDialog(() => import('#shell/action-dialogs.tsx'), 'ConfirmAction')

/** What parents have asked the school about their children's data, and the foundation's progress with it. */
export function SchoolRequestsPage() {
  const t = words.use()
  const filters = useFilters(pageFilters)
  const [isEntering, setIsEntering] = useState(false)
  const [taking, setTaking] = useState<SchoolDataRequest>()
  const list = useEndpoint(schoolDataRequests, { query: { page: String(filters.values.page) } })
  const columns = useColumns(setTaking)
  const { data } = list
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <Button kind="primary" onClick={() => setIsEntering(true)}>
          {t('pass')}
        </Button>
      </PageHeader>
      <div className="stack">
        {data && data.open > 0 && <Note kind="info">{t('openOnes', { n: data.open })}</Note>}
        <ListTable
          list={list}
          filters={filters}
          caption={t('caption')}
          columns={columns}
          rowKey={(row) => String(row.id)}
          cardColumns={2}
          empty={
            <EmptyState icon="ok" title={t('none')}>
              {t('noneHint')}
            </EmptyState>
          }
        />
      </div>

      {isEntering && <NewRequestDialog onClose={() => setIsEntering(false)} />}
      {taking && (
        <ConfirmAction
          title={t('withdrawTitle')}
          action={t('withdraw')}
          act={() => call(withdrawDataRequest, { body: { id: taking.id, version: taking.version } })}
          invalidates={[schoolDataRequests]}
          done={t('withdrawn')}
          onClose={() => setTaking(undefined)}>
          {t('withdrawHint')}
        </ConfirmAction>
      )}
    </>
  )
}

const badges = {
  asked: 'waiting',
  checked: 'pending',
  done: 'verified',
  declined: 'rejected',
  withdrawn: 'inactive',
} as const

function useColumns(onWithdraw: (row: SchoolDataRequest) => void): Column<SchoolDataRequest>[] {
  const t = words.use()
  const translate = useSentences()
  return columnsOf(t, [
    {
      key: 'child',
      title: true,
      cell: (row) =>
        lines(
          row.studentName === '' ? <span className="quiet">{t('erasedChild')}</span> : row.studentName,
          `${translateSentence(row.className)}${row.section === '-' ? '' : ` ${row.section}`}, ${row.FYear}`,
        ),
    },
    { key: 'what', label: t('kind'), card: 'wide', cell: (row) => lines(t(row.kind), row.message) },
    { key: 'asked', cell: (row) => lines(<Day value={row.requestedAt} />, row.requestedBy) },
    {
      key: 'due',
      cell: (row) => lines(<Day value={row.dueOn} />, row.late && <Badge kind="rejected">{t('late')}</Badge>),
    },
    {
      key: 'state',
      cell: (row) => lines(<Badge kind={badges[row.state]}>{t(`state_${row.state}`)}</Badge>, row.decision),
    },
    {
      key: 'act',
      label: t('withdraw'),
      act: true,
      cell: (row) => (
        <Button
          className="sm"
          disabled={row.can.withdraw === true ? undefined : translate(row.can.withdraw)}
          aria-label={t('withdrawOf', { name: row.studentName })}
          onClick={() => onWithdraw(row)}>
          {t('withdraw')}
        </Button>
      ),
    },
  ])
}
