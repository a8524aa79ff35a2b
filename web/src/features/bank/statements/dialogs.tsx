import {
  type BankLine,
  bankLines,
  bookExactLines,
  discardLine,
  exactLines,
} from '@podium/contract/bank/calls'
import {
  bankStatements,
  dayOrders,
  importStatement,
  mappingText,
  previewStatement,
  type StatementMapping,
  type StatementPreview,
  statementColumns,
} from '@podium/contract/bank/calls-statements'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { callOnce } from '#shell/call-once.ts'
import { focusFirstError } from '#shell/field-focus.ts'
import { ListProblem, useLeaveQuestion } from '#shell/form-dialog.tsx'
import { dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint, useFreshQuery, useInvalidate } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { useAttempt } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog, Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { FileField } from '#ui/file-field.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { type BankLines, type Choice, returnReason, useKindName, words } from './lines.tsx'

interface ImportProps {
  onClose: () => void
  /** Receives the statement, how many of its lines are new or known, and the job that matches them. */
  onImported: (imported: AnswerOf<typeof importStatement>) => void
}

/** Has the server read the file each time the columns change. Nothing is saved before «Import». */
function useStatementPreview() {
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<StatementPreview>()
  const { busy: reading, problem, attempt } = useAttempt()
  const read = async (chosen: File | null, mapping?: StatementMapping) => {
    setFile(chosen)
    // The next change of the columns must not undo this one.
    setPreview((before) => before && mapping && { ...before, mapping })
    const query = mapping ? { mapping: mappingText(mapping) } : {}
    await attempt(
      async () => (chosen ? call(previewStatement, { query, file: chosen }) : undefined),
      setPreview,
    )
  }
  return { file, preview, reading, problem, read }
}

