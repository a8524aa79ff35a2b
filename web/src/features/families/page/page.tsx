import { type FormEvent, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { token } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { FieldFrame, useFieldIds } from '#ui/field.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { lazyPart } from '#ui/lazy-part.ts'
import { pageTitle } from '#ui/portal.ts'
import type en from '#words/en/families-code.json'
import type { DetailsProps } from './details.tsx'
import { asProblem, linkOf, useFamily } from './family.ts'

/** The words needed before the access code; the rest is loaded meanwhile. */
const codeWords = defineWords<typeof en>(import.meta.glob('#words/*/families-code.json'))

/** Everything after the access code: loaded while the user reads and types. */
const FamilyRest = lazyPart(() => import('./details.tsx'), 'FamilyRest')

/** The family's page: access code, children, editing, and the end (specification, sections 2.7 and 4). */
export function FamilyPage({
  results,
  ahead,
}: Pick<DetailsProps, 'results'> & { ahead: () => Promise<unknown> }) {
  const t = codeWords.use()
  const [groupId] = useState(() => linkOf(location.search))
  const { step, load, verify, close } = useFamily(groupId, ahead)
  const kit = useKitWords()
  // Both survive the code step: a user who was editing when the half hour ended continues there.
  const [editing, setEditing] = useState<number | undefined>(history.state ?? undefined)
  const [greeting, setGreeting] = useState('')

  useEffect(() => {
    document.title = pageTitle(t('pageTitle'))
  }, [t])
  useEffect(() => void FamilyRest.load().catch(() => undefined), [])

  const loading = (
    <>
      <h1>{t('pageTitle')}</h1>
      <div className="fam-wait" role="status" aria-busy="true" aria-label={kit.loading}>
        <span />
      </div>
    </>
  )
  // The code can be typed before it is known whose page this is.
  if (step.kind === 'code' || (step.kind === 'loading' && token() === '')) {
    const { name, ended } = step.kind === 'code' ? step : { name: '', ended: false }
    const endedText = editing === undefined ? t('ended') : t('endedDraftSaved')
    return (
      <CodeStep
        name={name}
        notice={ended ? endedText : ''}
        verify={async (code) => setGreeting(await verify(code))}
      />
    )
  }
  if (step.kind === 'loading') return loading
  return (
    <Suspense fallback={loading}>
      <FamilyRest {...{ step, groupId, results, greeting, editing, setEditing, load, close }} />
    </Suspense>
  )
}

interface CodeStepProps {
  /** The first child's name, masked; empty until it is loaded */
  name: string
  /** Why the code is asked for again */
  notice: string
  verify: (code: string) => Promise<void>
}

/**
 * Whether the code was typed and sent before the script had loaded: a focused field fires its change event only on
 * Enter.
 */
function sentEarly(field: HTMLInputElement): boolean {
  const focused = document.activeElement
  if (field.value === '') return false
  try {
    return focused === field ? field.matches(':user-valid') : focused?.getAttribute('type') === 'submit'
  } catch {
    return false
  }
}

/** Returns the seconds until the code may be tried again, by the clock, and calls `over` at their end. */
function useWait(problem: CallError | undefined, over: () => void): number {
  const [left, setLeft] = useState<{ of: CallError; seconds: number }>()
  const end = useEffectEvent(over)
  useEffect(() => {
    if (!problem?.retryAfter) return
    const until = Date.now() + problem.retryAfter * 1000
    const timer = setInterval(() => {
      const seconds = Math.ceil((until - Date.now()) / 1000)
      if (seconds <= 0) end()
      else setLeft({ of: problem, seconds })
    }, 1000)
    return () => clearInterval(timer)
  }, [problem])
  return (left?.of === problem ? left?.seconds : problem?.retryAfter) ?? 0
}

const codeLetters = 8

/** Asks for the access code. A wrong code stays in the field: correcting one letter is faster than typing eight. */
function CodeStep({ name, notice, verify }: CodeStepProps) {
  const t = codeWords.use()
  const translate = useSentences()
  const [problem, setProblem] = useState<CallError>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const waiting = useWait(problem, () => setProblem(undefined))

  useEffect(() => {
    if (field.current && sentEarly(field.current)) field.current.form?.requestSubmit()
  }, [])
  useEffect(() => {
    if (problem) field.current?.select()
  }, [problem])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const code = field.current?.value ?? ''
    // An incomplete code is not sent: it would use up a try.
    if (code.replace(/[\s-]/g, '').length < codeLetters) {
      setProblem(new CallError('', 0, code.trim() === '' ? 'empty' : 'short'))
      field.current?.focus()
      return
    }
    setProblem(undefined)
    setBusy(true)
    try {
      await verify(code)
    } catch (thrown) {
      setProblem(asProblem(thrown))
      setBusy(false)
    }
  }

  const reason = () => {
    if (!problem) return undefined
    if (problem.code === 'network') return t('offline')
    if (problem.code === 'empty') return t('codeMissing')
    if (problem.code === 'short') return t('codeShort')
    if (problem.code === 'families.wrong_code') {
      const left = problem.triesLeft ?? 0
      return `${translate(problem.message)}: ${left > 0 ? t('codeWrong', { n: left }) : t('codeUsedUp')}`
    }
    if (problem.retryAfter) return t('wait', { n: Math.ceil(waiting / 60) })
    return translate(problem.issues[0]?.message ?? problem.message)
  }
  const props = { label: t('code'), hint: t('codeHint'), error: reason(), className: 'code-field' }
  const { id, describedBy } = useFieldIds(props.error, props.hint)
  return (
    <>
      <div>
        <h1>{name === '' ? t('pageTitle') : t('codeTitle', { name })}</h1>
        <p className="lede">{t('codeIntro')}</p>
      </div>
      {notice && <p role="status">{notice}</p>}
      {/* A form with this method sends nothing before the script is there: a code must not get into a URL. */}
      <form className="fam-form" method="dialog" onSubmit={(event) => void submit(event)} noValidate>
        <FieldFrame id={id} props={props}>
          <input
            ref={field}
            id={id}
            className="in"
            name="code"
            onChange={() => setProblem(undefined)}
            aria-invalid={problem ? true : undefined}
            aria-describedby={describedBy}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            maxLength={40}
            enterKeyHint="go"
          />
        </FieldFrame>
        <Button type="submit" kind="primary" wide busy={busy}>
          {t('continue')}
        </Button>
      </form>
      <p className="quiet">{t('noCode')}</p>
    </>
  )
}
