import {
  type BankItem,
  type BankLine,
  type BankLineRow,
  type BankView,
  bankLineDetails,
  bankLines,
  decideReturned,
  type MatchReason,
  reopenLine,
  type SchoolCredit,
} from '@podium/contract/bank/calls'
import { bankJob } from '@podium/contract/bank/calls-statements'
import type { AnswerOf } from '@podium/contract/endpoint'
import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import { formatRupees, fromRupees, rupees, sumPaise } from '@podium/contract/money'
import { formatSentence } from '@podium/contract/sentences'
import { officeMe } from '@podium/contract/staff/calls'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { assignedQuery } from '#shell/assignments/assigned.tsx'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { endpointQuery, useInvalidate } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/bank-statements.json'
import { bankFilters } from './filters.ts'

/** Translations of bank statements and their lines. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/bank-statements.json'))

type T = ReturnType<typeof words.use>

/** Returns the name of an item's fee, with its season unless that is the page's. */
export function useKindName(): (item: Pick<BankItem, 'paymentFor' | 'FYear'>) => string {
  const t = words.use()
  const shown = useSeason()
  const names = { 'Registration Fee': 'registrationFee', 'Book Fee': 'bookFee' } as const
  return ({ paymentFor, FYear }) => {
    const name = t(paymentFor === 'Library Book Fee' ? 'libraryFee' : names[paymentFor])
    return FYear === shown ? name : `${name}, ${FYear}`
  }
}

export function stateName(t: T, state: BankView): string {
  return t(state)
}

/** Whether a line can still be matched or ignored. */
export const isOpen = ({ state }: BankLineRow) => state !== 'booked' && state !== 'discarded'

const good = new Set<MatchReason['code']>(['reference', 'utr', 'code', 'name', 'amount', 'several'])

/** Whether a reason speaks against the match. */
export const isWarning = ({ code }: MatchReason) => !good.has(code)

export function reasonText(t: T, reason: MatchReason): string {
  const { code, text = '', amount = 0, count = 0, days = 0, day } = reason
  if (code === 'double' && text !== '') return t('reason_doubleReceipt', { text })
  if (code === 'day' && days < 0) return t('reason_dayEarly', { days: -days })
  return t(`reason_${code}`, { text, amount: formatRupees(amount), count, days, day: dayText(day) })
}

/** The matcher's reasons for and against the proposal. */
export function Reasons({ reasons }: { reasons: readonly MatchReason[] }) {
  const t = words.use()
  if (reasons.length === 0) return <p className="quiet">{t('noReason')}</p>
  return (
    <ul className="reasons">
      {reasons.map((reason) => (
        <li key={reason.code} className={isWarning(reason) ? 'warn' : 'fits'}>
          <Icon name={isWarning(reason) ? 'warning' : 'check'} />
          {reasonText(t, reason)}
        </li>
      ))}
    </ul>
  )
}

/**
 * Holds the items chosen for a line and whether they add up to its amount. A surplus goes to a school's credit, a
 * shortfall is taken from one. Amounts are in rupees and added up in paise.
 */
export function useChoice(line: BankLine) {
  const proposed = line.proposal.parts.map(({ key }) => key)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(proposed))
  const [found, setFound] = useState<{ items: BankItem[]; schools: SchoolCredit[] }>({
    items: [],
    schools: [],
  })
  const first = line.proposal.credits[0]?.schoolId
  const [picked, setPicked] = useState<number>()
  const items = [
    ...new Map([...line.items, ...found.items].map((item) => [item.key, item])).values(),
  ].toSorted((a, b) => sortOrder(a, proposed) - sortOrder(b, proposed))
  const schools = [
    ...new Map([...line.schools, ...found.schools].map((school) => [school.schoolId, school])).values(),
  ]
  const parts = items.filter(({ key }) => chosen.has(key)).map(({ key, amount }) => ({ key, amount }))
  const rest = rupees(sumPaise([fromRupees(line.amount), ...parts.map(({ amount }) => fromRupees(-amount))]))
  const owners = new Set(items.filter(({ key }) => chosen.has(key)).map(({ schoolId }) => schoolId))
  const only = owners.size === 1 ? [...owners][0] : undefined
  const creditSchool = picked ?? (parts.length === 0 ? (first ?? 0) : (only ?? first ?? 0))
  const helper = schools.find(({ schoolId, amount }) => owners.has(schoolId) && amount >= -rest)
  const used = rest < 0 && helper ? [{ schoolId: helper.schoolId, amount: -rest }] : []
  const credits = rest > 0 && creditSchool > 0 ? [{ schoolId: creditSchool, amount: rest }] : []
  return {
    items,
    schools,
    chosen,
    parts,
    rest,
    creditSchool,
    /** Whether the chosen items are exactly the proposed ones */
    asProposed: proposed.length === parts.length && parts.every(({ key }) => proposed.includes(key)),
    credits,
    used,
    problem: findProblem({ rest, parts: parts.length, credits: credits.length, used: used.length }),
    toggle(key: string) {
      const next = new Set(chosen)
      // Items due in addition to a pending payment are selected together with it.
      const after = items.find((item) => item.key === key)?.after
      if (next.delete(key)) for (const item of items) item.after === key && next.delete(item.key)
      else for (const item of after ? [key, after] : [key]) next.add(item)
      setChosen(next)
    },
    creditTo: setPicked,
    /** Adds search results to the list. A single result is selected. */
    add(more: { items: BankItem[]; schools: SchoolCredit[] }) {
      setFound({ items: [...found.items, ...more.items], schools: [...found.schools, ...more.schools] })
      const [item] = more.items
      if (item && more.items.length === 1) setChosen(new Set([...chosen, item.key]))
      const [school] = more.schools
      if (more.items.length === 0 && school) setPicked(school.schoolId)
    },
  }
}

