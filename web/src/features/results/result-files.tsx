import type { BodyOf } from '@podium/contract/endpoint'
import { searchResults } from '@podium/contract/results/calls'
import { mostCertificates, schoolCertificates } from '@podium/contract/results/calls-certificates'
import { exportResults } from '@podium/contract/results/calls-files'
import { lazy, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { dayText } from '#shell/format.tsx'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { useSession } from '#shell/session.ts'
import { tellRefusal } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import type { NumberedRow } from './columns.tsx'
import { words } from './words.ts'

const BulkDialog = lazy(() =>
  import('./certificates/bulk-dialog.tsx').then((m) => ({ default: m.BulkDialog })),
)

type Work = 'xlsx' | 'csv' | 'print' | 'certificates'

interface ResultFilesProps {
  /** What is filtered, all pages of it. */
  asked: BodyOf<typeof searchResults>
  total: number
  /** Shows all rows while they are printed. */
  onPrint: (rows: NumberedRow[] | undefined) => void
  /** Why nothing leaves this page. */
  locked?: string
}

/** What is filtered as a spreadsheet or as certificates, or printed with all its rows. */
export function ResultFiles({ asked, total, onPrint, locked }: ResultFilesProps) {
  const t = words.use()
  const language = useWrittenLanguage()
  const [busy, setBusy] = useState<Work>()
  const [asking, setAsking] = useState(false)
  const disabled = locked ?? (total === 0 ? t('nothingToDownload') : false)

  const attempt = (what: Work, work: () => Promise<void>) => {
    setBusy(what)
    return work()
      .catch(tellRefusal)
      .finally(() => setBusy(undefined))
  }
  const save = (format: 'xlsx' | 'csv') => () => download(exportResults, { body: { ...asked, format } })
  const print = async () => {
    const { data } = await call(searchResults, { body: asked })
    flushSync(() => onPrint(data.map((row, n) => ({ ...row, serial: n + 1 }))))
    window.print()
    onPrint(undefined)
  }
  const certificates = () => download(schoolCertificates, { body: { ...asked, language } })
  const button = (what: 'xlsx' | 'csv', work: () => Promise<void>) => (
    <Button icon="download" busy={busy === what} disabled={disabled} onClick={() => void attempt(what, work)}>
      {t(what)}
    </Button>
  )
  return (
    <>
      <Button
        icon="print"
        busy={busy === 'print'}
        disabled={disabled}
        onClick={() => void attempt('print', print)}
      >
        {t('print')}
      </Button>
      <Button
        icon="medal"
        busy={busy === 'certificates'}
        disabled={disabled}
        onClick={() => {
          if (total > mostCertificates) setAsking(true)
          else void attempt('certificates', certificates)
        }}
      >
        {t('certificates')}
      </Button>
      {button('csv', save('csv'))}
      {button('xlsx', save('xlsx'))}
      {asking && (
        <Suspense>
          <BulkDialog asked={asked} language={language} total={total} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Whose results these are, on paper. */
export function PrintHead() {
  const t = words.use()
  const user = useSession()
  return (
    <p className="print-only">
      <b>{user?.schName}</b> {user?.schCode && t('schoolCode', { code: user.schCode })}{' '}
      {t('printed', { day: dayText(new Date().toISOString()) })}
    </p>
  )
}
