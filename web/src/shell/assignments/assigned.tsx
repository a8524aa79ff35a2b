import './assignments.css'
import type { AnswerOf } from '@podium/contract/endpoint'
import {
  type AssignableKind,
  type Assignee,
  assign,
  assignees,
  maxAssigned,
  reportViewing,
} from '@podium/contract/staff/calls-assignments'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Badge } from '#ui/badge.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { MenuButton } from '#ui/menu-button.tsx'
import { SelectField } from '#ui/select-field.tsx'
import type en from '#words/en/assignments.json'
import { call } from '../call.ts'
import { useSentences } from '../language/sentences.ts'
import { defineWords } from '../language/words.ts'
import { endpointQuery, useEndpoint } from '../query.ts'
import { useSession } from '../session.ts'
import { useAction } from '../use-action.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/assignments.json'))

const usePeople = (kind: AssignableKind) => useEndpoint(assignees, { query: { kind } })

/** Converts the list's filter to a query parameter; an invalid value from the address is left out. */
export const assignedQuery = (value: string) =>
  /^(?:me|none|\d{1,9})$/.test(value) ? { assigned: value } : {}

/** Returns the list filter «Assigned to: anyone, me, no one, a person». */
export function useAssignedFilter(kind: AssignableKind) {
  const t = words.use()
  const people = usePeople(kind).data?.data ?? []
  return {
    label: t('assignedTo'),
    all: t('anyone'),
    choices: [
      { value: 'me', label: t('me') },
      { value: 'none', label: t('noOne') },
      ...people.map(({ staffId, name }) => ({ value: String(staffId), label: name })),
    ],
  }
}

