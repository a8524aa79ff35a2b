import { officeStudentHistory, type StudentHistoryLine } from '@podium/contract/students-record'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type CallError, call } from '#shell/call.ts'
import { Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { en } from './words-record.en.ts'
import { words } from './words-record.ts'

type Page = { data: StudentHistoryLine[]; more: boolean }

/** What has happened to the child's entry: who, when, from what to what; older lines on demand. */
export function History({ id }: { id: number }) {
  const t = words.use()
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery<
    Page,
    CallError
  >({
    queryKey: [officeStudentHistory.path, id],
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === undefined ? {} : { before: String(pageParam) }
      return call(officeStudentHistory, { query: { id: String(id), ...before }, signal })
    },
    getNextPageParam: (last) => (last.more ? last.data.at(-1)?.id : undefined),
  })
  const lines = data?.pages.flatMap((page) => page.data)
  return (
    <Panel title={t('history')} padded={false} className="student-history">
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

type Known = keyof typeof en

const actors = {
  office: 'byOffice',
  account: 'bySchool',
  family: 'byFamily',
  system: 'bySystem',
} as const

const fields = {
  name: 'name',
  classId: 'class',
  section: 'section',
  rollNo: 'rollNo',
  parentName: 'parent',
  parentEmail: 'email',
  parentMobile: 'mobile',
  subjects: 'subject',
  regAmount: 'registrationFee',
  bookAmount: 'bookFee',
  reason: 'reason',
  active: 'fieldActive',
  school: 'school',
  examRollNo: 'examRollNo',
} as const

function Line({ line }: { line: StudentHistoryLine }) {
  const t = words.use()
  const code = line.action.replaceAll('.', '_')
  // Words that are not there come back as they were asked for.
  const said = t(code as Known)
  const actor = Object.entries(actors).find(([kind]) => kind === line.actorKind)
  return (
    <li>
      <b>{said === code ? line.action : said}</b>
      <span className="student-when">
        <Moment value={line.at} /> · {line.actorName}
        {actor && ` (${t(actor[1])})`}
      </span>
      {line.changes.length > 3 ? (
        <details>
          <summary>{t('changes', { n: line.changes.length })}</summary>
          <Changes line={line} />
        </details>
      ) : (
        line.changes.length > 0 && <Changes line={line} />
      )}
    </li>
  )
}

function Changes({ line }: { line: StudentHistoryLine }) {
  const t = words.use()
  const nameOf = (field: string) => {
    const known = Object.entries(fields).find(([column]) => column === field)
    return known ? t(known[1]) : field
  }
  return (
    <ul>
      {line.changes.map(({ field, from, to }) => (
        <li key={field}>
          {field !== '' && <span className="quiet">{nameOf(field)}: </span>}
          {from !== '' && (
            <>
              <span className="sr">{t('from')} </span>
              <del>{from}</del> <span aria-hidden="true">→</span> <span className="sr">{t('to')} </span>
            </>
          )}
          <ins>{to === '' ? t('nothingThere') : to}</ins>
        </li>
      ))}
    </ul>
  )
}
