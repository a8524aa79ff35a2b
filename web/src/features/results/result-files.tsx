import type { BodyOf } from '@podium/contract/endpoint'
import { exportResults, type ResultRow, searchResults } from '@podium/contract/results/calls'
import {
  maxCertificates,
  renewResultLink,
  schoolCertificate,
  schoolCertificates,
} from '@podium/contract/results/calls-certificates'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { dayText } from '#shell/format.tsx'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { useSession } from '#shell/session.ts'
import { settle, useAction } from '#shell/use-action.ts'
import { showRefusal } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { toast } from '#ui/toast.tsx'
import type { NumberedRow } from './columns.tsx'
import { words } from './words.ts'

const BulkDialog = lazyDialog(() => import('./certificates/job.tsx'), 'BulkDialog')

type FileKind = 'xlsx' | 'csv' | 'print' | 'certificates'

interface ResultFilesProps {
  /** The filtered results, on all pages. */
  search: BodyOf<typeof searchResults>
  total: number
  /** Called with all rows to show them during printing. */
  onPrint: (rows: NumberedRow[] | undefined) => void
  /** Why downloads and links are locked. */
  locked?: string
}

/** Downloads the filtered results as a spreadsheet or certificates, or prints all rows. */
export function ResultFiles({ search, total, onPrint, locked }: ResultFilesProps) {
  const t = words.use()
  const language = useWrittenLanguage()
  const [busy, setBusy] = useState<FileKind>()
  const [asking, setAsking] = useState(false)
  const disabled = locked ?? (total === 0 ? t('nothingToDownload') : false)

  const attempt = (what: FileKind, work: () => Promise<void>) => {
    setBusy(what)
    const action = `${what} ${JSON.stringify(search)}`
    return work()
      .then(() => settle(action))
      .catch((cause: unknown) => showRefusal(cause, action))
      .finally(() => setBusy(undefined))
  }
  const save = (format: 'xlsx' | 'csv') => () => download(exportResults, { body: { ...search, format } })
  const print = async () => {
    const { data } = await call(searchResults, { body: search })
    flushSync(() => onPrint(data.map((row, n) => ({ ...row, serial: n + 1 }))))
    window.print()
    onPrint(undefined)
  }
  const certificates = () => download(schoolCertificates, { body: { ...search, language } })
  const button = (what: 'xlsx' | 'csv', work: () => Promise<void>) => (
    <Button
      icon="download"
      aria-label={typeof disabled === 'string' ? undefined : t('downloadAs', { format: t(what) })}
      busy={busy === what}
      disabled={disabled}
      onClick={() => void attempt(what, work)}>
      {t(what)}
    </Button>
  )
  return (
    <>
      <Button
        icon="print"
        busy={busy === 'print'}
        disabled={disabled}
        onClick={() => void attempt('print', print)}>
        {t('print')}
      </Button>
      <Button
        icon="medal"
        busy={busy === 'certificates'}
        disabled={disabled}
        onClick={() => {
          if (total > maxCertificates) setAsking(true)
          else void attempt('certificates', certificates)
        }}>
        {t('certificates')}
      </Button>
      {button('csv', save('csv'))}
      {button('xlsx', save('xlsx'))}
      {asking && <BulkDialog asked={search} language={language} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Names the school on the printed page. */
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

const ConfirmAction = lazyDialog(() => import('#shell/action-dialogs.tsx'), 'ConfirmAction')

/** A school's actions for a released result: the certificate, the family's link to the result page, or a new link. */
export function ResultActions({ row, locked = false }: { row: ResultRow; locked?: false | string }) {
  const t = words.use()
  const language = useWrittenLanguage()
  const { busy, act } = useAction()
  const [asking, setAsking] = useState(false)
  const { resultId, studentName: name } = row
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
        <ConfirmAction
          title={t('renewLinkTitle', { name })}
          action={t('renewLink')}
          act={() => call(renewResultLink, { body: { resultId } })}
          invalidates={[searchResults]}
          done={t('linkRenewed')}
          onClose={() => setAsking(false)}>
          <p>{t('renewLinkHint')}</p>
        </ConfirmAction>
      )}
    </div>
  )
}
