import {
  exportLedger,
  ledgerSorts,
  ledgerStatuses,
  type OfficeLedgerRow,
  type OfficeLedgerSums,
  officeLedger,
} from '@podium/contract/ledger/calls'
import { formatRupees } from '@podium/contract/money'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { count, placeText, Rupees } from '#shell/format.tsx'
import { defineWords } from '#shell/language/words.ts'
import { choicesOf, ListPage, usePlaceChoices } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { schoolCell } from '#shell/record-links.tsx'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import type en from '#words/en/ledger-list.json'
import { ledgerFilters } from './filters.ts'
import './ledger.css'

/** Translations of the ledger of all schools. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/ledger-list.json'))

const AccountDialog = lazyDialog(() => import('./statement/dialog.tsx'), 'AccountDialog')

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
  return { season, filters, asked, list, uncounted }
}

/** What each school owes, has paid and keeps in the season, with its statement of account. */
export function LedgerPage() {
  const t = words.use()
  const { list, filters, asked, season, uncounted } = useLedger()
  const [open, setOpen] = useState<OfficeLedgerRow>()
  const { states } = usePlaceChoices(filters.shown.state)
  const { data } = list
  const verifying = data?.sums.verifying ?? 0
  const fact = data && { n: data.total, season, amount: formatRupees(data.sums.balance) }
  return (
    <>
      <ListPage
        name="ledger"
        title={t('title')}
        fact={
          fact &&
          t('fact', fact) + (verifying > 0 ? t('ofItToVerify', { amount: formatRupees(verifying) }) : '')
        }
        list={list}
        filters={filters}
        fields={{
          search: { label: t('search'), placeholder: t('searchHint') },
          state: { label: t('state'), all: t('all'), choices: states },
          status: {
            label: t('balanceState'),
            choices: choicesOf(ledgerStatuses, (value) => t(statusWords[value])),
          },
          sort: { label: t('order'), choices: choicesOf(ledgerSorts, (value) => t(orders[value])) },
        }}
        ahead={uncounted > 0 && <Note kind="info">{t('counting', { n: uncounted })}</Note>}
        caption={t('title')}
        // Most seasons have no adjustments; leave the width to the names.
        hidden={[data?.sums, ...(data?.data ?? [])].some(adjusted) ? [] : ['changed']}
        columns={useLedgerColumns(data?.sums, setOpen)}
        rowKey={(row) => String(row.schoolId)}
        nothing={t('nothingFound')}
        empty={
          <EmptyState icon="rupee" title={t('none')}>
            {t('noneHint')}
          </EmptyState>
        }>
        <ListDownloads endpoint={exportLedger} bodyOf={(format) => ({ ...asked, format })} />
        <Link
          to={officePaths.schoolMailings}
          search={{ list: 'ledger', search: asked.search, state: asked.state, balance: asked.status }}
          className={buttonClass('secondary')}>
          {t('emailThem')}
        </Link>
      </ListPage>
      <p className="hint">{t('balanceFormula')}</p>
      {open && <AccountDialog school={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const statusWords = {
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

const adjusted = (of: OfficeLedgerSums | undefined) => of !== undefined && (of.waived !== 0 || of.moved !== 0)

type Amount = 'gross' | 'retained' | 'payable' | 'paid' | 'verifying' | 'credit' | 'balance'

/** Returns the columns of the ledger. Footers are sums over all filtered schools, not over the page. */
function useLedgerColumns(
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
  const changed = ({ waived, moved }: OfficeLedgerSums) =>
    lines(
      <Rupees amount={waived + moved} dash />,
      waived !== 0 && moved !== 0 && (
        <>
          {t('waivedHint', { amount: formatRupees(waived) })},{' '}
          {t('movedHint', { amount: formatRupees(moved) })}
        </>
      ),
    )
  return columnsOf(t, [
    {
      key: 'school',
      title: true,
      foot: t('total'),
      cell: (row) => schoolCell(row, placeText(row.schCode, row.city, row.state)),
    },
    { key: 'students', num: true, cell: (row) => count(row.students), foot: sums && count(sums.students) },
    amount('gross', t('gross')),
    amount('retained', t('schoolShare')),
    amount('payable', t('payable')),
    amount('paid', t('paid')),
    amount('verifying', t('beingVerified'), true),
    { key: 'changed', num: true, cell: changed, foot: sums && changed(sums) },
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
  ])
}
