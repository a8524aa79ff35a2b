import './attendance.css'
import {
  type PaperKind,
  type PaperShape,
  paperJobState,
  paperKinds,
  paperShapes,
  startPapers,
} from '@podium/contract/exams/calls-attendance'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { useEndpointMutation } from '#shell/query.ts'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { Button, Segmented } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
import { type Papers, usePapers } from './data.ts'
import { PapersFilters } from './filter-row.tsx'
import { PapersJob } from './job.tsx'
import { PapersTable, usePaperColumns } from './table.tsx'
import { words } from './words.ts'

export const kindWords = {
  attendance: 'attendance',
  answers: 'answers',
  admit: 'admit',
} as const satisfies Record<PaperKind, string>

/** Attendance sheets, lists of answer sheets and admit cards: for one school at once, for many by a job. */
export function PapersPage() {
  const t = words.use()
  const papers = usePapers()
  const { filters, kind, list, exams } = papers
  const view = useListView('exam-papers', usePaperColumns(papers))
  if (exams.isError && !exams.data)
    return <PageProblem title={t('title')} error={exams.error} retry={exams.refetch} />
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={list.data && t('fact', { students: count(list.data.students), n: list.data.total })}
      >
        <PrintAll papers={papers} />
      </PageHeader>
      <div className="ep-kinds">
        <Segmented
          label={t('paper')}
          value={kind}
          choices={paperKinds.map((value) => ({ value, label: t(kindWords[value]) }))}
          onChange={(next) => filters.change({ kind: next })}
        />
      </div>
      <PapersJob />
      <PapersFilters papers={papers} view={view.tools} />
      <PapersTable papers={papers} columns={view.columns} />
    </>
  )
}

/** Of every school that the filters leave: one PDF for each class, or one ZIP with a PDF for each school. */
function PrintAll({ papers }: { papers: Papers }) {
  const t = words.use()
  const say = useSentences()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [as, setAs] = useState<PaperShape>('classes')
  const { list, asked, kind, mayWrite, exam } = papers
  const start = useEndpointMutation(startPapers, {
    onSuccess: () => {
      setAsking(false)
      void client.invalidateQueries({ queryKey: [paperJobState.path] })
    },
    onError: (cause) => toast.error(say(cause.message)),
  })
  const { students = 0, total = 0 } = list.data ?? {}
  return (
    <>
      <Button
        kind="primary"
        icon="print"
        disabled={mayWrite ? (students === 0 ? t('nobody') : undefined) : t('mayNotWrite')}
        onClick={() => setAsking(true)}
      >
        {t('printAll')}
      </Button>
      {asking && (
        <ConfirmDialog
          opened
          title={t('printAllTitle', { paper: t(kindWords[kind]), subject: exam?.subjectName ?? '' })}
          action={t('printNow')}
          busy={start.isPending}
          onConfirm={() => start.mutate({ body: { ...asked, kind, as } })}
          onCancel={() => setAsking(false)}
        >
          <div className="stack">
            <p>{t('printAllSays', { students: count(students), n: total })}</p>
            <RadioField
              label={t('shape')}
              name="shape"
              value={as}
              choices={paperShapes.map((value) => ({
                value,
                label: t(value === 'classes' ? 'byClass' : 'bySchool'),
              }))}
              onChange={(next) => setAs(next as PaperShape)}
            />
          </div>
        </ConfirmDialog>
      )}
    </>
  )
}
