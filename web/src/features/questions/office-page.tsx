import type { AnswerOf } from '@podium/contract/endpoint'
import { officeExams } from '@podium/contract/exams/calls-office'
import {
  acceptQuestions,
  declineQuestion,
  declineQuestions,
  exportQuestions,
  type OfficeQuestion,
  officeQuestions,
  questionStates,
} from '@podium/contract/questions/calls'
import { officeMe } from '@podium/contract/staff/calls'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type BulkActionProps, RefusedDialog, useBulkAction } from '#shell/action-dialogs.tsx'
import {
  AssignMenu,
  assignedQuery,
  type SelectedRows,
  useAssignedFilter,
  useSelectedRows,
  Viewers,
} from '#shell/assignments/assigned.tsx'
import { call } from '#shell/call.ts'
import { callOnce } from '#shell/call-once.ts'
import { useFilters } from '#shell/filters.ts'
import { count } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { classChoices, ListFilters, useLastPage } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { EmptyState } from '#ui/note.tsx'
import { Pager } from '#ui/pager.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { questionFilters } from './office-filters.ts'
import { QuestionCard, shortened, useDecisionRefusal, words } from './question-card.tsx'
import './questions.css'
import '#ui/table.css'
import '#ui/table-cards.css'

interface ListProps {
  questions: readonly OfficeQuestion[]
  /** By question id: how many other schools have sent the same question */
  same: Readonly<Record<string, number>>
  /** They wait for a decision and can be decided together */
  waiting: boolean
  stale: boolean
  /** Shown if there are none */
  empty: ReactNode
}

/**
 * A list of questions. Waiting ones are decided singly or several together. The dialogs are rendered beside the list,
 * so that a question leaving it does not close its dialog or hide a refusal.
 */
function QuestionList({ questions, same, waiting, stale, empty }: ListProps) {
  const kit = useKitWords()
  const chosen = useSelectedRows(questions)
  const [open, setOpen] = useState<'accept' | 'decline'>()
  const [declining, setDeclining] = useState<OfficeQuestion>()
  const dialogProps = { rows: chosen.rows, onClose: () => setOpen(undefined), onDone: chosen.clear }
  return (
    <>
      {questions.length === 0 && <Panel padded={false}>{empty}</Panel>}
      {questions.length > 0 && (
        <div className="oq-all">
          {waiting && <Viewers kind="question" ids={questions.map(({ id }) => id)} />}
          {waiting && (
            <CheckField
              label={kit.selectPage}
              checked={chosen.all}
              mixed={chosen.rows.length > 0 && !chosen.all}
              onChange={chosen.toggleAll}
            />
          )}
          <ul className="oq-list stack gap-4" aria-busy={stale || undefined}>
            {questions.map((question) => (
              <QuestionCard
                key={question.id}
                question={question}
                same={same[question.id] ?? 0}
                chosen={waiting ? chosen : undefined}
                onDecline={setDeclining}
              />
            ))}
          </ul>
          {waiting && chosen.rows.length > 0 && <Bar chosen={chosen} onOpen={setOpen} />}
        </div>
      )}
      {declining && (
        <DeclineDialog
          question={questions.find(({ id }) => id === declining.id) ?? declining}
          onClose={() => setDeclining(undefined)}
        />
      )}
      {open === 'accept' && <AcceptManyDialog {...dialogProps} />}
      {open === 'decline' && <DeclineManyDialog {...dialogProps} />}
    </>
  )
}

interface BarProps {
  chosen: SelectedRows<OfficeQuestion>
  onOpen: (open: 'accept' | 'decline') => void
}

function Bar({ chosen, onOpen }: BarProps) {
  const t = words.use()
  const refusal = useDecisionRefusal()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="selbar" role="group" aria-label={t('title')}>
      <span aria-live="polite">
        <b>{t('chosen', { n: chosen.rows.length })}</b>
      </span>
      <Button kind="primary" disabled={refusal} onClick={() => onOpen('accept')}>
        {t('acceptChosen')}
      </Button>
      <Button kind="danger" disabled={refusal} onClick={() => onOpen('decline')}>
        {t('declineChosen')}
      </Button>
      {!refusal && <AssignMenu kind="question" ids={chosen.rows.map(({ id }) => id)} />}
      <Button kind="text" onClick={chosen.clear}>
        {t('unchoose')}
      </Button>
    </div>
  )
}

/** Teachers' questions, to be accepted or declined. */
export function OfficeQuestionsPage() {
  const t = words.use()
  const season = useSeason()
  const filters = useFilters(questionFilters)
  const { page, status, search } = filters.values
  const letter = /^[A-Z]$/.test(filters.values.letter) ? filters.values.letter : ''
  const classId = /^\d{1,2}$/.test(filters.values.classId) ? filters.values.classId : ''
  const request = {
    FYear: season,
    status,
    letter,
    classId,
    search,
    ...assignedQuery(filters.values.assigned),
  }
  const list = useEndpoint(officeQuestions, { query: { ...request, page: String(page) } })
  const { data } = list
  useLastPage(data, filters)
  const set = filters.countSet('search', 'letter', 'classId', 'assigned')
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })}>
        <ListDownloads endpoint={exportQuestions} bodyOf={(format) => ({ ...request, format })} />
      </PageHeader>
      <LinkTabs label={t('states')}>
        {questionStates.map((state) => (
          <Link
            key={state}
            to="."
            search={questionFilters.validate({ ...filters.values, status: state, page: 1 })}
            replace
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={state === status ? 'page' : undefined}>
            {t(state)} {data && <span className="num">{count(data.counts[state] ?? 0)}</span>}
          </Link>
        ))}
      </LinkTabs>
      <Filters filters={filters} season={season} />
      {list.isError && !data && <LoadProblem error={list.error} retry={list.refetch} />}
      {!data && !list.isError && <Skeleton shape="cards" rows={4} />}
      {data && (
        <QuestionList
          questions={data.data}
          same={data.same}
          waiting={status === 'sent' && data.data.every((question) => question.status === 'sent')}
          stale={list.isPlaceholderData}
          empty={
            <EmptyState icon={set > 0 ? 'search' : 'ok'} title={t(set > 0 ? 'nothing' : 'none')}>
              {t(set > 0 ? 'nothingHint' : status === 'sent' ? 'noneWaiting' : 'noneHint')}
            </EmptyState>
          }
        />
      )}
      {data && data.data.length > 0 && (
        <Pager
          total={data.total}
          page={Math.max(1, page)}
          size={data.pageSize}
          shown={data.data.length}
          onPage={(next) => filters.change({ page: next })}
        />
      )}
    </>
  )
}

