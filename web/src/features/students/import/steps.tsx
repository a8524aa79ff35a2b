import { confirmImport } from '@podium/contract/students/calls-import'
import { type ImportPreview, importHistory } from '@podium/contract/students/calls-import-preview'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { count, dayText, Rupees } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { DeskColumns } from './columns.tsx'
import type { Desk } from './data.ts'
import { DeskFaults } from './faults.tsx'
import { FaultsButton } from './faults-button.tsx'
import { deskFilters } from './filters.ts'
import { DeskOutcome } from './outcome.tsx'
import { rememberImport } from './progress-state.ts'
import { DeskQuestions } from './questions.tsx'
import { deskWords } from './words.ts'

const steps = ['columns', 'faults', 'questions', 'outcome'] as const
type Step = (typeof steps)[number]

/** The first step at which something waits for the person. */
function firstStep({ unmapped, errorCount, askedCount }: ImportPreview): Step {
  if (unmapped.length > 0) return 'columns'
  if (errorCount > 0) return 'faults'
  return askedCount > 0 ? 'questions' : 'outcome'
}

/** The steps of one file, in any order: what the columns are, what to correct, who may be the same child, what will happen. */
export function DeskSteps({ desk, preview }: { desk: Desk; preview: ImportPreview }) {
  const t = deskWords.use()
  const filters = useFilters(deskFilters)
  const [began] = useState(() => firstStep(preview))
  const step: Step = steps.find((one) => one === filters.shown.step) ?? began
  const behind = preview.badCount + preview.askedCount
  const waits = {
    columns: preview.unmapped.length,
    faults: preview.errorCount,
    questions: preview.askedCount,
    outcome: 0,
  }
  const names = {
    columns: t('stepColumns'),
    faults: t('stepFaults'),
    questions: t('stepQuestions'),
    outcome: t('stepOutcome'),
  }
  const tabs = steps.map((key) => ({
    key,
    label: (
      <>
        {names[key]}
        {waits[key] > 0 && <span className="dk-n">{count(waits[key])}</span>}
      </>
    ),
  }))
  return (
    <div className="stack dk">
      {desk.problem && <Note kind="bad">{desk.problem}</Note>}
      <Known preview={preview} />
      <div>
        <Tabs
          label={t('steps')}
          tabs={tabs}
          active={step}
          onChange={(next) => filters.change({ step: next })}
        >
          {step === 'columns' && <DeskColumns desk={desk} preview={preview} />}
          {step === 'faults' && <DeskFaults desk={desk} preview={preview} />}
          {step === 'questions' && <DeskQuestions desk={desk} preview={preview} />}
          {step === 'outcome' && <DeskOutcome preview={preview} />}
        </Tabs>
      </div>
      {behind > 0 && <FaultsButton importId={preview.importId} n={behind} />}
      <DeskFoot desk={desk} preview={preview} />
    </div>
  )
}

function Known({ preview: { before, repeated } }: { preview: ImportPreview }) {
  const t = deskWords.use()
  if (!before) return repeated ? <Note>{t('repeated')}</Note> : null
  const { by, at, imported, undone } = before
  return (
    <Note>
      <b>{t(undone ? 'beforeUndone' : 'beforeImported', { by, at: dayText(at), n: imported })}</b>{' '}
      {t('beforeSafe')}
    </Note>
  )
}

/** What would be imported now, the rows that stay behind, and the one button that saves. */
function DeskFoot({ desk, preview }: { desk: Desk; preview: ImportPreview }) {
  const t = deskWords.use()
  const say = useSentences()
  const client = useQueryClient()
  const [confirming, setConfirming] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { importId, revision, goodCount, newCount, changedCount } = preview
  const confirm = async () => {
    setConfirming(true)
    setProblem(undefined)
    try {
      await call(confirmImport, { body: { importId, revision } })
      rememberImport(importId)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem(say(cause.message))
    }
    await client.invalidateQueries()
    void client.invalidateQueries({ queryKey: [importHistory.path] })
    setConfirming(false)
  }
  const reason =
    preview.unmapped.length > 0 ? t('confirmColumns') : goodCount === 0 ? t('confirmNothing') : false
  return (
    <section className="panel dk-foot" aria-label={t('stepOutcome')}>
      {problem && <Note kind="bad">{problem}</Note>}
      <p className="dk-sums" role="status">
        {desk.checking ? (
          <>
            <span className="spin" aria-hidden="true" /> {t('checking')}
          </>
        ) : (
          <>
            <b>{count(newCount)}</b> {t('new')} · <b>{count(changedCount)}</b> {t('changed')} ·{' '}
            <b>
              <Rupees amount={preview.regAmount + preview.bookAmount} />
            </b>
          </>
        )}
      </p>
      <Button
        kind="primary"
        icon="upload"
        busy={confirming || desk.checking}
        disabled={reason}
        onClick={() => void confirm()}
      >
        {t('confirm', { n: goodCount })}
      </Button>
    </section>
  )
}
