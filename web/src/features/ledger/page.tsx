import {
  exportLedger,
  ledgerSorts,
  ledgerStatuses,
  type OfficeLedgerRow,
  type OfficeLedgerSums,
  officeLedger,
} from '@podium/contract/ledger/calls'
import { formatRupees } from '@podium/contract/money'
import { officeSchoolPlaces } from '@podium/contract/schools/calls-register'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { count, placeText, Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { ListTable } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import type en from '#words/en/ledger-list.json'
import { ledgerFilters } from './filters.ts'
import './ledger.css'

/** Translations of the ledger of all schools. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/ledger-list.json'))

const AccountDialog = lazy(() => import('./statement/dialog.tsx').then((m) => ({ default: m.AccountDialog })))

function useLedger() {
  const season = useSeason()
  const filters = useFilters(ledgerFilters)
  const { page, ...wanted } = filters.values
  const asked = { FYear: season, ...wanted }
  const list = useEndpoint(officeLedger, { query: { ...asked, page: String(page) } })
  const uncounted = list.data?.uncounted ?? 0
  const { refetch } = list
  useEffect(() => {
    if (uncounted === 0) return
    const soon = setTimeout(() => void refetch(), 1_000)
    return () => clearTimeout(soon)
  }, [uncounted, refetch])
  return { season, filters, asked, list, uncounted, set: filters.countSet('search', 'state', 'standing') }
}
type Ledger = ReturnType<typeof useLedger>

/** What each school owes, has paid and keeps in the season, with its statement of account. */
export function LedgerPage() {
  const t = words.use()
  const ledger = useLedger()
  const { list, asked, season, uncounted } = ledger
  const [open, setOpen] = useState<OfficeLedgerRow>()
  const view = useListView('ledger', useLedgerColumns(list.data?.sums, setOpen))
  const verifying = list.data?.sums.verifying ?? 0
  const fact = list.data && {
    n: list.data.total,
    season,
    amount: formatRupees(list.data.sums.balance),
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={
          fact &&
          t('fact', fact) + (verifying > 0 ? t('ofItToVerify', { amount: formatRupees(verifying) }) : '')
        }
      >
        <ListDownloads endpoint={exportLedger} bodyOf={(format) => ({ ...asked, format })} />
        <Link
          to={officePaths.schoolMailings}
          search={{
            list: 'ledger',
            search: asked.search,
            state: asked.state,
            balance: asked.standing,
          }}
          className={buttonClass('secondary')}
        >
          {t('emailThem')}
        </Link>
      </PageHeader>
      <Filters ledger={ledger} view={view.tools} />
      {uncounted > 0 && <Note kind="info">{t('counting', { n: uncounted })}</Note>}
      <List ledger={ledger} columns={view.columns} />
      <p className="hint">{t('adds')}</p>
      {open && (
        <Suspense>
          <AccountDialog school={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function Filters({ ledger: { filters, set }, view }: { ledger: Ledger; view: ReactNode }) {
  const t = words.use()
  const { shown } = filters
  const places = useEndpoint(officeSchoolPlaces).data?.data ?? []
  const states = [...new Set([...places.map(({ state }) => state), shown.state].filter(Boolean))].sort()
  const standings = {
    '': 'all',
    owes: 'owes',
    verifying: 'verifying',
    even: 'even',
    credit: 'inCredit',
  } as const
  const orders = {
    name: 'byName',
    code: 'byCode',
    gross: 'byGross',
    retained: 'byRetained',
    paid: 'byPaid',
    balance: 'byBalance',
  } as const
  return (
    <FilterRow
      view={view}
      set={Math.max(0, set - (shown.search === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      search={<SearchField label={t('search')} placeholder={t('searchHint')} {...filters.field('search')} />}
    >
      <SelectField
        label={t('state')}
        empty={t('all')}
        choices={states.map((state) => ({ value: state, label: translateSentence(state) }))}
        {...filters.field('state')}
      />
      <SelectField
        label={t('standing')}
        choices={ledgerStatuses.map((value) => ({ value, label: t(standings[value]) }))}
        {...filters.field('standing')}
      />
      <SelectField
        label={t('order')}
        choices={ledgerSorts.map((value) => ({ value, label: t(orders[value]) }))}
        {...filters.field('sort')}
      />
    </FilterRow>
  )
}

interface ListProps {
  ledger: Ledger
  columns: readonly Column<OfficeLedgerRow>[]
}

function List({ ledger: { list, filters, set }, columns }: ListProps) {
  const t = words.use()
  const { data } = list
  return (
    <ListTable
      caption={t('title')}
      // Most seasons have no adjustments; leave the width to the names.
      columns={columns.filter(
        ({ key }) => key !== 'changed' || [data?.sums, ...(data?.data ?? [])].some(adjusted),
      )}
      list={list}
      filters={filters}
      rowKey={(row) => String(row.schoolId)}
      empty={
        set > 0 ? (
          <EmptyState
            icon="search"
            title={t('nothingFound')}
            actions={<Button onClick={filters.clear}>{t('clear')}</Button>}
          />
        ) : (
          <EmptyState icon="rupee" title={t('none')}>
            {t('noneSays')}
          </EmptyState>
        )
      }
    />
  )
}

const adjusted = (of: OfficeLedgerSums | undefined) => of !== undefined && (of.waived !== 0 || of.moved !== 0)

type Amount = 'gross' | 'retained' | 'payable' | 'paid' | 'verifying' | 'credit' | 'balance'

/** Returns the columns of the ledger. Footers are sums over all filtered schools, not over the page. */
export function useLedgerColumns(
  sums: OfficeLedgerSums | undefined,
  onStatement: (row: OfficeLedgerRow) => void,
): Column<OfficeLedgerRow>[] {
  const t = words.use()
  const amount = (key: Amount, label: string, dash = false): Column<OfficeLedgerRow> => ({
    key,
    label,
    num: true,
    strong: key === 'balance',
    cell: (row) => <Rupees amount={row[key]} dash={dash} />,
    foot: sums && <Rupees amount={sums[key]} />,
  })
  const changed = ({ waived, moved }: OfficeLedgerSums) => (
    <>
      <Rupees amount={waived + moved} dash />
      {waived !== 0 && moved !== 0 && (
        <span className="under">
          {t('waivedSays', { amount: formatRupees(waived) })},{' '}
          {t('movedSays', { amount: formatRupees(moved) })}
        </span>
      )}
    </>
  )
  return [
    {
      key: 'school',
      label: t('school'),
      title: true,
      foot: t('total'),
      cell: (row) => (
        <>
          <Link to={officePaths.school} params={{ id: String(row.schoolId) }} className="lk">
            {row.schName}
          </Link>
          <span className="under">{placeText(row.schCode, row.city, row.state)}</span>
        </>
      ),
    },
    {
      key: 'students',
      label: t('students'),
      num: true,
      cell: (row) => count(row.students),
      foot: sums && count(sums.students),
    },
    amount('gross', t('gross')),
    amount('retained', t('kept')),
    amount('payable', t('payable')),
    amount('paid', t('paid')),
    amount('verifying', t('beingVerified'), true),
    { key: 'changed', label: t('changed'), num: true, cell: changed, foot: sums && changed(sums) },
    amount('credit', t('credit'), true),
    amount('balance', t('balance')),
    {
      key: 'act',
      label: '',
      act: true,
      cell: (row) => (
        <Button aria-label={t('statementOf', { school: row.schName })} onClick={() => onStatement(row)}>
          {t('statement')}
        </Button>
      ),
    },
  ]
}
