import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { FieldFrame, useFieldIds } from '#ui/field.tsx'
import { codeWords } from './words-code.ts'

interface CodeStepProps {
  /** The first child's name, masked */
  name: string
  /** Says why the code is asked for again */
  notice: string
  verify: (code: string) => Promise<void>
}

/** Asks for the access code. What was typed stays when it was wrong: one letter is put right faster than eight. */
export function CodeStep({ name, notice, verify }: CodeStepProps) {
  const t = codeWords.use()
  const say = useSentences()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<CallError>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (problem) field.current?.select()
  }, [problem])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (code.trim() === '') {
      setProblem(new CallError('', 0, 'empty'))
      field.current?.focus()
      return
    }
    setBusy(true)
    try {
      await verify(code)
    } catch (thrown) {
      setProblem(thrown instanceof CallError ? thrown : new CallError(String(thrown), 0, 'network'))
      setBusy(false)
    }
  }

  const reason = () => {
    if (!problem) return undefined
    if (problem.code === 'network') return t('offline')
    if (problem.code === 'empty') return t('codeMissing')
    if (problem.code === 'families.wrong_code')
      return `${say(problem.message)}: ${t('codeWrong', { n: problem.triesLeft ?? 0 })}`
    if (problem.retryAfter) return t('wait', { n: Math.ceil(problem.retryAfter / 60) })
    return say(problem.issues[0]?.message ?? problem.message)
  }
  const props = { label: t('code'), hint: t('codeHint'), error: reason() }
  const { id, describedBy } = useFieldIds(props.error, props.hint)
  return (
    <>
      <div>
        <h1>{t('codeTitle', { name })}</h1>
        <p className="lede">{t('codeLede')}</p>
      </div>
      {notice && <p role="status">{notice}</p>}
      <form className="fam-form" onSubmit={(event) => void submit(event)} noValidate>
        <FieldFrame id={id} props={props}>
          <input
            ref={field}
            id={id}
            className="in pin"
            name="code"
            value={code}
            onChange={(event) => {
              setCode(event.target.value)
              setProblem(undefined)
            }}
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
