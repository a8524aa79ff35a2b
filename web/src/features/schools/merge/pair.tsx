import {
  type MergeExample,
  type MergeField,
  mergeCandidates,
  mergeFields,
  mergeJob,
  mergeSchools,
  previewMerge,
} from '@podium/contract/schools/calls-merge'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { count, Rupees } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { officePaths } from '#shell/paths.ts'
import { endpointQuery, useEndpoint, useFreshQuery } from '#shell/query.ts'
import { SchoolLink } from '#shell/record-links.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/schools-merge.json'
import { mergeFilters } from '../filters.ts'

export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-merge.json'))

type Preview = Answer<typeof previewMerge>

/** Loads the school in the URL, possible duplicates, and, once one is chosen, the comparison of both. */
export function useMerge() {
  const params = useParams({ strict: false })
  const id = Number(params.id) || 0
  const filters = useFilters(mergeFilters)
  const { other: otherId, search } = filters.values
  const mayMerge = useMay('schools.merge')
  const candidates = useEndpoint(mergeCandidates, {
    query: { id: String(id), search },
    enabled: otherId === 0,
  })
  const preview = useFreshQuery(previewMerge, {
    query: { target: String(id), source: String(otherId) },
    enabled: otherId !== 0 && mayMerge,
  })
  // Earlier data stays while the next loads, but it may be another pair's.
  const isCurrent = preview.data?.target.id === id && preview.data.source.id === otherId
  return {
    id,
    other: otherId,
    filters,
    mayMerge,
    candidates,
    preview,
    data: isCurrent ? preview.data : undefined,
  }
}

export type Merge = ReturnType<typeof useMerge>

interface ConfirmMergeProps {
  preview: Preview
  take: readonly MergeField[]
}

const pollInterval = 1_500

/** Merges at once, or follows the job that does; then shows the school that stays. */
function useMerging({ preview: { target, source, seen }, take }: ConfirmMergeProps) {
  const t = words.use()
  const translate = useSentences()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ text: string; field: string }>()
  const [jobId, setJob] = useState('')
  const finish = useCallback(async () => {
    toast.success(t('done', { source: source.schCode, target: target.schCode }))
    await navigate({ to: officePaths.school, params: { id: String(target.id) } })
    await client.invalidateQueries()
  }, [t, client, navigate, source.schCode, target.schCode, target.id])
  const job = useQuery({
    ...endpointQuery(mergeJob, { query: { jobId } }),
    enabled: jobId !== '',
    refetchInterval: ({ state }) =>
      state.data?.state === 'waiting' || state.data?.state === 'running' ? pollInterval : false,
  }).data
  const state = jobId === '' ? undefined : job?.state
  useEffect(() => {
    if (state === 'done') void finish()
  }, [state, finish])
  const merge = async (typed: string) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const versions = { targetVersion: target.version, sourceVersion: source.version }
      const body = { target: target.id, source: source.id, ...versions, seen, take: [...take], typed }
      const answer = await call(mergeSchools, { body })
      if (answer.jobId === '') await finish()
      else setJob(answer.jobId)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      const issue = cause.issues?.[0]
      setProblem({ text: translate(issue?.message ?? cause.message), field: issue?.path ?? '' })
      await client.invalidateQueries()
    } finally {
      setBusy(false)
    }
  }
  const failed = state === 'failed' || state === 'cancelled' ? translate(job?.error ?? '') : undefined
  const working = jobId !== '' && failed === undefined
  return { merge, busy: busy || working, working, problem: failed ? { text: failed, field: '' } : problem }
}