/** Sort order: proposed items, then open ones, then verified ones. */
function sortOrder(item: BankItem, proposed: readonly string[]): number {
  if (proposed.includes(item.key)) return 0
  return item.state === 'open' ? 1 : 2
}

export type Choice = ReturnType<typeof useChoice>

interface Balance {
  rest: number
  parts: number
  credits: number
  used: number
}

/** Returns why the line can't be booked: too much chosen, no school chosen for the surplus, or nothing chosen. */
function findProblem({ rest, parts, credits, used }: Balance): 'much' | 'school' | 'nothing' | undefined {
  if (rest < 0 && used === 0) return 'much'
  if (rest > 0 && credits === 0) return parts === 0 ? 'nothing' : 'school'
  return undefined
}

/** Follows a matching or booking job started here, and shows a message when it ends. */
export function useJob({ filters }: BankLines): (jobId: string) => void {
  const t = words.use()
  const client = useQueryClient()
  const [jobId, setJobId] = useState<string>()
  const { data } = useQuery({
    ...endpointQuery(bankJob, { query: { jobId: jobId ?? '' } }),
    // Never show the end of the previous job.
    placeholderData: undefined,
    enabled: jobId !== undefined,
    refetchInterval: 1000,
  })
  const job = data?.job
  useEffect(() => {
    if (!job || job.state === 'waiting' || job.state === 'running') return
    setJobId(undefined)
    for (const { path } of [bankLines, bankLineDetails]) void client.invalidateQueries({ queryKey: [path] })
    if (job.kind === 'bank-match') {
      if (job.state === 'done') toast.success(t('compared', { exact: job.exact, likely: job.likely }))
      else toast.error(t('comparingEnded'))
      return
    }
    // The open line may have been booked with the others: open the first remaining one.
    if (job.booked > 0 && ['first', 'exact'].includes(filters.values.state)) filters.change({ id: 0 })
    if (job.booked > 0) toast.success(t('doneAll', { n: job.booked }))
    if (job.skipped > 0) toast.error(t('skipped', { n: job.skipped }))
    if (job.state !== 'done') toast.error(t('bookingEnded'))
  }, [job, client, t, filters])
  return setJobId
}

/** Loads the lines that match the filters in the URL, and polls while lines are being matched or booked. */
export function useLines() {
  const FYear = useSeason()
  const filters = useFilters(bankFilters)
  const { state, search, statement, assigned, page } = filters.values
  /** The filters except state and search */
  const asked = {
    FYear,
    ...(statement > 0 ? { statement: String(statement) } : {}),
    ...assignedQuery(assigned),
  }
  const query = { ...asked, ...(state === 'first' ? {} : { state }), search, page: String(page) }
  const list = useQuery({
    ...endpointQuery(bankLines, { query }),
    refetchInterval: ({ state: { data } }) => (data?.job ? 1500 : data?.bookings.length ? 5000 : false),
  })
  const working = list.data?.job != null
  const worked = useRef(working)
  const client = useQueryClient()
  useEffect(() => {
    // Booked lines no longer wait: refresh the count in the menu.
    if (worked.current && !working) void client.invalidateQueries({ queryKey: [officeMe.path] })
    worked.current = working
  }, [working, client])
  return { FYear, filters, asked, list }
}
export type BankLines = ReturnType<typeof useLines>

