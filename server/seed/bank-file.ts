import { formatDay } from '@podium/contract/season'

/** A transfer as a bank's statement shows it; the amount in rupees, negative for money that went out. */
export interface StatementRow {
  /** `2026-11-18` */
  day: string
  narration: string
  utr: string
  amount: number
}

const money = (amount: number) =>
  amount.toLocaleString('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A statement as banks write it: whose account above, headings, the transfers with a running balance, a last remark. */
export function statementCsv(accountNo: string, rows: readonly StatementRow[]): string {
  let balance = 2_45_000
  const lines = rows.map(({ day, narration, utr, amount }) => {
    balance += amount
    const [out, into] = amount < 0 ? [money(-amount), ''] : ['', money(amount)]
    return [
      formatDay(day),
      formatDay(day),
      `"${narration}"`,
      utr,
      `"${out}"`,
      `"${into}"`,
      `"${money(balance)}"`,
    ].join(',')
  })
  return [
    'Sahyadri Sample Bank,,,,,,',
    `Account Number:,${accountNo.replace(/(\d{4})(?=\d)/g, '$1 ')},,,,,`,
    ',,,,,,',
    'Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance',
    ...lines,
    '** This is a computer generated statement **,,,,,,',
  ].join('\r\n')
}