/** Warns that a merge can't be undone, asks for the code to be typed, and merges. */
function ConfirmMerge(props: ConfirmMergeProps) {
  const t = words.use()
  const { target, source, blocks } = props.preview
  const [typed, setTyped] = useState('')
  const { merge, busy, working, problem } = useMerging(props)
  const right = typed.trim().toUpperCase() === source.schCode
  const names = { source: source.schCode, target: target.schCode }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (right && blocks.length === 0 && !busy) void merge(typed)
  }
  return (
    <Panel title={t('mergeTitle')}>
      <form className="merge-final stack gap-4" onSubmit={send}>
        <Note kind="due">
          <strong>{t('final')}</strong> {t('finalHint', { source: source.schName, target: target.schName })}
        </Note>
        {problem && problem.field !== 'typed' && <Note kind="bad">{problem.text}</Note>}
        {working && <Note>{t('working')}</Note>}
        <TextField
          label={t('typed', { code: source.schCode })}
          autoComplete="off"
          autoCapitalize="characters"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={problem?.field === 'typed' ? problem.text : undefined}
        />
        <Button
          type="submit"
          kind="danger-filled"
          busy={busy}
          disabled={blocks.length > 0 ? t('blocked') : right ? undefined : t('typeFirst')}>
          {t('merge', names)}
        </Button>
      </form>
    </Panel>
  )
}

/** Fields empty in one school are taken from the other, unless the user chooses otherwise. */
const initialFields = ({ target, source }: Preview) =>
  mergeFields.filter((field) => target[field] === '' && source[field] !== '')

/** The two schools: details to choose from, what moves, what conflicts, and the merge. */
export function Pair({ preview }: { preview: Preview }) {
  const [take, setTake] = useState<readonly MergeField[]>(() => initialFields(preview))
  return (
    <div className="stack">
      <MergeHeader preview={preview} />
      <Conflicts preview={preview} blocking />
      <Details preview={preview} take={take} onTake={setTake} />
      <Conflicts preview={preview} />
      <MovedRecords preview={preview} />
      {preview.sums && <Sums sums={preview.sums} />}
      <ConfirmMerge preview={preview} take={take} />
    </div>
  )
}

function MergeHeader({ preview: { target, source } }: { preview: Preview }) {
  const t = words.use()
  return (
    <Panel
      foot={
        <span className="row gap-2">
          <Link
            to={officePaths.schoolMerge}
            params={{ id: String(source.id) }}
            search={mergeFilters.validate({ other: target.id })}
            className={buttonClass('secondary')}>
            {t('swap')}
          </Link>
          <Link
            to={officePaths.schoolMerge}
            params={{ id: String(target.id) }}
            search={{}}
            className={buttonClass('text')}>
            {t('another')}
          </Link>
        </span>
      }>
      <div className="merge-heads">
        {[
          { school: target, label: t('target') },
          { school: source, label: t('source') },
        ].map(({ school, label }) => (
          <div key={school.id} className="stack gap-1">
            <span className="hint">{label}</span>
            <strong>
              <SchoolLink id={school.id}>{school.schName}</SchoolLink>
            </strong>
            <span className="under">
              <span className="num">{school.schCode}</span>, {school.city} {school.pinCode}
            </span>
          </div>
        ))}
      </div>
    </Panel>
  )
}

interface DetailsProps {
  preview: Preview
  take: readonly MergeField[]
  onTake: (take: readonly MergeField[]) => void
}