/** The selected lines of a list: individual ones, or all, including other pages. */
export function useChosenLines(list: AnswerOf<typeof bankLines>, { asked, filters }: BankLines) {
  const [rows, setRows] = useState<ReadonlyMap<number, BankLineRow>>(new Map())
  const [all, setAll] = useState(false)
  const { search } = filters.values
  const { state } = list
  const decides = list.can.decide === true
  return {
    decides,
    // Booked lines have receipts, so they can only be assigned, if the bank returned their money.
    may: decides && state !== 'booked' && list.total > 0,
    ignored: state === 'discarded',
    matched: (all ? list.data : [...rows.values()]).some((row) => row.state === 'booked'),
    all,
    rows,
    count: all ? list.total : rows.size,
    query: { ...asked, ...(state === 'booked' ? {} : { state }), search },
    has: (id: number) => all || rows.has(id),
    toggle(row: BankLineRow) {
      // Deselecting one of «all» keeps the others on this page selected.
      const next = new Map(all ? list.data.map((row) => [row.id, row]) : rows)
      if (!next.delete(row.id)) next.set(row.id, row)
      setAll(false)
      setRows(next)
    },
    setAll(chosen: boolean) {
      setAll(chosen)
      setRows(new Map())
    },
  }
}
export type LineSelection = ReturnType<typeof useChosenLines>

const refusalWords: Record<string, 'statementClosed' | 'dayClosed'> = {
  'bank.reconciled': 'statementClosed',
  'bank.day_closed': 'dayClosed',
}

/** Opens an ignored line again. */
export function Reopen({ line }: { line: BankLine }) {
  const t = words.use()
  const { busy, act } = useAction('all')
  const { id, version } = line
  const reopen = () => act(() => call(reopenLine, { body: { lines: [{ id, version }] } }), t('doneReopened'))
  return (
    <div className="acts">
      <Button
        icon="undo"
        busy={busy}
        disabled={line.can.reopen === true ? undefined : t(refusalWords[line.can.reopen] ?? 'mayNot')}
        onClick={() => void reopen()}>
        {t('reopen')}
      </Button>
    </div>
  )
}

/** The reason offered for a line whose money the bank returned that day. */
export const returnReason = (day: string | null) => translateSentence(returnedByBank(day))
const returnedByBank = (day: string | null) => formatSentence('returnedByBank', { day: dayText(day) })

/** A matched line whose money the bank has returned, with the decision about its payments. */
export function ReturnedLine({ line }: { line: BankLine }) {
  const t = words.use()
  const [decision, setDecision] = useState<'reverse' | 'keep'>()
  const invalidate = useInvalidate('all')
  const day = dayText(line.bouncedOn)
  const { id, version, can } = line
  const open = can.returned !== 'bank.not_returned'
  const disabledReason = can.returned === true ? undefined : t('mayNot')
  const reverses = decision === 'reverse'
  const offered = returnReason(line.bouncedOn)
  const receipts = line.booked.map(({ receiptNo }) => receiptNo).join(', ')
  return (
    <>
      <Note kind={open ? 'bad' : 'info'}>
        {t('bouncedBooked', { day })} {open && t('bouncedDecide')}
      </Note>
      {open && (
        <div className="row gap-2">
          <Button kind="danger" icon="undo" disabled={disabledReason} onClick={() => setDecision('reverse')}>
            {t('reverse')}
          </Button>
          <Button disabled={disabledReason} onClick={() => setDecision('keep')}>
            {t('keepPaid')}
          </Button>
        </div>
      )}
      {decision && (
        <ReasonDialog
          title={t(reverses ? 'reverseTitle' : 'keepTitle')}
          description={
            !reverses ? t('keepHint') : receipts ? t('reverseHint', { receipts }) : t('reverseCredit')
          }
          first={reverses ? offered : ''}
          action={t(reverses ? 'reverse' : 'keepPaid')}
          danger={reverses}
          rule={text(messages.reasonRequired, 300)}
          act={(typed) => {
            // Stored in English, so that each reader gets it in the language of the page or the e-mail.
            const reason = typed === offered ? returnedByBank(line.bouncedOn) : typed
            return call(decideReturned, { body: { id, version, decision, reason } })
          }}
          done={t(reverses ? 'reverseDone' : 'keepDone')}
          onDone={() => {
            setDecision(undefined)
            void invalidate()
          }}
          onClose={() => setDecision(undefined)}
        />
      )}
    </>
  )
}
