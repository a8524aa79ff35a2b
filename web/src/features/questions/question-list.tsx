import '#ui/table.css'
import '#ui/table-cards.css'
import type { OfficeQuestion } from '@podium/contract/questions/calls-office'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type Chosen, useChosen } from '#shell/chosen.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { QuestionCard, useMayNot } from './question-card.tsx'
import { words } from './words-office.ts'

const loadDialogs = () => import('./bulk-dialogs.tsx')
const DeclineDialog = lazy(() => import('./decline-dialog.tsx').then((m) => ({ default: m.DeclineDialog })))
const AcceptManyDialog = lazy(() => loadDialogs().then((m) => ({ default: m.AcceptManyDialog })))
const DeclineManyDialog = lazy(() => loadDialogs().then((m) => ({ default: m.DeclineManyDialog })))

interface ListProps {
  questions: readonly OfficeQuestion[]
  /** They wait for a decision: several can be decided together */
  waiting: boolean
  stale: boolean
  /** Stands here when there are none */
  empty: ReactNode
}

/**
 * Questions one below the other; what waits is decided one by one, or several together. The dialogs stand beside the
 * list: a question that has left it takes neither a dialog along, nor why it was refused.
 */
export function QuestionList({ questions, waiting, stale, empty }: ListProps) {
  const kit = useKitWords()
  const chosen = useChosen(questions)
  const [open, setOpen] = useState<'accept' | 'decline'>()
  const [declining, setDeclining] = useState<OfficeQuestion>()
  const its = { rows: chosen.rows, onClose: () => setOpen(undefined), onDone: chosen.clear }
  return (
    <>
      {questions.length === 0 && empty}
      {questions.length > 0 && (
        <div className="oq-all">
          {waiting && (
            <CheckField
              label={kit.selectPage}
              checked={chosen.all}
              mixed={chosen.rows.length > 0 && !chosen.all}
              onChange={chosen.toggleAll}
            />
          )}
          <ul className="oq-list" aria-busy={stale || undefined}>
            {questions.map((question) => (
              <QuestionCard
                key={question.id}
                question={question}
                chosen={waiting ? chosen : undefined}
                onDecline={setDeclining}
              />
            ))}
          </ul>
          {waiting && chosen.rows.length > 0 && <Bar chosen={chosen} onOpen={setOpen} />}
        </div>
      )}
      <Suspense>
        {declining && (
          <DeclineDialog
            question={questions.find(({ id }) => id === declining.id) ?? declining}
            onClose={() => setDeclining(undefined)}
          />
        )}
        {open === 'accept' && <AcceptManyDialog {...its} />}
        {open === 'decline' && <DeclineManyDialog {...its} />}
      </Suspense>
    </>
  )
}

interface BarProps {
  chosen: Chosen<OfficeQuestion>
  onOpen: (open: 'accept' | 'decline') => void
}

function Bar({ chosen, onOpen }: BarProps) {
  const t = words.use()
  const mayNot = useMayNot()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="selbar" role="group" aria-label={t('title')}>
      <span aria-live="polite">
        <b>{t('chosen', { n: chosen.rows.length })}</b>
      </span>
      <Button
        kind="primary"
        disabled={mayNot}
        onPointerEnter={() => void loadDialogs()}
        onClick={() => onOpen('accept')}
      >
        {t('acceptChosen')}
      </Button>
      <Button kind="danger" disabled={mayNot} onClick={() => onOpen('decline')}>
        {t('declineChosen')}
      </Button>
      <Button kind="text" onClick={chosen.clear}>
        {t('unchoose')}
      </Button>
    </div>
  )
}
