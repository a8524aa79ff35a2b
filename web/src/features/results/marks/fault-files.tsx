import { type AnomalyKind, exportAnomalies } from '@podium/contract/results/calls-anomalies'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { officeWords } from '../words-office.ts'

interface FaultFilesProps {
  setId: number
  kind: AnomalyKind | undefined
  open: boolean | undefined
}

const formats = ['csv', 'xlsx'] as const

/** What is odd in a file, as the filters leave it, as a file of its own: for whoever mends the marks. */
export function FaultFiles(asked: FaultFilesProps) {
  const t = officeWords.use()
  const say = useSentences()
  const [busy, setBusy] = useState<string>()
  const save = async (format: 'csv' | 'xlsx') => {
    setBusy(format)
    try {
      await download(exportAnomalies, { body: { ...asked, format } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <div className="acts res-lead">
      {formats.map((format) => (
        <Button key={format} icon="download" busy={busy === format} onClick={() => void save(format)}>
          {t(format === 'csv' ? 'faultsCsv' : 'faultsXlsx')}
        </Button>
      ))}
    </div>
  )
}
