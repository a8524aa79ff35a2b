import { bookKinds, bookNames, classes } from '@podium/contract/classes'
import { officeExams } from '@podium/contract/exams/calls-office'
import { officeSchoolPlaces } from '@podium/contract/schools/calls-register'
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
import { chipText } from '#shell/filters.ts'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { endpointQuery, useEndpoint, useInvalidate } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { type Due, shownOfDispatch, useMayWrite, words } from './data.tsx'

type Name = 'state' | 'district' | 'letter' | 'classId' | 'kind' | 'show' | 'sort'

/** The filters of the items to send: school, place, subject, class and kind. */
export function DueFilters({ due, view }: { due: Due; view: ReactNode }) {
  const t = words.use()
  const { filters, set, contents, by } = due
  const subjects = useSubjects()
  const select = (
    name: Name,
    label: string,
    choices: readonly (readonly [string, string])[],
    empty?: string,
  ) => (
    <SelectField
      label={label}
      {...(empty === undefined ? {} : { empty })}
      choices={choices.map(([value, said]) => ({ value, label: said }))}
      {...filters.field(name, name === 'state' ? { district: '' } : {})}
    />
  )
  const places = usePlaces(filters.shown.state, filters.shown.district)
  const all = {
    classId: classes.map(
      ({ classId, className }) => [String(classId), translateSentence(className)] as const,
    ),
    kind:
      contents === 'books'
        ? bookKinds.map((kind) => [kind, translateSentence(bookNames[kind])] as const)
        : awardKinds.map((kind) => [kind, t(kind)] as const),
    show: [
      ['due', t('showDue')],
      ['all', t('showAll')],
      ...(contents === 'awards' ? ([['extra', t('showExtra')]] as const) : []),
    ] as const,
  }
  const kind = t(contents === 'books' ? 'kind' : 'item')
  return (
    <FilterRow
      chips={filters.chips({
        state: chipText(t('state')),
        district: chipText(t('district')),
        letter: chipText(t('subject'), subjects),
        classId: chipText(t('class'), all.classId),
        kind: chipText(kind, all.kind),
        show: chipText(t('show'), all.show),
      })}
      set={Math.max(0, set - (filters.values.search === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      view={
        <div className="view-tools">
          <Segmented
            label={t('by')}
            value={by}
            choices={[
              { value: 'school', label: t('bySchool') },
              { value: 'item', label: t('byItem') },
            ]}
            onChange={(next) => filters.change({ by: next === 'item' ? 'item' : 'school' })}
          />
          {view}
        </div>
      }
      search={<SearchField label={t('search')} placeholder={t('searchHint')} {...filters.field('search')} />}
    >
      {select('state', t('state'), places.states, t('all'))}
      {filters.shown.state !== '' && select('district', t('district'), places.districts, t('all'))}
      {select('letter', t('subject'), subjects, t('all'))}
      {select('classId', t('class'), all.classId, t('all'))}
      {(contents === 'books' || contents === 'awards') && select('kind', kind, all.kind, t('all'))}
      {select('show', t('show'), all.show)}
      {by === 'school' &&
        select('sort', t('order'), [
          ['name', t('orderName')],
          ['copies', t('orderCopies')],
          ['place', t('orderPlace')],
        ])}
    </FilterRow>
  )
}

/** Returns the states and districts that have schools. The chosen ones are always included. */
export function usePlaces(state: string, district: string) {
  const places = useEndpoint(officeSchoolPlaces).data?.data ?? []
  const named = (names: readonly string[], chosen: string) =>
    (chosen === '' || names.includes(chosen) ? names : [chosen, ...names]).map(
      (name): readonly [string, string] => [name, translateSentence(name)],
    )
  return {
    states: named([...new Set(places.map((place) => place.state))], state),
    districts: named(
      places.filter((place) => place.state === state && place.district !== '').map((place) => place.district),
      district,
    ),
  }
}

/** Returns letter and name of the season's subjects, for a select field. */
function useSubjects(): readonly (readonly [string, string])[] {
  const FYear = useSeason()
  const exams = useEndpoint(officeExams, { query: { FYear } }).data?.data ?? []
  const byLetter = new Map(exams.map((exam) => [exam.eventLetter, exam.subjectName]))
  return [...byLetter].map(([letter, name]) => [letter, `${translateSentence(name)} (${letter})`] as const)
}

const pollInterval = 1_000

/** The last packing job whose end was shown: it is announced on one page only. */
let announcedJob: string | undefined

/** Shows the progress of a bulk packing job, and announces its end once, on the current or the next page. */
export function JobNote() {
  const t = words.use()
  const translate = useSentences()
  const renew = useInvalidate(shownOfDispatch)
  const mayWrite = useMayWrite()
  const stop = useAction(shownOfDispatch)
  const [closed, setClosed] = useState(announcedJob)
  const { data } = useQuery({
    ...endpointQuery(dispatchJobState, { query: {} }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.job?.state) ? pollInterval : false),
  })
  const job = data?.job
  const running = isUnderWay(job?.state)
  const ended = job && !running ? job.jobId : undefined
  useEffect(() => {
    if (ended) void renew()
  }, [ended, renew])
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
              onClick={() => void stop.act(() => call(cancelDispatchJob, { body: { jobId: job.jobId } }))}
            >
              {t('stop')}
            </Button>
          }
        >
          {t('packingSays', { done: job.done, n: job.total })}
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
          invalidates={shownOfDispatch}
          done={({ unpacked }) => t('unpackedAll', { n: unpacked })}
          onClose={() => setAsking(false)}
        >
          <p>{t('undoPackingText')}</p>
        </ConfirmAction>
      )}
    </>
  )
}

const isUnderWay = (state: string | undefined) => state === 'waiting' || state === 'running'
