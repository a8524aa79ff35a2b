import type { PaymentState } from '@podium/contract/payments/calls'
import {
  bankFilters,
  exportPayments,
  officePaymentDetails,
  officePaymentProof,
  officePayments,
} from '@podium/contract/payments/calls-verification'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { AssignedFilter, assignedQuery, useOpenRow, useSelectedRows } from '#shell/assignments/assigned.tsx'
import { FileView } from '#shell/file-view.tsx'
import { useFilters } from '#shell/filters.ts'
import { useMay } from '#shell/guard.ts'
import { useLastPage } from '#shell/list-table.tsx'
import { LoadProblem, PanelProblem } from '#shell/load-problem.tsx'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { useKey } from '#shell/use-shortcuts.ts'
import { Segmented } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { focusOpenRow } from '#ui/list-arrows.ts'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { officePaymentFilters } from '../office-filters.ts'
import { NothingHere, Queue, stateOf, UndoBookings, words } from './queue.tsx'
import { PaymentPanel } from './side.tsx'
import '#ui/check.css'
import '#shell/desk.css'
import './verification.css'

const many = () => import('./dialogs.tsx')
const VerifyManyDialog = lazyDialog(many, 'VerifyManyDialog')
const RejectManyDialog = lazyDialog(many, 'RejectManyDialog')
const dialogs = () => import('./dialogs.tsx')
const VerifyDialog = lazyDialog(dialogs, 'VerifyDialog')
const RejectDialog = lazyDialog(dialogs, 'RejectDialog')

/** The office's payment queue: list, proof and decision side by side. */
export function OfficePaymentsPage() {
  const t = words.use()
  const season = useSeason()
  const filters = useFilters(officePaymentFilters)
  const { state, search, sort, page, assigned } = filters.values
  const bank = state === 'pending' ? filters.values.bank : ''
  const query = {
    ...{ FYear: season, state, search, sort },
    ...(bank === '' ? {} : { bank }),
    ...assignedQuery(assigned),
  }
  const set = Number(bank !== '') + Number(assigned !== '')
  const list = useQuery({
    ...endpointQuery(officePayments, { query: { ...query, page: String(page) } }),
    refetchInterval: ({ state: { data } }) => (data?.bookings.length ? 5000 : false),
  })
  const counts = list.data?.counts
  const views = useListView<never>('payments', [])
  const tab = (value: PaymentState) => ({
    value,
    label: counts ? t('listTitle', { state: stateOf(t, value), n: counts[value] }) : stateOf(t, value),
  })
  return (
    <>
      <PageHeader title={t('title')} fact={counts && t('fact', { n: counts.pending, season })} />
      <FilterRow
        set={set}
        {...(set === 0 ? {} : { onClear: () => filters.change({ bank: '', assigned: '', id: 0 }) })}
        search={
          <SearchField
            label={t('search')}
            placeholder={t('searchHint')}
            {...filters.field('search', { id: 0 })}
          />
        }
        view={
          <div className="view-tools">
            <Segmented
              label={t('state')}
              value={filters.shown.state}
              choices={[tab('pending'), tab('verified'), tab('rejected')]}
              onChange={(next) => filters.change({ state: next, id: 0 })}
            />
            {views.tools}
            <ListDownloads endpoint={exportPayments} bodyOf={(format) => ({ ...query, format })} />
          </div>
        }>
        {filters.shown.state === 'pending' && (
          <SelectField
            className="on-bank"
            label={t('onBank')}
            empty={t('anyBank')}
            choices={bankFilters.map((value) => ({
              value,
              label: list.data
                ? t('listTitle', { state: t(`bank_${value}`), n: list.data.onBank[value] })
                : t(`bank_${value}`),
            }))}
            {...filters.field('bank', { id: 0 })}
          />
        )}
        <AssignedFilter
          kind="payment"
          value={filters.shown.assigned}
          onChange={(next) => filters.change({ assigned: next, id: 0 })}
        />
      </FilterRow>
      {list.data && list.data.bookings.length > 0 && <UndoBookings bookings={list.data.bookings} />}
      {list.isPending && <Skeleton shape="table" rows={8} />}
      {list.isError && !list.data && <PanelProblem error={list.error} retry={() => list.refetch()} />}
      {list.data && (
        <Workspace
          list={list.data}
          updatedAt={list.dataUpdatedAt}
          stale={list.isPlaceholderData}
          filters={filters}
        />
      )}
    </>
  )
}

type Filters = ReturnType<typeof useFilters<(typeof officePaymentFilters)['readers']>>
type List = NonNullable<ReturnType<typeof useEndpoint<typeof officePayments>>['data']>

interface WorkspaceProps {
  list: List
  updatedAt: number
  stale: boolean
  filters: Filters
}

