import type { OfficeLedgerRow, OfficeLedgerSums } from '@podium/contract/ledger/calls'
import { formatRupees } from '@podium/contract/money'
import { Link } from '@tanstack/react-router'
import { count, Rupees } from '#shell/format.tsx'
import { officePaths } from '#shell/paths.ts'
import { Button } from '#ui/button.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { words } from './words-ledger.ts'

type Amount = 'gross' | 'retained' | 'payable' | 'paid' | 'verifying' | 'credit' | 'balance'

/** The columns of the ledger; their feet are the sums of all that is filtered, not of the page. */
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
          <span className="under">{[row.schCode, row.city, row.state].filter(Boolean).join(', ')}</span>
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