/** Imports a bank statement: file, account, column mapping and a preview. */
export function ImportDialog({ onClose, onImported }: ImportProps) {
  const t = words.use()
  const statements = useEndpoint(bankStatements)
  const accounts = statements.data?.accounts ?? []
  const { file, preview, reading, problem: parseProblem, read } = useStatementPreview()
  const { busy, problem, attempt } = useAttempt('all')
  const [account, setAccount] = useState<string>()
  const [tried, setTried] = useState(false)
  /** Its key stays while the same is sent again, so that a lost answer does not make a second statement. */
  const sent = useRef({ file, text: '', key: '' })
  const { leave, question } = useLeaveQuestion(() => file !== null, onClose)
  const only = accounts.length === 1 ? accounts[0]?.accountNo : undefined
  const accountNo = account ?? (preview?.accountNo || only || '')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    focusFirstError(event.currentTarget)
    // The file may not have been read because the connection was lost.
    if (file && !preview && !reading) return void read(file)
    if (!file || !preview || isEmpty(preview) || accountNo === '' || busy) return
    const query = { mapping: mappingText(preview.mapping), accountNo }
    const text = mappingText(preview.mapping) + accountNo
    if (file !== sent.current.file || text !== sent.current.text)
      sent.current = { file, text, key: crypto.randomUUID() }
    const idempotencyKey = sent.current.key
    void attempt(async () => onImported(await callOnce(importStatement, { query, file, idempotencyKey })))
  }
  return (
    <Dialog opened onClose={leave} title={t('importTitle')} size="wide">
      {question}
      <form className="dlg-form" onSubmit={submit} noValidate>
        <DialogBody>
          <div className="stack">
            {problem && <Note kind="bad">{problem}</Note>}
            <FileField
              label={t('file')}
              hint={t('fileHint')}
              accept=".csv,.xlsx,.txt,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
              error={tried && !file ? t('fileMissing') : parseProblem}
              onChange={(chosen) => void read(chosen)}
            />
            {reading && !preview && <Skeleton shape="form" rows={4} />}
            {preview && (
              <>
                <SelectField
                  label={t('account')}
                  hint={t('accountHint')}
                  empty=""
                  value={accountNo}
                  error={tried && accountNo === '' ? t('accountMissing') : undefined}
                  choices={accounts.map((account) => ({
                    value: account.accountNo,
                    label: t('accountFor', { bank: account.bankName, account: account.accountNo }),
                  }))}
                  onChange={(event) => setAccount(event.currentTarget.value)}
                />
                <ListProblem error={statements.data ? null : statements.error} retry={statements.refetch} />
                <MappingFields preview={preview} onChange={(mapping) => void read(file, mapping)} />
                <ReadSummary preview={preview} />
              </>
            )}
          </div>
        </DialogBody>
        <DialogFoot onCancel={onClose}>
          <Button
            type="submit"
            kind="primary"
            busy={busy || reading}
            disabled={preview && isEmpty(preview) ? t('readNothing') : undefined}>
            {preview && preview.lines > 0 ? t('importNow', { n: preview.lines }) : t('importOther')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

/** Whether nothing was read. Outgoing lines count too: they may show returned payments. */
const isEmpty = ({ lines, outgoing }: StatementPreview) => lines + outgoing === 0

const hasColumns = ({ mapping: { day, credit, amount } }: StatementPreview) =>
  day >= 0 && (credit >= 0 || amount >= 0)

function ReadSummary({ preview }: { preview: StatementPreview }) {
  const t = words.use()
  if (!hasColumns(preview)) return <Note kind="due">{t('chooseColumns')}</Note>
  if (isEmpty(preview)) return <Note kind="bad">{t('readNothing')}</Note>
  return (
    <div className="stack">
      <Note kind={preview.unreadRows > 0 ? 'due' : 'ok'}>
        {preview.lines === 0
          ? t('readNoCredits')
          : t('read', {
              n: preview.lines,
              amount: formatRupees(preview.amount),
              from: dayText(preview.firstDay),
              to: dayText(preview.lastDay),
            })}{' '}
        {preview.outgoing > 0 && t('outgoing', { n: preview.outgoing })}{' '}
        {preview.unreadRows > 0 && t('unread', { n: preview.unreadRows })}
        {preview.unread.length > 0 && (
          <ul>
            {preview.unread.slice(0, 5).map(({ row, text }) => (
              <li key={row}>{t('unreadRow', { row, text })}</li>
            ))}
          </ul>
        )}
      </Note>
      {preview.lines > 0 && (
        <table className="compact bank-first">
          <caption>{t('firstLines')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('day')}</th>
              <th scope="col">{t('narration')}</th>
              <th scope="col" className="num">
                {t('amount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {preview.first.map((line) => (
              <tr key={line.row}>
                <td className="nowrap">{dayText(line.day)}</td>
                <td>
                  {line.narration} <span className="under code">{line.utr}</span>
                </td>
                <td className="num">{formatRupees(line.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

interface MappingProps {
  preview: StatementPreview
  onChange: (mapping: StatementMapping) => void
}

/** Maps the file's columns; each choice shows a sample from the first rows. */
function MappingFields({ preview, onChange }: MappingProps) {
  const t = words.use()
  const { mapping, headings, samples } = preview
  const choices = headings.map((heading, index) => {
    const sample = samples[index]?.find((cell) => cell !== '')
    const name = heading === '' ? t('column', { n: index + 1 }) : heading
    return { value: String(index), label: sample ? `${name} (${sample.slice(0, 24)})` : name }
  })
  return (
    <fieldset className="bank-mapping">
      <legend>{t('columns')}</legend>
      {(preview.remembered || preview.headingRow > 0) && (
        <p className="hint">
          {preview.remembered ? t('remembered') : t('guessed', { row: preview.headingRow })}
        </p>
      )}
      <div className="grid">
        {statementColumns.map((name) => (
          <SelectField
            key={name}
            className="c3"
            label={t(`col_${name}`)}
            empty={t('noColumn')}
            value={mapping[name] < 0 ? '' : String(mapping[name])}
            choices={choices}
            onChange={(event) => {
              const { value } = event.currentTarget
              onChange({ ...mapping, [name]: value === '' ? -1 : Number(value) })
            }}
          />
        ))}
        <SelectField
          className="c3"
          label={t('order')}
          value={mapping.order}
          choices={dayOrders.map((order) => ({ value: order, label: t(`order_${order}`) }))}
          onChange={(event) => {
            const order = dayOrders.find((dayOrder) => dayOrder === event.currentTarget.value) ?? 'dmy'
            onChange({ ...mapping, order })
          }}
        />
      </div>
    </fieldset>
  )
}

const shown = [bankLines]

interface Props {
  lines: BankLines
  onClose: () => void
  /** Called with the id of the booking job once it has started. */
  onBooking: (jobId: string) => void
}

/** Books all exact lines after a confirmation with number and amount. */
export function BookAllDialog({ lines, onClose, onBooking }: Props) {
  const t = words.use()
  const { data: exact, error, refetch } = useFreshQuery(exactLines, { query: lines.asked })
  const problem = exact ? null : error
  return (
    <ConfirmAction
      title={t('bookAllTitle', { n: exact?.lines.length ?? lines.list.data?.counts.exact.lines ?? 0 })}
      action={t('bookAllNow')}
      busy={!exact && !problem}
      disabled={problem ? translateSentence(problem.message) : undefined}
      act={() => call(bookExactLines, { body: { lines: exact?.lines ?? [] } })}
      invalidates={shown}
      onDone={({ jobId }) => {
        onBooking(jobId)
        onClose()
      }}
      onClose={onClose}>
      {exact && <p>{t('bookAllHint', { n: exact.schools, amount: formatRupees(exact.amount) })}</p>}
      {!exact && !problem && <Skeleton shape="text" rows={3} />}
      {problem && <LoadProblem error={problem} retry={refetch} />}
    </ConfirmAction>
  )
}

interface BookProps {
  line: BankLine
  choice: Choice
  busy: boolean
  onConfirm: () => Promise<void>
  onCancel: () => void
}

/** Confirms the booking of a line: its receipts, and the amounts added to or taken from credit. */
export function BookDialog({ line, choice, busy, onConfirm, onCancel }: BookProps) {
  const t = words.use()
  useEffect(() => {
    // The Enter that opened the dialog, if still held down, must not confirm it.
    const hold = (event: KeyboardEvent) => event.key === 'Enter' && event.repeat && event.preventDefault()
    window.addEventListener('keydown', hold, true)
    return () => window.removeEventListener('keydown', hold, true)
  }, [])
  const chosen = choice.items.filter(({ key }) => choice.chosen.has(key))
  const receipts = chosen.filter(({ state }) => state === 'open').length
  const kindName = useKindName()
  const nameOf = (id: number) => choice.schools.find(({ schoolId }) => schoolId === id)?.schName ?? ''
  return (
    <ConfirmDialog
      opened
      title={t('askTitle', { amount: formatRupees(line.amount) })}
      action={t('book', { amount: formatRupees(line.amount) })}
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}>
      <ul className="bank-items">
        {chosen.map((item) => (
          <li key={item.key}>
            <span>
              {item.schName} <small className="under">{`${item.schCode}, ${kindName(item)}`}</small>
            </span>
            <b>{formatRupees(item.amount)}</b>
          </li>
        ))}
        {choice.credits.map(({ schoolId, amount }) => (
          <li key={schoolId}>
            <span>{t('askCredit', { school: nameOf(schoolId) })}</span>
            <b>{formatRupees(amount)}</b>
          </li>
        ))}
        {choice.used.map(({ schoolId, amount }) => (
          <li key={schoolId}>
            <span>{t('askUsed', { school: nameOf(schoolId) })}</span>
            <b>{formatRupees(-amount)}</b>
          </li>
        ))}
      </ul>
      <p>{receipts > 0 ? t('askReceipts', { n: receipts }) : t('askNoReceipt')}</p>
    </ConfirmDialog>
  )
}

interface DiscardProps {
  line: BankLine
  onClose: () => void
  onDecided: () => void
}

function firstReason(t: ReturnType<typeof words.use>, { state, utr, bouncedOn }: BankLine): string {
  if (state === 'bounced') return returnReason(bouncedOn)
  return state === 'duplicate' ? t('duplicateReason', { utr }) : ''
}

/** Ignores a line, with the reason why it is not from a school. */
export function DiscardDialog({ line, onClose, onDecided }: DiscardProps) {
  const t = words.use()
  const invalidate = useInvalidate('all')
  const amount = formatRupees(line.amount)
  const lines = [{ id: line.id, version: line.version }]
  return (
    <ReasonDialog
      title={t('discardTitle', { amount })}
      description={t('discardHint')}
      hint={t('reasonHint')}
      first={firstReason(t, line)}
      rule={discardLine.body.shape.reason}
      picks="bank"
      action={t('discardNow')}
      danger
      draftKey={`bank.discard.${line.id}`}
      act={(reason) => call(discardLine, { body: { lines, reason } })}
      done={t('doneDiscarded', { amount })}
      onDone={() => {
        // Before the refresh: the next line is chosen from the old list.
        onDecided()
        return invalidate()
      }}
      onClose={onClose}
    />
  )
}
