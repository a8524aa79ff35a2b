import { Suspense, useEffect, useState } from 'react'
import { part } from '#ui/part.ts'
import { pageTitle } from '#ui/portal.ts'
import { CodeStep } from './code-step.tsx'
import type { FamilyPageProps } from './details.tsx'
import { linkOf, useFamily } from './family.ts'
import { codeWords } from './words-code.ts'
import './code-step.css'

/** Everything but the question for the code: downloaded while that is read and typed. */
const Rest = part(() => import('./family-rest.tsx').then((m) => ({ default: m.FamilyRest })))

/** The family's page: access code, children, editing, and the end (specification, sections 2.7 and 4). */
export function FamilyPage({ results, ahead }: FamilyPageProps) {
  const t = codeWords.use()
  const [groupId] = useState(() => linkOf(window.location.search))
  const { step, load, verify, close } = useFamily(groupId, ahead)
  // Both outlive the code: whoever was editing when the half hour ended goes on where he was.
  const [editing, setEditing] = useState<number | undefined>(history.state ?? undefined)
  const [greeting, setGreeting] = useState('')

  useEffect(() => {
    document.title = pageTitle(t('pageTitle'))
  }, [t])
  useEffect(() => void Rest.load().catch(() => undefined), [])

  const loading = (
    <div className="fam-wait" role="status" aria-busy="true" aria-label={t('loading')}>
      <span />
      <span />
      <span />
    </div>
  )
  if (step.at === 'loading') return loading
  if (step.at === 'code') {
    const ended = editing === undefined ? t('ended') : t('endedKept')
    return (
      <CodeStep
        name={step.name}
        notice={step.ended ? ended : ''}
        verify={async (code) => setGreeting(await verify(code))}
      />
    )
  }
  return (
    <Suspense fallback={loading}>
      <Rest {...{ step, groupId, results, greeting, editing, setEditing, load, close }} />
    </Suspense>
  )
}
