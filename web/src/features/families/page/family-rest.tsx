import { useEffect } from 'react'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Toaster, toast } from '#ui/toast.tsx'
import { Details, type DetailsProps } from './details.tsx'
import type { Step } from './family.ts'
import { words } from './words.ts'

interface FamilyRestProps extends Omit<DetailsProps, 'family' | 'done'> {
  step: Exclude<Step, { at: 'loading' | 'code' }>
  /** What the right code was answered with */
  greeting: string
  close: () => Promise<void>
}

/** The page after the code, or without one: the children, the end, and what went wrong. */
export function FamilyRest({ step, greeting, close, ...details }: FamilyRestProps) {
  const t = words.use()
  const say = useSentences()

  useEffect(() => {
    if (greeting) toast.success(translateSentence(greeting))
  }, [greeting])

  const done = () => {
    toast.clear()
    details.setEditing(undefined)
    return close()
  }
  const content = () => {
    if (step.at === 'details') return <Details {...details} family={step.family} done={done} />
    if (step.at === 'closed') {
      const again = <Button onClick={() => void details.load()}>{t('again')}</Button>
      return (
        <EmptyState icon="ok" level={1} title={t('doneTitle')} actions={again}>
          {t('doneText')}
        </EmptyState>
      )
    }
    const { code, message } = step.error
    if (code === 'account.bad_link') {
      return (
        <EmptyState icon="search" level={1} title={t('badLink')}>
          {say(message)}
        </EmptyState>
      )
    }
    return (
      <ErrorState level={1} retry={details.load}>
        {code === 'network' ? t('offline') : say(message)}
      </ErrorState>
    )
  }
  return (
    <>
      {content()}
      <Toaster />
    </>
  )
}
