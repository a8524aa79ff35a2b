import { rupeesOf } from '@podium/contract/money'
import type { FileAnswer } from '#platform/http/http'
import { withoutControls } from '#platform/sheets/spreadsheet-rows'
import { type ListColumn, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-write'
import type { JournalRow } from './queries.ts'

const columns: readonly ListColumn<JournalRow>[] = [
  { title: 'Day', kind: 'date', value: (row) => row.day },
  { title: 'What', width: 22, value: (row) => row.kind },
  { title: 'School code', width: 12, value: (row) => row.code },
  { title: 'School', width: 36, value: (row) => row.school },
  { title: 'Season', width: 10, value: (row) => row.season },
  { title: 'Receipt No.', value: (row) => row.receipt_no },
  { title: 'Reference', value: (row) => row.reference },
  { title: 'UTR', value: (row) => row.utr },
  { title: 'Bank day', kind: 'date', value: (row) => row.bank_day },
  { title: 'Amount', kind: 'money', value: (row) => rupeesOf(row.amount) },
  { title: 'By', value: (row) => row.by },
  { title: 'Note', width: 40, value: (row) => row.note },
]

/** The journal for the accountant; amounts in rupees, negative for used credit and refunds. */
export function journalFile(
  rows: readonly JournalRow[],
  from: string,
  until: string,
  format: SheetFormat | 'tally',
): FileAnswer['file'] {
  const name = `Journal ${from} to ${until}`
  if (format === 'tally')
    return { name: `${name}.xml`, mediaType: 'application/xml', content: Buffer.from(tallyXml(rows)) }
  return sheetFile(name, columns, rows, format)
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const text = (words: string) => withoutControls(words).replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
const tag = (name: string, words: string) => `<${name}>${text(words)}</${name}>`
const message = (object: string) => `<TALLYMESSAGE xmlns:UDF="TallyUDF">${object}</TALLYMESSAGE>\n`

/** The ledger name of a school, as in the spreadsheet. */
const ledgerOf = ({ school, code }: JournalRow) => `${school} (${code})`
const bank = 'Bank'

interface Voucher {
  row: JournalRow
  /** Money into the bank; negative for money out */
  amount: number
}

/**
 * The movements of money: verified payments without the part paid from credit at the same time, credit received by bank,
 * refunds, and credit used later for a payment that was assumed to be complete. Entries that only locate money or change
 * amounts due move none.
 */
function vouchers(rows: readonly JournalRow[]): Voucher[] {
  const moment = (row: JournalRow) => `${row.receipt_no} ${row.at.getTime()}`
  const verified = new Set(rows.filter(({ kind }) => kind === 'Payment verified').map(moment))
  const used = new Map<string, number>()
  const moved: Voucher[] = []
  for (const row of rows)
    if (row.kind === 'Credit used' && verified.has(moment(row)))
      used.set(moment(row), (used.get(moment(row)) ?? 0) + row.amount)
    else if (
      [
        'Payment verified',
        'Payment reversed',
        'Credit received',
        'Credit used',
        'Credit returned by the bank',
        'Refund paid',
      ].includes(row.kind)
    )
      moved.push({ row, amount: row.amount })
  return moved
    .map(({ row, amount }) => ({
      row,
      amount: amount + (row.kind === 'Payment verified' ? (used.get(moment(row)) ?? 0) : 0),
    }))
    .filter(({ amount }) => amount !== 0)
}

/** A ledger entry; in Tally a debit is negative and «deemed positive». */
function entry(ledger: string, credit: number): string {
  const fields = [
    tag('LEDGERNAME', ledger),
    tag('ISDEEMEDPOSITIVE', credit < 0 ? 'Yes' : 'No'),
    tag('AMOUNT', rupeesOf(credit).toFixed(2)),
  ]
  return `<ALLLEDGERENTRIES.LIST>${fields.join('')}</ALLLEDGERENTRIES.LIST>`
}

function voucherXml({ row, amount }: Voucher): string {
  const type = amount > 0 ? 'Receipt' : 'Payment'
  const parts = [row.kind, row.season, row.reference, row.utr && `UTR ${row.utr}`, row.note].filter(Boolean)
  const fields = [
    tag('DATE', row.day.replaceAll('-', '')),
    tag('VOUCHERTYPENAME', type),
    ...(row.kind === 'Payment verified' ? [tag('VOUCHERNUMBER', row.receipt_no)] : []),
    tag('REFERENCE', row.receipt_no || row.reference),
    tag('PARTYLEDGERNAME', ledgerOf(row)),
    tag('NARRATION', parts.join(', ')),
    entry(ledgerOf(row), amount),
    entry(bank, -amount),
  ]
  // An entry has the same id in every file, so importing a period twice does not duplicate it.
  return message(
    `<VOUCHER REMOTEID="podium-${row.entry}" VCHTYPE="${type}" ACTION="Create">${fields.join('')}</VOUCHER>`,
  )
}

function ledgerXml(name: string, parent: string): string {
  return message(
    `<LEDGER NAME="${text(name)}" ACTION="Create">${tag('NAME', name)}${tag('PARENT', parent)}</LEDGER>`,
  )
}

/** Receipts and payments as XML for Tally Prime, with the ledgers they use. */
function tallyXml(rows: readonly JournalRow[]): string {
  const moved = vouchers(rows)
  const schools = [...new Set(moved.map(({ row }) => ledgerOf(row)))]
  const ledgers = [
    ledgerXml(bank, 'Bank Accounts'),
    ...schools.map((name) => ledgerXml(name, 'Sundry Debtors')),
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<ENVELOPE><HEADER><TALLYREQUEST>Import Data</TALLYREQUEST></HEADER>',
    '<BODY><IMPORTDATA><REQUESTDESC><REPORTNAME>All Masters</REPORTNAME></REQUESTDESC><REQUESTDATA>\n',
    ...ledgers,
    ...moved.map(voucherXml),
    '</REQUESTDATA></IMPORTDATA></BODY></ENVELOPE>\n',
  ].join('')
}