function Details({ preview: { target, source }, take, onTake }: DetailsProps) {
  const t = words.use()
  const differ = mergeFields.filter((field) => target[field] !== source[field])
  const choose = (field: MergeField, fromSource: boolean) =>
    onTake([...take.filter((candidate) => candidate !== field), ...(fromSource ? [field] : [])])
  return (
    <Panel title={t('detailsTitle')}>
      <p className="hint">{t('detailsHint')}</p>
      {differ.map((field) => (
        <fieldset key={field} className="merge-field">
          <legend>{t(field)}</legend>
          {([false, true] as const).map((fromSource) => (
            <label key={String(fromSource)} className="ck">
              <input
                type="radio"
                name={field}
                checked={take.includes(field) === fromSource}
                onChange={() => choose(field, fromSource)}
              />
              <span>
                <span className="merge-side quiet">{t(fromSource ? 'source' : 'target')}: </span>
                {(fromSource ? source : target)[field] || <span className="quiet">{t('empty')}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <p className="hint">{t('alike', { n: mergeFields.length - differ.length })}</p>
    </Panel>
  )
}

/** What moves to the other school, counted for both. */
function MovedRecords({ preview }: { preview: Preview }) {
  const t = words.use()
  const rows = preview.moves.filter(({ source }) => source > 0)
  return (
    <Panel title={t('movesTitle')} padded={false}>
      <div className="pad">
        <p className="hint">{t('movesHint')}</p>
        {preview.seasons.length > 0 && (
          <p className="hint">{t('seasonsAre', { seasons: preview.seasons.join(', ') })}</p>
        )}
      </div>
      <DataTable
        caption={t('movesTitle')}
        compact
        rows={rows}
        rowKey={({ kind }) => kind}
        empty={<p className="pad">{t('nothingMoves')}</p>}
        columns={[
          { key: 'what', label: t('what'), title: true, cell: ({ kind }) => t(`kind_${kind}`) },
          { key: 'target', label: t('target'), num: true, cell: ({ target }) => count(target) },
          { key: 'source', label: t('source'), num: true, cell: ({ source }) => count(source) },
          { key: 'sum', label: t('together'), num: true, cell: (row) => count(row.target + row.source) },
        ]}
      />
    </Panel>
  )
}

/** The sums of both schools, which a merge does not change. */
function Sums({ sums }: { sums: NonNullable<Preview['sums']> }) {
  const t = words.use()
  return (
    <Panel title={t('sumsTitle')} padded={false}>
      <div className="pad">
        <p className="hint">{t('sumsHint')}</p>
      </div>
      <DataTable
        caption={t('sumsTitle')}
        compact
        rows={sums}
        rowKey={({ kind }) => kind}
        empty=""
        columns={[
          { key: 'what', label: t('what'), title: true, cell: ({ kind }) => t(`sum_${kind}`) },
          { key: 'target', label: t('target'), num: true, cell: ({ target }) => <Rupees amount={target} /> },
          { key: 'source', label: t('source'), num: true, cell: ({ source }) => <Rupees amount={source} /> },
          {
            key: 'sum',
            label: t('together'),
            num: true,
            strong: true,
            cell: (row) => <Rupees amount={Math.round((row.target + row.source) * 100) / 100} />,
          },
        ]}
      />
    </Panel>
  )
}

/**
 * What both schools have but only one can keep, each with its rule; or, if `blocking`, conflicts that no rule
 * resolves.
 */
function Conflicts({ preview, blocking }: { preview: Preview; blocking?: boolean }) {
  const t = words.use()
  const { clashes, blocks } = preview
  if (blocking) {
    if (blocks.length === 0) return null
    return (
      <Panel title={t('blocksTitle')}>
        <Note kind="bad">{t('blocksHint')}</Note>
        <ul className="merge-clashes stack gap-4">
          {blocks.map(({ kind, count, examples }) => (
            <li key={kind} className="stack gap-1">
              <strong>{t(`block_${kind}`, { n: count })}</strong>
              <span>{t(`todo_${kind}`)}</span>
              <Examples examples={examples} />
            </li>
          ))}
        </ul>
      </Panel>
    )
  }
  return (
    <Panel title={t('clashesTitle')}>
      {clashes.length === 0 ? (
        <p>{t('noClashes')}</p>
      ) : (
        <ul className="merge-clashes stack gap-4">
          {clashes.map(({ kind, count, examples }) => (
            <li key={kind} className="stack gap-1">
              <strong>{t(`clash_${kind}`, { n: count })}</strong>
              <span>{t(`rule_${kind}`)}</span>
              <Examples examples={examples} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Examples({ examples }: { examples: readonly MergeExample[] }) {
  const t = words.use()
  const telling = examples.filter(({ what, target, source }) => what !== '' || target !== '' || source !== '')
  if (telling.length === 0) return null
  return (
    <details>
      <summary>{t('examples')}</summary>
      <table className="merge-examples">
        <thead>
          <tr>
            <th>{t('what')}</th>
            <th>{t('target')}</th>
            <th>{t('source')}</th>
          </tr>
        </thead>
        <tbody>
          {telling.map(({ what, target, source }) => (
            <tr key={`${what} ${target} ${source}`}>
              <td>{what}</td>
              <td>{target}</td>
              <td>{source}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
