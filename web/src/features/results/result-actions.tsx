import { type ResultRow, searchResults } from '@podium/contract/results/calls'
import { renewResultLink, schoolCertificate } from '@podium/contract/results/calls-certificates'
import { lazy, Suspense, useState } from 'react'
import { download } from '#shell/download.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation } from '#shell/query.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const ConfirmDialog = lazy(() => import('#ui/dialog.tsx').then((m) => ({ default: m.ConfirmDialog })))

/** What a school does with a released result: its certificate, the link of its page for the family, another link. */
export function ResultActions({ row, locked = false }: { row: ResultRow; locked?: false | string }) {
  const t = words.use()
  const say = useSentences()
  const language = useWrittenLanguage()
  const { busy, act } = useAct()
  const [asking, setAsking] = useState(false)
  const { resultId, studentName: name } = row
  const renew = useEndpointMutation(renewResultLink, {
    invalidates: [searchResults],
    onSuccess: () => {
      setAsking(false)
      toast.success(t('linkRenewed'))
    },
  })
  const save = () => act(() => download(schoolCertificate, { body: { resultId, language } }))
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(new URL(row.resultLink, window.location.origin).href)
      toast.success(t('linkCopied'))
    } catch {
      toast.error(t('linkNotCopied'))
    }
  }
  return (
    <div className="res-acts row gap-2 mt-4 no-print">
      <Button icon="download" busy={busy} disabled={locked} onClick={() => void save()}>
        {t('certificate')}
      </Button>
      <Button icon="copy" disabled={locked} onClick={() => void copy()}>
        {t('copyLink')}
      </Button>
      <Button kind="text" icon="rotate" disabled={locked} onClick={() => setAsking(true)}>
        {t('renewLink')}
      </Button>
      {asking && (
        <Suspense>
          <ConfirmDialog
            opened
            title={t('renewLinkTitle', { name })}
            action={t('renewLink')}
            busy={renew.isPending}
            onCancel={() => setAsking(false)}
            onConfirm={() => renew.mutate({ body: { resultId } })}
          >
            <p>{t('renewLinkSays')}</p>
            {renew.error && <p role="alert">{say(renew.error.message)}</p>}
          </ConfirmDialog>
        </Suspense>
      )}
    </div>
  )
}
