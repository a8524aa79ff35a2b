import { familySlips, renewFamilyLink } from '@podium/contract/families/calls-slips'
import type { StudentRow } from '@podium/contract/students/calls'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { words } from '../entry/words.ts'
import type { StudentsFilter } from './print-lists.tsx'

interface FamilySlipsProps {
  filter: StudentsFilter
  rows: readonly StudentRow[]
  /** The rows were selected; else they are all that the filters leave. */
  chosen: boolean
}

/** The slips that families are handed; for one student alone also a new link, which takes the old slip's worth away. */
export function FamilySlips({ filter, rows, chosen }: FamilySlipsProps) {
  const t = words.use()
  const say = useSentences()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [asked, setAsked] = useState(false)
  const renewal = useEndpointMutation(renewFamilyLink)
  const [only] = rows.length === 1 && rows[0]?.status ? rows : []
  const fail = (cause: unknown) => {
    if (!(cause instanceof CallError)) throw cause
    setProblem(say(cause.message))
  }
  const print = async () => {
    setBusy(true)
    setProblem(undefined)
    const ids = chosen ? { ids: rows.map((row) => row.id) } : {}
    await download(familySlips, { body: { ...filter, ...ids } }).catch(fail)
    setBusy(false)
  }
  const renew = async (studentId: number) => {
    setProblem(undefined)
    await renewal.mutateAsync({ body: { studentId } }).catch(fail)
    setAsked(false)
  }
  return (
    <section className="st-slips">
      <h3>{t('slipsTitle')}</h3>
      <p>{t('slipsText')}</p>
      {problem && <Note kind="bad">{problem}</Note>}
      {renewal.data && <Note kind="ok">{t('renewed', { n: renewal.data.children })}</Note>}
      {asked && <Note kind="due">{t('renewText')}</Note>}
      <div className="acts">
        <Button icon="print" busy={busy} onClick={() => void print()}>
          {t('slips')}
        </Button>
        {only && !asked && !renewal.data && <Button onClick={() => setAsked(true)}>{t('renew')}</Button>}
        {only && asked && (
          <>
            <Button kind="danger" busy={renewal.isPending} onClick={() => void renew(only.id)}>
              {t('renewNow')}
            </Button>
            <Button onClick={() => setAsked(false)}>{t('renewNot')}</Button>
          </>
        )}
      </div>
    </section>
  )
}
