import type { OrderLine } from '@podium/contract/books/calls'
import { paymentReceipt } from '@podium/contract/payments/calls'
import { count, Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { fetchFile } from '#shell/use-downloads.ts'
import { Badge } from '#ui/badge.tsx'
import { IconButton } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { useNames, words } from '../figure.ts'

/** The dialog's values: the subject by its code, the category by the field of its kind. */
export interface OrderValues extends Record<string, string> {
  classId: string
  subjectName: string
  bookCategory: string
  quantity: string
}

export const nothingOrdered: OrderValues = { classId: '', subjectName: '', bookCategory: '', quantity: '' }

export function valuesOf(line: OrderLine): OrderValues {
  return {
    classId: String(line.classId),
    subjectName: line.eventLetter,
    bookCategory: line.kind,
    quantity: String(line.quantity),
  }
}

/** Returns the values for another book of the same class and subject. */
export function nextValues({ classId, subjectName }: OrderValues): OrderValues {
  return { ...nothingOrdered, classId, subjectName }
}

const inPaise = (rupees: number) => Math.round(rupees * 100)

/** Totals of lines in rupees, added up in whole paise because rupees with fractions are inexact. */
export function sumsOf(lines: readonly OrderLine[]) {
  const sum = (pick: (line: OrderLine) => number) =>
    lines.reduce((total, line) => total + inPaise(pick(line)), 0) / 100
  return {
    lines: lines.length,
    copies: lines.reduce((total, line) => total + line.quantity, 0),
    gross: sum((line) => line.bookAmount),
    schoolShare: sum((line) => line.book_school_Expenses),
    payable: sum((line) => line.payableAmount),
  }
}

interface Uses {
  edit: (line: OrderLine) => void
  remove: (line: OrderLine) => void
}

interface Props extends Uses {
  season: string
  lines: readonly OrderLine[]
  stale: boolean
}

/** The lines of the library order with price, share and payable amount; totals in the foot. */
export function OrderTable({ season, lines, stale, ...uses }: Props) {
  const t = words.use()
  const { ofClass } = useNames()
  const sums = sumsOf(lines)
  const columns: Column<OrderLine>[] = columnsOf(t, [
    { key: 'class', card: 'none', cell: (line) => <span className="nowrap">{ofClass(line.classId)}</span> },
    {
      key: 'subject',
      title: true,
      cell: (line) => (
        <>
          {translateSentence(line.subjectName)}
          <span className="bo-class">, {ofClass(line.classId)}</span>
        </>
      ),
      foot: t('lines', { n: sums.lines }),
    },
    { key: 'category', card: 'lead', cell: (line) => t(line.kind) },
    {
      key: 'quantity',
      num: true,
      card: 'said',
      cell: (line) => count(line.quantity),
      foot: count(sums.copies),
    },
    { key: 'priceEach', num: true, cell: (line) => <Rupees amount={line.price} /> },
    {
      key: 'price',
      num: true,
      cell: (line) => <Rupees amount={line.bookAmount} />,
      foot: <Rupees amount={sums.gross} />,
    },
    {
      key: 'keeps',
      num: true,
      cell: (line) => <Rupees amount={line.book_school_Expenses} dash />,
      foot: <Rupees amount={sums.schoolShare} />,
    },
    {
      key: 'payable',
      num: true,
      strong: true,
      card: 'lead',
      cell: (line) => <Rupees amount={line.payableAmount} />,
      foot: <Rupees amount={sums.payable} />,
    },
    { key: 'state', card: 'lead', cell: (line) => <State line={line} /> },
    { key: 'act', label: '', act: true, cell: (line) => <Actions line={line} {...uses} /> },
  ])
  return (
    <DataTable
      caption={t('orderCaption', { season })}
      columns={columns}
      rows={lines}
      rowKey={(line) => String(line.id)}
      folds={(line) => `${translateSentence(line.subjectName)}, ${ofClass(line.classId)}, ${t(line.kind)}`}
      stale={stale}
    />
  )
}

function State({ line }: { line: OrderLine }) {
  const t = words.use()
  if (line.status === 'paid') return <Badge kind="paid">{t('paid')}</Badge>
  return line.status === 'sent' ? (
    <Badge kind="waiting">{t('beingVerified')}</Badge>
  ) : (
    <Badge kind="unpaid">{t('unpaid')}</Badge>
  )
}

/**
 * The receipt of a paid line, otherwise Edit and Delete; if a verification or the closing date prevents these, the
 * buttons say so.
 */
function Actions({ line, edit, remove }: { line: OrderLine } & Uses) {
  const t = words.use()
  const { ofClass } = useNames()
  const { paymentId } = line
  if (line.status === 'paid' && paymentId !== null) {
    return (
      <IconButton
        icon="download"
        label={t('receipt', { receiptNo: line.receiptNo })}
        onClick={() => void fetchFile(paymentReceipt, { query: { id: String(paymentId) } })}
      />
    )
  }
  const bookName = `${t(line.kind)}, ${translateSentence(line.subjectName)}, ${ofClass(line.classId)}`
  const reasons: Record<string, string> = {
    'books.sent': t('whySent'),
    'books.closed': t('whyClosed'),
    'books.season_closed': t('whySeason'),
  }
  const off = (can: true | string) => (can === true ? undefined : (reasons[can] ?? can))
  return (
    <>
      <IconButton
        icon="edit"
        label={t('edit', { which: bookName })}
        disabled={off(line.can.edit)}
        onClick={() => edit(line)}
      />
      <IconButton
        icon="delete"
        bad
        label={t('delete', { which: bookName })}
        disabled={off(line.can.delete)}
        onClick={() => remove(line)}
      />
    </>
  )
}
