import './history.css'
import type { AuditChange, AuditLine } from '@podium/contract/audit-log/calls'
import { codeAsWords } from '@podium/contract/audit-log/words'
import type actionWords from '@podium/contract/audit-log/words-actions.en.json'
import type fieldWords from '@podium/contract/audit-log/words-fields.en.json'
import type kindWords from '@podium/contract/audit-log/words-kinds.en.json'
import type valueWords from '@podium/contract/audit-log/words-values.en.json'
import type { Endpoint, QueryOf } from '@podium/contract/endpoint'
import { mailName } from '@podium/contract/office/words'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type CallError, call, onWritten } from '#shell/call.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/history.json'
import { keepDatesTogether, Moment } from '../format.tsx'
import { useWrittenLanguage } from '../language/language.ts'
import { useSentences } from '../language/sentences.ts'
import { defineWords } from '../language/words.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/history.json'))

type Page = { data: AuditLine[]; more: boolean }

/**
 * The lines of any call that answers like `recordHistory`: who, when, from what to what; older ones on demand.
 * Refreshed after each write of the page.
 */
export function RecordLines<E extends Endpoint>({ endpoint, query }: { endpoint: E; query: QueryOf<E> }) {
  const t = words.use()
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery<
    Page,
    CallError
  >({
    queryKey: [endpoint.path, query],
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === undefined ? {} : { before: String(pageParam) }
      const input = { ...(query as object), ...cursor } as QueryOf<E>
      return call(endpoint, { query: input, signal }) as unknown as Promise<Page>
    },
    getNextPageParam: (last) => (last.more ? last.data.at(-1)?.id : undefined),
    staleTime: 0,
  })
  useEffect(() => onWritten(() => void refetch()), [refetch])
  const lines = data?.pages.flatMap((page) => page.data)
  return (
    <Panel title={t('history')} padded={false} className="record-history">
      {error && !lines && <LoadProblem error={error} retry={refetch} />}
      {!lines && !error && (
        <div className="pad">
          <Skeleton shape="text" rows={6} />
        </div>
      )}
      {lines?.length === 0 && <p className="pad quiet">{t('noHistory')}</p>}
      {lines && lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <section className="lines" aria-label={t('history')} tabIndex={0}>
          <ol>
            {lines.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ol>
        </section>
      )}
      {hasNextPage && (
        <div className="pad">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('older')}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function Line({ line }: { line: AuditLine }) {
  const nameOf = useLineName()
  return (
    <li>
      <b>{nameOf(line)}</b>
      <span className="history-when">
        <Moment value={line.at} /> · <Actor line={line} />
      </span>
      <Changes changes={line.changes} />
    </li>
  )
}

/** Names of audit actions; the English ones are in the contract, because the server writes them into files. */
const actions = defineWords<typeof actionWords>({
  ...import.meta.glob('#words/*/record-actions.json'),
  '/en/': () => import('@podium/contract/audit-log/words-actions.en.json'),
})
const fields = defineWords<typeof fieldWords>({
  ...import.meta.glob('#words/*/record-fields.json'),
  '/en/': () => import('@podium/contract/audit-log/words-fields.en.json'),
})
const kinds = defineWords<typeof kindWords>({
  ...import.meta.glob('#words/*/record-kinds.json'),
  '/en/': () => import('@podium/contract/audit-log/words-kinds.en.json'),
})
const values = defineWords<typeof valueWords>({
  ...import.meta.glob('#words/*/record-values.json'),
  '/en/': () => import('@podium/contract/audit-log/words-values.en.json'),
})

const actors = { office: 'byOffice', account: 'byAccount', family: 'byFamily', system: 'bySystem' } as const

const fold = (field: string) => field.replaceAll(/[^a-zA-Z]/g, '').toLowerCase()
const codeOf = (value: string) => value.replaceAll(/[^a-zA-Z0-9]/g, '_')

/** Returns a function from a kind of record, e.g. `bank-line`, to its name. */
export function useKindName(): (kind: string) => string {
  const t = kinds.use()
  return (kind) => {
    const code = codeOf(kind)
    const name = t(code as keyof typeof kindWords)
    return name === code ? codeAsWords(kind) : name
  }
}

/** Returns a function from a field's key to its name; after `=` is a name of the office's, or several. */
function useFieldName(): (field: string) => string {
  const t = fields.use()
  const translate = useSentences()
  return (field) => {
    if (field.startsWith('=')) return translate(field.slice(1))
    const key = fold(field)
    const name = t(key as keyof typeof fieldWords)
    return name === key ? codeAsWords(field) : name
  }
}

/** Returns a function that formats a value: codes in words, deleted records as deleted. */
export function useValue(): (value: string, as: AuditChange['as']) => string {
  const t = values.use()
  const historyText = words.use()
  const translate = useSentences()
  const language = useWrittenLanguage()
  const format = (text: string, as: AuditChange['as']) => {
    if (as === 'mails') return mailName(text, language)
    if (as === 'counted') {
      const [n = '', of = ''] = text.split(' of ')
      return historyText('counted', { n, of })
    }
    if (text.startsWith('gone:')) return t('gone', { id: text.slice('gone:'.length) })
    if (as === 'names') return translate(text)
    const code = codeOf(text)
    const word = t(code as keyof typeof valueWords)
    return word === code ? text : word
  }
  return (value, as) => {
    if (as === undefined || value === '') return value
    return value
      .split(', ')
      .map((text) => format(text, as))
      .join(', ')
  }
}

/** Returns a function that describes a line: the number of records if there are many, otherwise the action. */
export function useLineName(): (line: Pick<AuditLine, 'action' | 'times'>) => string {
  const t = words.use()
  const nameOf = useActionName()
  return ({ action, times = 1 }) => (times > 1 ? t('imported', { n: times }) : nameOf(action))
}

/** Returns a function from an audit action, e.g. `school.changed`, to its name. */
export function useActionName(): (action: string) => string {
  const t = actions.use()
  return (action) => {
    const code = action.replaceAll('.', '_')
    // A missing key is returned as it is.
    const name = t(code as keyof typeof actionWords)
    return name === code ? codeAsWords(code) : name
  }
}

/** Shows who did it: the name, the kind of user, and the school they were signed in as. */
export function Actor({ line }: { line: Pick<AuditLine, 'actorKind' | 'actorName' | 'actingFor'> }) {
  const t = words.use()
  const actor = Object.entries(actors).find(([kind]) => kind === line.actorKind)
  const kind = actor ? t(actor[1]) : ''
  return (
    <>
      {line.actorName}
      {kind !== '' && kind !== line.actorName && ` (${kind})`}
      {line.actingFor !== '' && `, ${t('actingFor', { name: line.actingFor })}`}
    </>
  )
}

/** Shows the changes from old to new; more than three are folded. */
export function Changes({ changes }: { changes: AuditLine['changes'] }) {
  const t = words.use()
  if (changes.length === 0) return null
  if (changes.length <= 3) return <ChangeList changes={changes} />
  return (
    <details className="history-more">
      <summary>{t('changes', { n: changes.length })}</summary>
      <ChangeList changes={changes} />
    </details>
  )
}

function ChangeList({ changes }: { changes: AuditLine['changes'] }) {
  const t = words.use()
  const nameOf = useFieldName()
  const formatValue = useValue()
  const counts = new Map<string, number>()
  return (
    <ul className="history-changes">
      {changes.map(({ field, within = [], as, ...change }) => {
        const name = [...within, ...(field === '' ? [] : [field])].map(nameOf).join(' · ')
        const [from, to] = [formatValue(change.from, as), formatValue(change.to, as)]
        const nth = (counts.get(name) ?? 0) + 1
        counts.set(name, nth)
        return (
          <li key={`${name} ${nth}`}>
            {name !== '' && <span className="quiet">{name}: </span>}
            {from !== '' && (
              <>
                <span className="sr">{t('from')} </span>
                <del>{keepDatesTogether(from)}</del> <span aria-hidden="true">→</span>{' '}
                <span className="sr">{t('to')} </span>
              </>
            )}
            <ins>{to === '' ? t('nothingThere') : keepDatesTogether(to)}</ins>
          </li>
        )
      })}
    </ul>
  )
}
