import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { token } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { FieldFrame, useFieldIds } from '#ui/field.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { part } from '#ui/part.ts'
import { pageTitle } from '#ui/portal.ts'
import type en from '#words/en/families-code.json'
import type { DetailsProps } from './details.tsx'
import { asProblem, linkOf, useFamily } from './family.ts'
import './code-step.css'

/** What is read before the access code; the rest is downloaded meanwhile. */
const codeWords = defineWords<typeof en>(import.meta.glob('#words/*/families-code.json'))

/** Everything but the question for the code: downloaded while that is read and typed. */
const Rest = part(() => import('./details.tsx').then((m) => ({ default: m.FamilyRest })))

/** The family's page: access code, children, editing, and the end (specification, sections 2.7 and 4). */
export function FamilyPage({
  results,
  ahead,
}: Pick<DetailsProps, 'results'> & { ahead: () => Promise<unknown> }) {
  const t = codeWords.use()
  const [groupId] = useState(() => linkOf(location.search))
  const { step, load, verify, close } = useFamily(groupId, ahead)
  const kit = useKitWords()
  // Both outlive the code: whoever was editing when the half hour ended goes on where he was.
  const [editing, setEditing] = useState<number | undefined>(history.state ?? undefined)
  const [greeting, setGreeting] = useState('')

  useEffect(() => {
    document.title = pageTitle(t('pageTitle'))
  }, [t])
  useEffect(() => void Rest.load().catch(() => undefined), [])

  const loading = (
    <>
      <h1>{t('pageTitle')}</h1>
      <div className="fam-wait" role="status" aria-busy="true" aria-label={kit.loading}>
        <span />
      </div>
    </>
  )
  // Whose page it is need not be known before the code can be typed.
  if (step.at === 'code' || (step.at === 'loading' && token() === '')) {
    const { name, ended } = step.at === 'code' ? step : { name: '', ended: false }
    const says = editing === undefined ? t('ended') : t('endedKept')
    return (
      <CodeStep
        name={name}
        notice={ended ? says : ''}
        verify={async (code) => setGreeting(await verify(code))}
      />
    )
  }
  if (step.at === 'loading') return loading
  return (
    <Suspense fallback={loading}>
      <Rest {...{ step, groupId, results, greeting, editing, setEditing, load, close }} />
    </Suspense>
  )
}

interface CodeStepProps {
  /** The first child's name, masked; empty until it is known */
  name: string
  /** Says why the code is asked for again */
  notice: string
  verify: (code: string) => Promise<void>
}

/** Whether the code was typed and sent off before the script was there: a field that has the cursor has its change by Enter alone. */
function sentEarly(field: HTMLInputElement): boolean {
  const at = document.activeElement
  if (field.value === '') return false
  try {
    return at === field ? field.matches(':user-valid') : at?.getAttribute('type') === 'submit'
  } catch {
    return false
  }
}

const codeLetters = 8

/** Asks for the access code. What was typed stays when it was wrong: one letter is put right faster than eight. */
function CodeStep({ name, notice, verify }: CodeStepProps) {
  const t = codeWords.use()
  const say = useSentences()
  const [problem, setProblem] = useState<CallError>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

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
    // Less than a whole code is not sent: it would use up a try.
    if (code.replace(/[\s-]/g, '').length < codeLetters) {
      setProblem(new CallError('', 0, code.trim() === '' ? 'empty' : 'short'))
      field.current?.focus()
      return
    }
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
    if (problem.code === 'families.wrong_code')
      return `${say(problem.message)}: ${t('codeWrong', { n: problem.triesLeft ?? 0 })}`
    if (problem.retryAfter) return t('wait', { n: Math.ceil(problem.retryAfter / 60) })
    return say(problem.issues[0]?.message ?? problem.message)
  }
  const props = { label: t('code'), hint: t('codeHint'), error: reason(), className: 'code-field' }
  const { id, describedBy } = useFieldIds(props.error, props.hint)
  return (
    <>
      <div>
        <h1>{name === '' ? t('pageTitle') : t('codeTitle', { name })}</h1>
        <p className="lede">{t('codeLede')}</p>
      </div>
      {notice && <p role="status">{notice}</p>}
      {/* Of this kind a form sends nothing as long as there is no script: a code must not come into an address. */}
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
