import type { ExamDateSubject } from '@podium/contract/exams/calls'
import { type PaperKind, schoolPapers } from '@podium/contract/exams/calls-attendance'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const papers = [
  { kind: 'attendance', word: 'attendance' },
  { kind: 'answers', word: 'answerList' },
  { kind: 'admit', word: 'admitCards' },
] as const satisfies readonly { kind: PaperKind; word: string }[]

/** What the school prints for the day of the exam, for its paid students. */
export function Papers({ subject, name }: { subject: ExamDateSubject; name: string }) {
  const t = words.use()
  const say = useSentences()
  const [busy, setBusy] = useState<PaperKind>()
  const print = async (kind: PaperKind) => {
    setBusy(kind)
    try {
      await download(schoolPapers, { body: { eventManagementId: subject.eventManagementId, kind } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <details name="papers">
      <summary>
        {t('papers')}
        <span className="sr">, {name}</span>
      </summary>
      <div className="papers">
        {papers.map(({ kind, word }) => (
          <Button
            key={kind}
            kind="text"
            icon="print"
            busy={busy === kind}
            aria-label={t('paperOf', { paper: t(word), subject: name })}
            onClick={() => void print(kind)}
          >
            {t(word)}
          </Button>
        ))}
      </div>
    </details>
  )
}
