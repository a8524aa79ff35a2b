import { formatRupees } from '@podium/contract/money'
import {
  approveWaiver,
  declineWaiver,
  exportWaivers,
  type OfficeWaiver,
  officeWaivers,
  waiverEvidence,
  waiverSorts,
} from '@podium/contract/payments/calls-waivers'
import { useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { count, Day, Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { choicesOf, ListPage } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { StudentLink } from '#shell/record-links.tsx'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'
import type en from '#words/en/payments-waivers-office.json'
import { waiverFilters } from '../office-filters.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/payments-waivers-office.json'))

const FileDialog = lazyDialog(() => import('#shell/file-view.tsx'), 'FileDialog')

const orders = { '': 'byDay', amount: 'byAmount', name: 'byName', school: 'bySchool' } as const

type WaiverDecision = { how: 'approve' | 'decline'; waiver: OfficeWaiver }

/** Requested waivers with their evidence, to be decided by a second person. */
export function WaiversPage() {
  const t = words.use()
  const season = useSeason()
  const filters = useFilters(waiverFilters)
  const { page, ...wanted } = filters.values
  const { state } = wanted
  const asked = { FYear: season, ...wanted }
  const [deciding, setDeciding] = useState<WaiverDecision>()
  const list = useEndpoint(officeWaivers, { query: { ...asked, page: String(page) } })
  const counts = list.data?.counts
  const close = () => setDeciding(undefined)
  return (
    <>
      <ListPage
        name="waivers"
        title={t('title')}
        fact={counts && t('fact', { n: counts.asked, season })}
        list={list}
        filters={filters}
        fields={{
          search: { label: t('search'), placeholder: t('searchHint') },
          sort: { label: t('order'), choices: choicesOf(waiverSorts, (value) => t(orders[value])) },
        }}
        tabs={{
          name: 'state',
          label: t('state'),
          choices: choicesOf(['asked', 'approved', 'declined'], (value) =>
            counts ? `${t(value)}, ${count(counts[value])}` : t(value),
          ),
        }}
        caption={t('caption')}
        columns={useColumns(setDeciding).filter(({ key }) => key !== (state === 'asked' ? 'decided' : 'act'))}
        rowKey={(row) => String(row.id)}
        cardColumns={2}
        nothing={<EmptyState icon="search">{t('nothingFound')}</EmptyState>}
        empty={
          state === 'asked' ? (
            <EmptyState icon="ok" title={t('none')}>
              {t('noneHint')}
            </EmptyState>
          ) : (
            <EmptyState icon="rupee">{t('noneOther')}</EmptyState>
          )
        }>
        <ListDownloads endpoint={exportWaivers} bodyOf={(format) => ({ ...asked, format })} />
      </ListPage>
      {deciding?.how === 'approve' && <ApproveDialog waiver={deciding.waiver} onClose={close} />}
      {deciding?.how === 'decline' && <DeclineDialog waiver={deciding.waiver} onClose={close} />}
    </>
  )
}

function useColumns(onDecide: (deciding: WaiverDecision) => void): Column<OfficeWaiver>[] {
  const t = words.use()
  return columnsOf(t, [
    {
      key: 'student',
      title: true,
      cell: (row) =>
        lines(
          <StudentLink id={row.studentId}>{row.studentName}</StudentLink>,
          <>
            {translateSentence(row.className)}
            {row.section !== '-' && ` ${row.section}`} · {row.rollNo} ·{' '}
            {translateSentence(row.subjects.replaceAll(',', ', '))}
          </>,
        ),
    },
    { key: 'school', card: 'wide', cell: (row) => lines(row.schName, row.schCode) },
    { key: 'reason', card: 'wide', cell: (row) => <span className="long">{row.reason}</span> },
    { key: 'evidence', cell: (row) => <Evidence waiver={row} /> },
    {
      key: 'asked',
      label: t('askedBy'),
      cell: (row) =>
        lines(<Day value={row.requestedAt} />, row.requestedBy + (row.byOffice ? ` (${t('byOffice')})` : '')),
    },
    {
      key: 'amount',
      num: true,
      cell: ({ amount, amountAsked }) =>
        lines(
          <Rupees amount={amount} />,
          amountAsked !== null && t('amountAsked', { amount: formatRupees(amountAsked) }),
        ),
    },
    { key: 'decided', cell: (row) => lines(<Day value={row.decidedAt} />, row.decidedBy, row.decision) },
    { key: 'act', act: true, cell: (row) => <WaiverActions waiver={row} onDecide={onDecide} /> },
  ])
}

function Evidence({ waiver: { id, studentName: name } }: { waiver: OfficeWaiver }) {
  const t = words.use()
  const [shown, setShown] = useState(false)
  const label = t('evidenceOf', { name })
  return (
    <>
      <Button kind="text" icon="file" aria-label={t('showOf', { name })} onClick={() => setShown(true)}>
        {t('show')}
      </Button>
      {shown && <FileDialog file={{ call: waiverEvidence, id, label }} onClose={() => setShown(false)} />}
    </>
  )
}

const reasons: Record<string, 'own' | 'over'> = { 'waivers.own': 'own', 'waivers.decided': 'over' }

function WaiverActions({
  waiver,
  onDecide,
}: {
  waiver: OfficeWaiver
  onDecide: (deciding: WaiverDecision) => void
}) {
  const t = words.use()
  const { decide } = waiver.can
  const disabledReason = decide === true ? undefined : t(reasons[decide] ?? 'mayNot')
  const name = waiver.studentName
  return (
    <span className="row inline one-line gap-2">
      <Button
        disabled={disabledReason}
        aria-label={t('approveOf', { name })}
        onClick={() => onDecide({ how: 'approve', waiver })}>
        {t('approve')}
      </Button>
      <Button
        kind="danger"
        disabled={disabledReason}
        aria-label={t('declineOf', { name })}
        onClick={() => onDecide({ how: 'decline', waiver })}>
        {t('decline')}
      </Button>
    </span>
  )
}

interface Props {
  waiver: OfficeWaiver
  onClose: () => void
}

const shown = [officeWaivers]

/** Approves a waiver after explaining the effect. */
function ApproveDialog({ waiver, onClose }: Props) {
  const t = words.use()
  const { id, version, amount, studentName: name, schName: school } = waiver
  return (
    <ConfirmAction
      title={t('approveTitle', { amount: formatRupees(amount), name })}
      action={t('approve')}
      act={() => call(approveWaiver, { body: { id, version, amount } })}
      invalidates={shown}
      done={t('approveDone', { name })}
      onClose={onClose}>
      {t('approveHint', { school })}
    </ConfirmAction>
  )
}

/** Declines a waiver, with a reason that the school reads. */
function DeclineDialog({ waiver, onClose }: Props) {
  const t = words.use()
  const { id, version, studentName: name } = waiver
  return (
    <ReasonDialog
      title={t('declineTitle', { name })}
      description={t('declineHint')}
      picks="waiver"
      action={t('decline')}
      danger
      draftKey={`waiver.${id}`}
      act={(reason) => call(declineWaiver, { body: { id, version, reason } })}
      invalidates={shown}
      done={t('declineDone', { name })}
      onClose={onClose}
    />
  )
}
