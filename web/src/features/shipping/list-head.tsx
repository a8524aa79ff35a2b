import { bookKinds, bookNames } from '@podium/contract/classes'
import { officeExams } from '@podium/contract/exams/calls-office'
import {
  awardKinds,
  cancelDispatchJob,
  type DispatchJob,
  dispatchJobState,
  undoPacking,
} from '@podium/contract/shipping/calls-orders'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { choicesBy, choicesOf, classChoices, ListFilters, usePlaceChoices } from '#shell/list-table.tsx'
import { endpointQuery, useEndpoint, useInvalidate } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import type { Choice } from '#ui/select-field.tsx'
import { type Due, dispatchCalls, useMayWrite, words } from './data.tsx'

/** The filters of the items to send: school, place, subject, class and kind. */
export function DueFilters({ due, view }: { due: Due; view: ReactNode }) {
  const t = words.use()
  const { filters, contents, by } = due
  const all = t('all')
  const places = usePlaceChoices(filters.shown.state, filters.shown.district)
  const kinds =
    contents === 'books'
      ? choicesOf(bookKinds, (kind) => translateSentence(bookNames[kind]))
      : choicesOf(awardKinds, t)
  return (
    <ListFilters
      filters={filters}
      fields={{
        search: { label: t('search'), placeholder: t('searchHint') },
        state: { label: t('state'), all, choices: places.states, also: { district: '' } },
        district: filters.shown.state !== '' && { label: t('district'), all, choices: places.districts },
        letter: { label: t('subject'), all, choices: useSubjects() },
        classId: { label: t('class'), all, choices: classChoices() },
        kind: contents !== 'papers' && {
          label: t(contents === 'books' ? 'kind' : 'item'),
          all,
          choices: kinds,
        },
        show: {
          label: t('show'),
          choices: choicesBy({
            due: t('showDue'),
            all: t('showAll'),
            ...(contents === 'awards' ? { extra: t('showExtra') } : {}),
          }),
        },
        sort: by === 'school' && {
          label: t('order'),
          choices: choicesBy({ name: t('orderName'), copies: t('orderCopies'), place: t('orderPlace') }),
        },
      }}
      tabs={{ name: 'by', label: t('by'), choices: choicesBy({ school: t('bySchool'), item: t('byItem') }) }}
      view={view}
    />
  )
}

/** Returns letter and name of the season's subjects, for a select field. */
function useSubjects(): Choice[] {
  const FYear = useSeason()
  const exams = useEndpoint(officeExams, { query: { FYear } }).data?.data ?? []
  const byLetter = new Map(exams.map((exam) => [exam.eventLetter, exam.subjectName]))
  return [...byLetter].map(([value, name]) => ({ value, label: `${translateSentence(name)} (${value})` }))
}

const pollInterval = 1_000

/** The last packing job whose end was shown: it is announced on one page only. */
let announcedJob: string | undefined

/** Shows the progress of a bulk packing job, and announces its end once, on the current or the next page. */
export function JobNote() {
  const t = words.use()
  const translate = useSentences()
  const invalidate = useInvalidate(dispatchCalls)
  const mayWrite = useMayWrite()
  const stop = useAction(dispatchCalls)
  const [closed, setClosed] = useState(announcedJob)
  const { data } = useQuery({
    ...endpointQuery(dispatchJobState, { query: {} }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.job?.state) ? pollInterval : false),
  })
  const job = data?.job
  const running = isUnderWay(job?.state)
  const ended = job && !running ? job.jobId : undefined
  useEffect(() => {
    if (ended) void invalidate()
  }, [ended, invalidate])
  useEffect(() => {
    if (!ended) return
    return () => {
      announcedJob = ended
    }
  }, [ended])
  if (!job || closed === job.jobId) return null
  if (running)
    return (
      <section className="panel od-job" aria-live="polite">
        <ProgressBar
          label={t('packing')}
          total={Math.max(1, job.total)}
          done={job.done}
          aside={
            <Button
              kind="text"
              busy={stop.busy}
              disabled={mayWrite ? undefined : t('mayNotWrite')}
              onClick={() => void stop.act(() => call(cancelDispatchJob, { body: { jobId: job.jobId } }))}>
              {t('stop')}
            </Button>
          }>
          {t('packingProgress', { done: job.done, n: job.total })}
        </ProgressBar>
      </section>
    )
  const { packets = 0, schools = 0, unpacked = 0 } = job.outcome
  return (
    <div className="mb-4">
      <Note kind={job.state === 'done' ? 'ok' : job.state === 'failed' ? 'bad' : 'info'}>
        {unpacked > 0
          ? t('unpackedAll', { n: unpacked })
          : job.state === 'failed'
            ? translate(job.error ?? '')
            : t(job.state === 'done' ? 'packedAll' : 'packingStopped', {
                packets: t('packetsFact', { n: packets }),
                n: schools,
              })}{' '}
        {job.undoable > 0 && <UndoPacking job={job} />}
        <Button kind="text" onClick={() => setClosed(job.jobId)}>
          {t('hide')}
        </Button>
      </Note>
    </div>
  )
}

/** Unpacks what a packing job has packed, as long as none of it is on its way. */
function UndoPacking({ job: { jobId, undoable } }: { job: DispatchJob }) {
  const t = words.use()
  const mayWrite = useMayWrite()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button kind="text" disabled={mayWrite ? undefined : t('mayNotWrite')} onClick={() => setAsking(true)}>
        {t('undo')}
      </Button>
      {asking && (
        <ConfirmAction
          danger
          title={t('undoPackingTitle', { n: undoable })}
          action={t('cancel')}
          act={() => call(undoPacking, { body: { jobId } })}
          invalidates={dispatchCalls}
          done={({ unpacked }) => t('unpackedAll', { n: unpacked })}
          onClose={() => setAsking(false)}>
          <p>{t('undoPackingText')}</p>
        </ConfirmAction>
      )}
    </>
  )
}

const isUnderWay = (state: string | undefined) => state === 'waiting' || state === 'running'
