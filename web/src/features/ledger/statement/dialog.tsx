import { officeAccount } from '@podium/contract/bank/calls-credits'
import { officeStatement } from '@podium/contract/ledger/calls'
import type { StatementLine } from '@podium/contract/ledger/calls-statement'
import { openFile } from '#shell/download.ts'
import { Day, Rupees } from '#shell/format.tsx'
import { ListTable } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { fetchFile } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/note.tsx'
import { feeName, words } from '../words.ts'

interface AccountProps {
  school: { schoolId: number; schName: string }
  onClose: () => void
}

/** A school's statement of account as the school sees it, with its fee statement as PDF. */
export function AccountDialog({ school, onClose }: AccountProps) {
  const t = words.use()
  const season = useSeason()
  const query = { schoolId: String(school.schoolId), FYear: season }
  const account = useEndpoint(officeAccount, { query })
  const print = () => fetchFile(officeStatement, { query }, openFile)
  const rows = account.data?.data.map((line, index) => ({ ...line, at: index }))
  const columns: Column<StatementLine & { at: number }>[] = columnsOf(t, [
    { key: 'day', cell: (line) => <Day value={line.day} /> },
    {
      key: 'what',
      title: true,
      cell: (line) =>
        lines(
          t(`kind_${line.kind}`, { fee: feeName(t, line.paymentFor), receiptNo: line.receiptNo }),
          line.reference,
        ),
    },
    { key: 'debit', num: true, cell: (line) => <Rupees amount={line.debit} dash /> },
    { key: 'credit', num: true, cell: (line) => <Rupees amount={line.credit} dash /> },
    { key: 'balance', num: true, strong: true, cell: (line) => <Rupees amount={line.balance} /> },
  ])
  return (
    <Dialog opened onClose={onClose} title={t('accountTitle', { school: school.schName })} size="wide">
      <DialogBody>
        <ListTable
          list={account}
          caption={t('account')}
          columns={columns}
          rows={rows}
          rowKey={(line) => String(line.at)}
          empty={<EmptyState icon="rupee">{t('nothingCharged')}</EmptyState>}
        />
      </DialogBody>
      <DialogFoot onClose={onClose}>
        <Button icon="download" onClick={() => void print()}>
          {t('statementPdf')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