function Workspace({ list, updatedAt, stale, filters }: WorkspaceProps) {
  const { state, sort, page, search } = filters.values
  const rows = list.data
  useLastPage(list, filters)
  const opened = useOpenRow({
    chosen: filters.shown.id,
    first: rows[0]?.id ?? 0,
    list: JSON.stringify({ ...filters.values, id: 0 }),
    updatedAt,
    stale,
  })
  const { id } = opened
  const view = useRef<HTMLElement>(null)
  const open = (next: number) => {
    filters.change({ id: next, page })
    // On narrow screens the parts are stacked: scroll to the open payment.
    if (window.innerWidth <= 900) view.current?.scrollIntoView()
  }
  const index = rows.findIndex((row) => row.id === id)
  const decided = (paymentId: number) => {
    // Another one may have been opened while the answer was awaited.
    if (!opened.isOpen(paymentId)) return
    const next = rows[index + 1] ?? rows[index - 1]
    if (!next) opened.renew()
    open(next?.id ?? 0)
  }
  const step = (by: number) => {
    const target = rows[index + by]
    focusOpenRow()
    if (target) open(target.id)
  }
  const chosen = useSelectedRows(rows)
  const decides = useMay('payments.decide')
  const chooses = state === 'pending' && decides
  const [asking, setAsking] = useState<'verify' | 'reject'>()
  const close = () => setAsking(undefined)
  const decidedMany = () => {
    chosen.clear()
    opened.renew()
  }
  useKey('j', () => step(1))
  useKey('k', () => step(-1))
  useKey('x', chooses && index >= 0 ? () => chosen.toggle(id) : undefined)
  return (
    <>
      {rows.length === 0 && filters.shown.id === 0 ? (
        <NothingHere
          filtered={
            search !== '' ||
            state !== 'pending' ||
            filters.values.bank !== '' ||
            filters.values.assigned !== ''
          }
          onClear={filters.clear}
        />
      ) : (
        <div className="desk paydesk" aria-busy={stale || undefined}>
          <Queue
            rows={rows}
            state={state}
            total={list.total}
            page={page}
            size={list.pageSize}
            sort={sort}
            current={id}
            chosen={chooses ? chosen : undefined}
            onVerify={() => setAsking('verify')}
            onReject={() => setAsking('reject')}
            onChoose={open}
            onSort={(chosen) => filters.change({ sort: chosen, id: 0 })}
            onPage={(chosen) => filters.change({ page: chosen, id: 0 })}
          />
          <OpenPayment
            key={id}
            id={id}
            view={view}
            onNext={() => decided(id)}
            onOpen={(paymentId, paymentState) =>
              filters.change({ id: paymentId, state: paymentState, search: '', assigned: '' })
            }
          />
        </div>
      )}

      {asking === 'verify' && <VerifyManyDialog rows={chosen.rows} onClose={close} onDone={decidedMany} />}
      {asking === 'reject' && <RejectManyDialog rows={chosen.rows} onClose={close} onDone={decidedMany} />}
    </>
  )
}

interface OpenProps {
  id: number
  view: React.RefObject<HTMLElement | null>
  onNext: () => void
  onOpen: (id: number, state: PaymentState) => void
}

/** The open payment. `V` verifies it and `R` rejects it, each after a confirmation. */
function OpenPayment({ id, view, onNext, onOpen }: OpenProps) {
  const t = words.use()
  const details = useEndpoint(officePaymentDetails, { query: { id: String(id) }, enabled: id > 0 })
  const [asking, setAsking] = useState<'verify' | 'reject'>()
  // While the next payment loads, the data is still the previous one's.
  const payment = details.data?.payment.id === id ? details.data.payment : undefined
  const decides = payment?.can.decide === true
  useKey('v', decides ? () => setAsking('verify') : undefined)
  useKey('r', decides ? () => setAsking('reject') : undefined)
  const close = () => setAsking(undefined)
  const decided = () => {
    close()
    onNext()
  }
  if (details.isError && !payment) {
    return (
      <section ref={view}>
        <LoadProblem error={details.error} retry={() => details.refetch()} />
      </section>
    )
  }
  return (
    <>
      <section className="view" ref={view} aria-label={t('proof')}>
        {payment ? (
          <FileView
            file={{ call: officePaymentProof, id, label: t('proofOf', { name: payment.proofName }) }}
            title={<h2>{payment.proofName}</h2>}
          />
        ) : (
          <Skeleton shape="text" rows={8} />
        )}
      </section>
      <section className="side" aria-label={t('decision')}>
        {payment ? (
          <PaymentPanel
            payment={payment}
            onVerify={() => setAsking('verify')}
            onReject={() => setAsking('reject')}
            onOpen={onOpen}
          />
        ) : (
          <Skeleton shape="text" rows={8} />
        )}
      </section>
      {payment &&
        asking &&
        (asking === 'verify' ? (
          <VerifyDialog payment={payment} onClose={close} onDecided={decided} />
        ) : (
          <RejectDialog payment={payment} onClose={close} onDecided={decided} />
        ))}
    </>
  )
}
