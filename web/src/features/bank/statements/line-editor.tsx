import {
  type BankItem,
  type BankLine,
  bankItems,
  bookLine,
  quickBookingLimit,
  type SchoolCredit,
} from '@podium/contract/bank/calls'
import { formatRupees } from '@podium/contract/money'
import { officePaymentProof } from '@podium/contract/payments/calls-verification'
import { istTime } from '@podium/contract/season'
import { useDeferredValue, useEffect, useId, useState } from 'react'
import { callOnce } from '#shell/call-once.ts'
import { ListProblem } from '#shell/form-dialog.tsx'
import { dayText, keepDatesTogether, Moment } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { shortcutsOn } from '#shell/use-shortcuts.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { type Choice, Reopen, ReturnedLine, useChoice, useKindName, words } from './lines.tsx'

const FileDialog = lazyDialog(() => import('#shell/file-view.tsx'), 'FileDialog')
const BookDialog = lazyDialog(() => import('./dialogs.tsx'), 'BookDialog')

interface EditorProps {
  line: BankLine
  onDecided: () => void
  onDiscard: () => void
}

/** Assigns a line's money. Starts with the proposal; search adds more. The parts must add up to the line's amount. */
export function LineEditor({ line, onDecided, onDiscard }: EditorProps) {
  const t = words.use()
  const translate = useSentences()
  const choice = useChoice(line)
  const { busy, act } = useAction('all')
  const [key] = useState(() => crypto.randomUUID())
  const amount = formatRupees(line.amount)
  const [asking, setAsking] = useState(false)
  const noMoney = line.state === 'duplicate' || line.state === 'bounced'
  // Certain and small amounts are booked at once, with a minute to undo. Everything else asks for confirmation.
  const sure = line.state === 'exact' || line.state === 'already'
  const undoable =
    sure &&
    choice.asProposed &&
    choice.credits.length + choice.used.length === 0 &&
    line.amount <= quickBookingLimit
  const book = async () => {
    if (busy || choice.problem !== undefined || line.can.decide !== true) return
    const { parts, credits, used } = choice
    const body = { id: line.id, version: line.version, parts, credits, used, undoable }
    await act(async () => {
      const { receipts, credited, booksAt } = await callOnce(bookLine, { body, idempotencyKey: key })
      if (booksAt === null)
        toast.success(
          receipts.length > 0
            ? t('doneBooked', { receipts: receipts.join(', ') })
            : t('doneCredit', { amount: formatRupees(credited) }),
        )
      setAsking(false)
      onDecided()
    })
  }
  const problem = line.can.decide === true ? choice.problem && problemText(t, choice) : t('mayNot')
  const start = () => (undoable ? void book() : setAsking(true))
  useEnter(problem === undefined && !asking ? start : undefined)
  const paid = choice.items.some((item) => choice.chosen.has(item.key) && item.state === 'paid')
  if (line.booksAt !== null)
    return (
      <Note kind="due">{t('finalAt', { time: istTime(new Date(line.booksAt)), name: line.bookingBy })}</Note>
    )
  return (
    <>
      {line.bookingRefused !== '' && (
        <Note kind="bad">{t('bookingRefused', { reason: translate(line.bookingRefused) })}</Note>
      )}
      {line.state === 'duplicate' && <Note kind="due">{t('duplicateHint')}</Note>}
      {line.state === 'bounced' && (
        <Note kind="due">{keepDatesTogether(t('bouncedHint', { day: dayText(line.bouncedOn) }))}</Note>
      )}
      <h3>{t('what')}</h3>
      {schoolsOf(choice.items).map((items) => (
        <SchoolItems key={items[0]?.key} items={items} choice={choice} />
      ))}
      <Finder onFound={choice.add} />
      <Remainder choice={choice} />
      <div className="end">
        {problem !== undefined && <p className="hint">{problem}</p>}
        {noMoney && (
          <Button
            kind="primary"
            big
            wide
            shortcut="X"
            disabled={line.can.decide !== true && t('mayNot')}
            onClick={onDiscard}>
            {t(line.state === 'bounced' ? 'ignoreBounced' : 'ignoreDuplicate')}
          </Button>
        )}
        <Button
          kind={noMoney ? 'secondary' : 'primary'}
          big
          wide
          busy={busy}
          shortcut="Enter"
          disabled={problem ?? false}
          onClick={start}>
          {t(paid ? 'tie' : 'book', { amount })}
        </Button>
        {!noMoney && (
          <Button
            kind="danger"
            wide
            shortcut="X"
            disabled={line.can.decide !== true && t('mayNot')}
            onClick={onDiscard}>
            {t('discard')}
          </Button>
        )}
      </div>
      {asking && (
        <BookDialog
          line={line}
          choice={choice}
          busy={busy}
          onConfirm={book}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  )
}

function problemText(t: ReturnType<typeof words.use>, choice: Choice): string | undefined {
  if (choice.problem === 'much') return t('tooMuch', { amount: formatRupees(-choice.rest) })
  return choice.problem && t(choice.problem === 'school' ? 'chooseForRest' : 'nothingChosen')
}

/** Groups the items by school, in their order. */
function schoolsOf(items: readonly BankItem[]): BankItem[][] {
  return [...Map.groupBy(items, ({ schoolId }) => schoolId).values()]
}

/** The items that one school owes or has paid. */
function SchoolItems({ items, choice }: { items: BankItem[]; choice: Choice }) {
  const name = useId()
  const [first] = items
  return (
    <section className="bank-school" aria-labelledby={name}>
      <h4 id={name}>
        {first?.schName} <span className="quiet">{first?.schCode}</span>
      </h4>
      <ul className="bank-items">
        {items.map((item) => (
          <BankItemRow key={item.key} item={item} choice={choice} />
        ))}
      </ul>
    </section>
  )
}

function BankItemRow({ item, choice }: { item: BankItem; choice: Choice }) {
  const t = words.use()
  const kindName = useKindName()
  const details =
    item.state === 'paid'
      ? t('verifiedAs', { receiptNo: item.receiptNo })
      : item.paymentDate
        ? t('sentOn', { day: dayText(item.paymentDate) })
        : item.rejected
          ? t('rejectedFor', { reason: item.rejected })
          : t('notReported')
  const [shown, setShown] = useState<number | null>(null)
  const proofOf = t('proofOf', { what: item.reference })
  return (
    <li>
      <CheckField
        checked={choice.chosen.has(item.key)}
        onChange={() => choice.toggle(item.key)}
        label={
          <>
            {kindName(item)}
            <small className="under">{keepDatesTogether(details)}</small>
            <small className="under code">{[item.reference, item.utr].filter(Boolean).join(' · ')}</small>
          </>
        }
      />
      {item.proof && <IconButton icon="file" label={proofOf} onClick={() => setShown(item.paymentId)} />}
      {shown !== null && (
        <FileDialog
          file={{ call: officePaymentProof, id: shown, label: proofOf }}
          onClose={() => setShown(null)}
        />
      )}
      <b>{formatRupees(item.amount)}</b>
    </li>
  )
}

/** The amount left over, with the school whose credit gets it, or the credit that covers the shortfall. */
function Remainder({ choice }: { choice: Choice }) {
  const t = words.use()
  const { rest, schools, creditSchool, used } = choice
  // Without schools there is nothing to choose.
  if (rest > 0 && schools.length === 0) return null
  if (rest > 0) {
    const words = choice.parts.length === 0 ? 'restAll' : 'rest'
    return (
      <SelectField
        label={t(words, { amount: formatRupees(rest) })}
        empty={t('chooseSchool')}
        value={creditSchool === 0 ? '' : String(creditSchool)}
        choices={schools.map(({ schoolId, schName, schCode }) => ({
          value: String(schoolId),
          label: `${schName}, ${schCode}`,
        }))}
        onChange={(event) => choice.creditTo(Number(event.currentTarget.value))}
      />
    )
  }
  const [credit] = used
  const helper = schools.find(({ schoolId }) => schoolId === credit?.schoolId)
  if (!credit || !helper) return null
  return (
    <Note kind="due">{t('creditUsed', { amount: formatRupees(credit.amount), school: helper.schName })}</Note>
  )
}

/** Runs `act` on Enter where the key has no other meaning: on the page, the open line's row or the active tab. */
function useEnter(act: (() => void) | undefined): void {
  useEffect(() => {
    if (!act) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      const dialogOpen = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
      const target = event.target instanceof HTMLElement ? event.target : document.body
      const control = target.closest('a, button, input, select, textarea, summary, [tabindex="0"]')
      if (
        dialogOpen ||
        !shortcutsOn() ||
        (control && !control.matches('[data-line][aria-current], [role="tab"][aria-selected="true"]'))
      )
        return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [act])
}

/** Searches for matches by school, payment or amount. The chosen ones are added to the list above. */
function Finder({ onFound }: { onFound: (more: { items: BankItem[]; schools: SchoolCredit[] }) => void }) {
  const t = words.use()
  const kindName = useKindName()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const matches = useEndpoint(bankItems, { query: { search }, enabled: search.length >= 3 })
  const data = search.length >= 3 && !matches.isPlaceholderData ? matches.data : undefined
  const take = (more: { items: BankItem[]; schools: SchoolCredit[] }) => {
    onFound(more)
    setTyped('')
  }
  return (
    <div className="finder">
      <SearchField
        label={t('find')}
        placeholder={t('findHint')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {search.length >= 3 && <ListProblem error={data ? null : matches.error} retry={matches.refetch} />}
      {data?.schools.length === 0 && <p className="hint">{t('foundNothing')}</p>}
      {data && data.schools.length > 0 && (
        <ul>
          {data.schools.map((school) => {
            const items = data.items.filter(({ schoolId }) => schoolId === school.schoolId)
            return (
              <li key={school.schoolId}>
                <button type="button" className="lk" onClick={() => take({ items, schools: [school] })}>
                  {school.schName}, {school.schCode}
                </button>
                {items.map((item) => (
                  <button
                    key={item.key}
                    type="button"
                    className="lk"
                    onClick={() => take({ items: [item], schools: [school] })}>
                    {kindName(item)} {formatRupees(item.amount)}
                  </button>
                ))}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

/** Shows how a line was decided, by whom and when. */
export function LineDecision({ line }: { line: BankLine }) {
  const t = words.use()
  const booked = line.state === 'booked'
  return (
    <>
      {booked && line.bouncedOn !== null && <ReturnedLine line={line} />}
      <h3>{t('what')}</h3>
      <p>
        <Badge kind={booked ? 'verified' : 'none'}>{t(booked ? 'bookedAs' : 'discardedAs')}</Badge>
      </p>
      <ul className="bank-items">
        {line.booked.map((payment) => (
          <li key={payment.paymentId}>
            <span>
              {payment.schName}{' '}
              <small className="under">{`${payment.schCode}, ${t('receipt', { receiptNo: payment.receiptNo })}`}</small>
            </span>
            <b>{formatRupees(payment.amount)}</b>
          </li>
        ))}
        {line.credited.map((credit) => (
          <li key={credit.schoolId}>
            <span>
              {credit.schName} <small className="under">{`${credit.schCode}, ${t('credit')}`}</small>
            </span>
            <b>{formatRupees(credit.amount)}</b>
          </li>
        ))}
      </ul>
      <KeyValues>
        {line.reason !== '' && <KeyValue label={t('reason')}>{line.reason}</KeyValue>}
        <KeyValue label={t('by')}>{line.decidedBy}</KeyValue>
        <KeyValue label={t('on')}>{line.decidedAt && <Moment value={line.decidedAt} />}</KeyValue>
      </KeyValues>
      {line.state === 'discarded' && <Reopen line={line} />}
      <RecordHistory kind="bank-line" id={line.id} />
    </>
  )
}
