import type { BodyOf } from '@podium/contract/endpoint'
import {
  type LetterCodes,
  type LetterLanguages,
  type LetterPlan,
  letterCodes,
  letterLanguages,
  letterPlan,
  letterRuns,
  startLetters,
} from '@podium/contract/schools/calls-letters'
import { lazy, Suspense, useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const ConfirmDialog = lazy(() => import('#ui/dialog.tsx').then((m) => ({ default: m.ConfirmDialog })))

type Asked = Omit<BodyOf<typeof startLetters>, 'language' | 'codes' | 'schools'>

/** In which language, with which codes, and what that does to the codes that there are. */
export function LetterForm({ asked, plan }: { asked: Asked; plan: LetterPlan }) {
  const t = words.use()
  const say = useSentences()
  const [language, setLanguage] = useState<LetterLanguages>('en')
  const [codes, setCodes] = useState<LetterCodes>('keep')
  const [asking, setAsking] = useState(false)
  const start = useEndpointMutation(startLetters, {
    renews: [letterRuns, letterPlan],
    onSettled: () => setAsking(false),
    onError: (cause) => toast.error(say(cause.message)),
  })
  const ends = codes === 'new' ? plan.kept + plan.unreadable : plan.unreadable
  const print = () => start.mutate({ body: { ...asked, language, codes, schools: plan.schools } })
  return (
    <Panel title={t('print')}>
      <div className="letters-form">
        <p>{t('pieces', { n: plan.pieces })}</p>
        <RadioField
          label={t('language')}
          name="language"
          value={language}
          choices={letterLanguages.map((value) => ({ value, label: t(`lang_${value}`) }))}
          onChange={(next) => setLanguage(next as LetterLanguages)}
        />
        <RadioField
          label={t('codes')}
          name="codes"
          value={codes}
          choices={letterCodes.map((value) => ({ value, label: t(`codes_${value}`) }))}
          onChange={(next) => setCodes(next as LetterCodes)}
        />
        <Consequences plan={plan} codes={codes} />
        <Button
          kind="primary"
          big
          icon="print"
          busy={start.isPending}
          disabled={plan.schools === 0 ? t('none') : undefined}
          onClick={ends > 0 ? () => setAsking(true) : print}
        >
          {t('printN', { n: plan.schools })}
        </Button>
      </div>
      {asking && (
        <Suspense>
          <ConfirmDialog
            opened
            danger
            title={t('sureTitle', { n: ends })}
            action={t('sure')}
            busy={start.isPending}
            onConfirm={print}
            onCancel={() => setAsking(false)}
          >
            {t('sureSays', { n: ends })}
          </ConfirmDialog>
        </Suspense>
      )}
    </Panel>
  )
}

/** What printing does to links and codes, said before. */
function Consequences({ plan, codes }: { plan: LetterPlan; codes: LetterCodes }) {
  const t = words.use()
  const anew = codes === 'new'
  const lines = [
    plan.kept > 0 && !anew && t('kept', { n: plan.kept }),
    plan.without > 0 && t('without', { n: plan.without }),
    plan.off > 0 && t('off', { n: plan.off }),
  ].filter((line) => line !== false)
  return (
    <>
      {lines.length > 0 && (
        <ul className="letters-says">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {anew && plan.kept + plan.unreadable > 0 && (
        <Note kind="due">{t('renewAll', { n: plan.kept + plan.unreadable })}</Note>
      )}
      {!anew && plan.unreadable > 0 && <Note kind="due">{t('unreadable', { n: plan.unreadable })}</Note>}
    </>
  )
}
