import { paise, rupees } from '@podium/contract/money'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'

/** The accounts that schools pay or have paid to. */
export async function bankAccounts(db: Db | Tx) {
  const rows = await db
    .selectFrom('bank_accounts')
    .select(['account_no', 'bank_name', 'purpose'])
    .where('stopped_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  const accounts = new Map<string, { accountNo: string; bankName: string; purposes: string[] }>()
  for (const { account_no, bank_name, purpose } of rows) {
    const known = accounts.get(account_no) ?? { accountNo: account_no, bankName: bank_name, purposes: [] }
    if (!known.purposes.includes(purpose)) known.purposes.push(purpose)
    accounts.set(account_no, known)
  }
  return [...accounts.values()].reverse()
}

export async function accountNumbers(db: Db | Tx): Promise<string[]> {
  return (await bankAccounts(db)).map(({ accountNo }) => accountNo)
}

/** The last fifty statements that were imported, the newest first, and the accounts they can be of. */
export async function statementsOf(db: Db, scope: OfficeScope) {
  const rows = await db
    .selectFrom('bank_statements as s')
    .innerJoin('staff as o', 'o.id', 's.imported_by')
    .select([
      's.id',
      's.account_no',
      's.file_name',
      's.file_sha256',
      's.first_day',
      's.last_day',
      's.lines',
      's.fresh',
      's.amount',
      's.outgoing',
      's.job_id',
      's.imported_by',
      's.imported_at',
    ])
    .select('o.name')
    .orderBy('s.id', 'desc')
    .limit(50)
    .execute()
  return {
    data: rows.map((row) => ({
      id: row.id,
      accountNo: row.account_no,
      fileName: row.file_name,
      firstDay: row.first_day,
      lastDay: row.last_day,
      lines: row.lines,
      fresh: row.fresh,
      outgoing: row.outgoing,
      amount: rupees(paise(row.amount)),
      importedBy: row.name,
      importedAt: row.imported_at.toISOString(),
    })),
    accounts: await bankAccounts(db),
    can: { import: mayDo(scope.role, 'payments.decide') || 'access.denied' },
  }
}