/** The field of this filter. */
export function AssignedFilter(props: {
  kind: AssignableKind
  value: string
  onChange: (value: string) => void
}) {
  const { label, all, choices } = useAssignedFilter(props.kind)
  return (
    <SelectField
      label={label}
      value={props.value}
      empty={all}
      choices={choices}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}

/** Shows the assignee in a row of a list. */
export function AssignedBadge({ to }: { to: Assignee }) {
  const t = words.use()
  const me = useSession()?.userId
  return (
    to && (
      <Badge tone={to.staffId === me ? 'info' : 'mute'} icon="users">
        <span className="sr">{t('assignedTo')} </span>
        {to.staffId === me ? t('me') : to.name}
      </Badge>
    )
  )
}

interface MenuProps {
  kind: AssignableKind
  /** Ids, or a function that loads them when some selected rows are not on the page */
  ids: readonly number[] | (() => Promise<readonly number[]>)
  /** Number of ids, if they have to be loaded */
  count?: number
  /** The current assignee; undefined for several items */
  current?: Assignee
  /** Name of the item, if the page has more than one of these buttons */
  of?: string
  onDone?: () => void
}

/** Assigns items to oneself, to another officer who may decide, or to no one. */
export function AssignMenu({ kind, ids, count, current, of, onDone }: MenuProps) {
  const t = words.use()
  const me = useSession()?.userId
  const translate = useSentences()
  const kit = useKitWords()
  const { data, error, refetch } = usePeople(kind)
  const [retrying, setRetrying] = useState(false)
  const { busy, act } = useAction('all')
  const assignTo = async (staffId: number | undefined) => {
    const these = typeof ids === 'function' ? await ids() : ids
    return call(assign, { body: { kind, ids: [...these], ...(staffId ? { staffId } : {}) } })
  }
  /** What another officer has assigned or decided since then stays. */
  const restoreAssignees = async (before: AnswerOf<typeof assign>['before'], from: number | null) => {
    for (const { staffId, ids: itemIds } of before)
      await call(assign, { body: { kind, ids: itemIds, from, ...(staffId === null ? {} : { staffId }) } })
  }
  const item = (label: string, staffId: number | undefined, done: string) => ({
    label,
    onChoose: () =>
      void act(() => assignTo(staffId), done, {
        label: t('undo'),
        done: t('assignmentUndone'),
        // A single item can be given back with the same menu, so only several get an undo button.
        work: ({ before }) =>
          before.flatMap(({ ids: itemIds }) => itemIds).length > 1
            ? () => restoreAssignees(before, staffId ?? null)
            : undefined,
      }).then((done) => done && onDone?.()),
  })
  const others = (data?.data ?? []).filter(({ staffId, decides }) => decides && staffId !== current?.staffId)
  const retry = () => {
    setRetrying(true)
    void refetch().finally(() => setRetrying(false))
  }
  const problem = error && !data ? `${kit.loadFailed}. ${translate(error.message)}` : undefined
  return (
    <span className="assign">
      <MenuButton
        label={t('assign')}
        icon="users"
        busy={busy || retrying}
        problem={problem}
        name={of && `${t('assign')}: ${of}`}
        disabled={(count ?? 0) > maxAssigned ? t('atMost', { n: maxAssigned }) : undefined}
        items={[
          ...(problem ? [{ label: kit.tryAgain, name: `${problem} ${kit.tryAgain}`, onChoose: retry }] : []),
          ...others
            .toSorted((a, b) => Number(b.staffId === me) - Number(a.staffId === me))
            .map(({ staffId, name }) =>
              item(staffId === me ? t('toMe') : t('toName', { name }), staffId, t('assigned', { name })),
            ),
          ...(current === null ? [] : [item(t('unassign'), undefined, t('unassigned'))]),
        ]}
      />
    </span>
  )
}

/** How often the screen reports what is open, in ms; a report counts for a bit more than two intervals. */
const reportInterval = 20_000

interface ViewersProps {
  kind: AssignableKind
  /** The open items: one, or a page of them */
  ids: readonly number[]
}

/** Shows who else has the items open. Its line is reserved even if there is no one. */
export function Viewers({ kind, ids }: ViewersProps) {
  const t = words.use()
  const looks = useQuery({
    ...endpointQuery(reportViewing, { body: { kind, ids: [...ids] } }),
    placeholderData: undefined,
    refetchInterval: reportInterval,
    staleTime: 0,
    gcTime: 0,
  })
  const others = looks.data?.others ?? []
  return (
    <span className="looking" aria-live="polite">
      {others.length > 0 &&
        t(ids.length > 1 ? 'lookingAtThese' : 'looking', { n: others.length, names: others.join(', ') })}
    </span>
  )
}

/** Shown beside an open item: the assignee, the menu to change it while it is pending, and who else has it open. */
export function Assigned(props: {
  kind: AssignableKind
  id: number
  to: Assignee
  waits: boolean
  decides: boolean
}) {
  const { kind, id, to, waits, decides } = props
  const t = words.use()
  if (!waits && !to) return null
  return (
    <div className="assigned">
      <span>{to ? t('assignedToName', { name: to.name }) : t('notAssigned')}</span>
      {waits && decides && <AssignMenu kind={kind} ids={[id]} current={to} />}
      {waits && <Viewers kind={kind} ids={[id]} />}
    </div>
  )
}

interface OpenRowProps {
  /** The row in the address; 0 if none was chosen */
  chosen: number
  /** The row to open then, as the list is now */
  first: number
  /** Names the list and its page */
  list: string
  /** When the list was last loaded */
  updatedAt: number
  stale: boolean
}

/**
 * The row that is open beside its list. One opened without a choice stays open when the list is refetched and has
 * another row first: what is read, and decided by one key, must not change under the reader. `renew` opens the first row
 * of the next answer; `isOpen` is true to the moment, for calls that end after another row was opened.
 */
export function useOpenRow({ chosen, first, list, updatedAt, stale }: OpenRowProps) {
  const opened = useRef<{ list: string; id: number }>(undefined)
  const overtaken = useRef(0)
  const latest = useRef(0)
  const isNew = opened.current?.list !== list && updatedAt > overtaken.current
  if (chosen > 0) opened.current = undefined
  else if (first > 0 && isNew && !stale) opened.current = { list, id: first }
  latest.current = chosen || (opened.current?.list === list ? opened.current.id : 0)
  return {
    id: latest.current,
    isOpen: (id: number) => latest.current === id,
    renew: () => {
      opened.current = undefined
      overtaken.current = updatedAt
    },
  }
}

/** Row selection on a page. Rows that leave the page are no longer selected. */
export function useSelectedRows<Row extends { id: number }>(rows: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const chosen = rows.filter(({ id }) => ids.has(id))
  return {
    rows: chosen,
    has: (id: number) => ids.has(id),
    all: rows.length > 0 && chosen.length === rows.length,
    toggle: (id: number) => {
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      setIds(next)
    },
    toggleAll: () => setIds(new Set(chosen.length === rows.length ? [] : rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}
export type SelectedRows<Row extends { id: number }> = ReturnType<typeof useSelectedRows<Row>>