interface FiltersProps {
  filters: ReturnType<typeof useFilters<(typeof questionFilters)['readers']>>
  season: string
}

function Filters({ filters, season }: FiltersProps) {
  const t = words.use()
  const exams = useEndpoint(officeExams, { query: { FYear: season } }).data?.data ?? []
  const { tools } = useListView('questions', [])
  const subjects = new Map(exams.map((exam) => [exam.eventLetter, exam.subjectName]))
  return (
    <ListFilters
      filters={filters}
      fields={{
        search: { label: t('search'), placeholder: t('searchHint') },
        letter: {
          label: t('subject'),
          all: t('all'),
          choices: [...subjects].map(([value, name]) => ({ value, label: translateSentence(name) })),
        },
        classId: { label: t('class'), all: t('all'), choices: classChoices() },
        assigned: useAssignedFilter('question'),
      }}
      view={tools}
    />
  )
}

/** Declines a question with a reason that its school can read. */
function DeclineDialog({ question, onClose }: { question: OfficeQuestion; onClose: () => void }) {
  const t = words.use()
  const { id, version } = question
  return (
    <ReasonDialog
      title={t('declineTitle')}
      description={t('declineHint', { name: question.sentBy })}
      action={t('decline')}
      danger
      draftKey={`question.${id}`}
      act={(reason) => call(declineQuestion, { body: { id, version, reason } })}
      invalidates={[officeQuestions]}
      done={t('declineDone')}
      onClose={onClose}
    />
  )
}

type DialogProps = BulkActionProps<OfficeQuestion>
type Outcome = AnswerOf<typeof acceptQuestions>

const invalidates = [officeQuestions, officeMe]
const reviews = (rows: readonly OfficeQuestion[]) => rows.map(({ id, version }) => ({ id, version }))

/** Returns a line that says how many schools the questions come from. */
function useSchoolsText(rows: readonly OfficeQuestion[]): string {
  const t = words.use()
  return t('fromSchools', { n: new Set(rows.map(({ schoolId }) => schoolId)).size })
}

/** Accepts the selected questions; says which were skipped and why. */
function AcceptManyDialog(props: DialogProps) {
  const t = words.use()
  const doneText = (done: Outcome['done']) => t('acceptDoneMany', { n: done.length })
  const { asked, confirm, busy, outcome } = useBulkAction(props, { invalidates, doneText })
  const from = useSchoolsText(asked)
  const accept = () =>
    confirm((idempotencyKey) =>
      callOnce(acceptQuestions, { body: { questions: reviews(asked) }, idempotencyKey }),
    )
  if (outcome) return <BulkOutcome questions={asked} outcome={outcome} onClose={props.onClose} />
  return (
    <ConfirmDialog
      opened
      title={t('acceptManyTitle', { n: asked.length })}
      action={t('accept')}
      busy={busy}
      onConfirm={accept}
      onCancel={props.onClose}>
      <p>
        {from} {t('acceptManyHint')}
      </p>
    </ConfirmDialog>
  )
}

/** Declines the selected questions for one reason, which their schools can read. */
function DeclineManyDialog(props: DialogProps) {
  const t = words.use()
  const doneText = (done: Outcome['done']) => t('declineDoneMany', { n: done.length })
  const { asked, key, showOutcome, outcome } = useBulkAction(props, { invalidates, doneText })
  const from = useSchoolsText(asked)
  if (outcome) return <BulkOutcome questions={asked} outcome={outcome} onClose={props.onClose} />
  return (
    <ReasonDialog
      title={t('declineManyTitle', { n: asked.length })}
      description={`${from} ${t('declineManyHint')}`}
      rule={declineQuestions.body.shape.reason}
      action={t('decline')}
      danger
      act={(reason) =>
        callOnce(declineQuestions, { body: { questions: reviews(asked), reason }, idempotencyKey: key })
      }
      onDone={showOutcome}
      onClose={props.onClose}
    />
  )
}

interface BulkOutcomeProps {
  questions: readonly OfficeQuestion[]
  outcome: Outcome
  onClose: () => void
}

function BulkOutcome({ questions, outcome: { done, refused }, onClose }: BulkOutcomeProps) {
  const t = words.use()
  return (
    <RefusedDialog
      title={t('notAll')}
      summary={t('notAllText', { done: done.length, n: refused.length })}
      refused={refused}
      nameOf={(id) => {
        const question = questions.find((candidate) => candidate.id === id)
        return question ? `${shortened(question)} (${question.schName})` : String(id)
      }}
      understood={t('understood')}
      onClose={onClose}
    />
  )
}
