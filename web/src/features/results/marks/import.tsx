import { marksTemplate } from '@podium/contract/results/calls-files'
import { importMarks, type ResultSet } from '@podium/contract/results/calls-office'
import { istDay } from '@podium/contract/season'
import { type DragEvent, type FormEvent, useRef, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { dayText } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation, useRenew } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { FileField } from '#ui/file-field.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { useReason } from '../allowed.ts'
import { jobOf, type OfficeEvent, shownOfEvents } from '../office-event.ts'
import { JobProgress } from '../office-progress.tsx'
import { Problem } from '../problem.tsx'
import { ReadResult } from '../read-result.tsx'
import { officeWords } from '../words-office.ts'

/** A file of marks becomes the next version: template, file, counted progress, what was read. */
export function ImportStep({ of, set }: { of: OfficeEvent; set: ResultSet | undefined }) {
  const t = officeWords.use()
  const say = useSentences()
  const { event, sets, can } = of
  const latest = sets[0]
  const job = set?.state === 'importing' ? jobOf(set) : undefined
  return (
    <Panel title={t('import')}>
      <div className="stack">
        <p className="quiet">{t('templateSays')}</p>
        <ul className="res-sections" aria-label={t('sectionsLabel')}>
          {event.sections.map(({ name, maximum }) => (
            <li key={name}>
              {name} <span className="num">{t('outOf', { n: maximum })}</span>
            </li>
          ))}
        </ul>
        <Templates eventYearId={event.eventYearId} />
        {latest?.state === 'failed' && (
          <Note kind="bad">
            {t('importFailed', { file: latest.fileName, why: say(latest.job?.error ?? '') })}
          </Note>
        )}
        {set && job && <JobProgress job={job} fileName={set.fileName} />}
        {set && !job && set.state !== 'importing' && <ReadResult set={set} shown="import" />}
        {!job && <ImportForm of={of} allowed={can.import} next={(latest?.version ?? 0) + 1} />}
      </div>
    </Panel>
  )
}

function Templates({ eventYearId }: { eventYearId: number }) {
  const t = officeWords.use()
  const say = useSentences()
  const save = async (format: 'xlsx' | 'csv') => {
    try {
      await download(marksTemplate, { query: { eventYearId: String(eventYearId), format } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    }
  }
  return (
    <div className="acts">
      <Button icon="download" onClick={() => void save('csv')}>
        {t('templateCsv')}
      </Button>
      <Button icon="download" onClick={() => void save('xlsx')}>
        {t('templateXlsx')}
      </Button>
    </div>
  )
}

interface ImportFormProps {
  of: OfficeEvent
  allowed: true | string
  next: number
}

function ImportForm({ of: { event }, allowed, next }: ImportFormProps) {
  const t = officeWords.use()
  const allows = useReason()
  const renew = useRenew(shownOfEvents)
  const [file, setFile] = useState<File | null>(null)
  const [reason, setReason] = useState('')
  const [early, setEarly] = useState('')
  const [tried, setTried] = useState(false)
  const zone = useRef<HTMLDivElement>(null)
  const [over, setOver] = useState(false)
  const upload = useEndpointMutation(importMarks, { onSettled: renew })

  const corrects = event.visible !== null
  const toCome = event.lastExamOn !== null && event.lastExamOn > istDay(new Date())
  const explained = !toCome || early.trim() !== ''
  const complete = (!corrects || reason.trim() !== '') && explained
  const send = (again: 'true' | 'false') => {
    if (!file || !complete || allowed !== true) return
    upload.mutate({ query: { eventYearId: String(event.eventYearId), again, reason, early }, file })
  }
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    setTried(true)
    send('false')
  }
  const drop = (dropped: DragEvent) => {
    dropped.preventDefault()
    setOver(false)
    const input = zone.current?.querySelector<HTMLInputElement>('input[type=file]')
    if (!input || dropped.dataTransfer.files.length === 0) return
    // The field itself takes the file, as if it had been chosen there.
    input.files = dropped.dataTransfer.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file field inside does the same by keyboard */}
      <div
        ref={zone}
        className={over ? 'res-drop over' : 'res-drop'}
        onDragOver={(dragged) => {
          dragged.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileField
          label={t('file')}
          hint={t('fileHint')}
          accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          error={tried && !file ? t('fileMissing') : undefined}
          onChange={setFile}
        />
      </div>
      {event.newest && <Before of={event} />}
      {toCome && (
        <>
          <Note kind="bad">{t('earlyMarks', { day: dayText(event.lastExamOn) })}</Note>
          <TextArea
            label={t('earlyReason')}
            hint={t('earlyHint')}
            value={early}
            maxLength={300}
            error={tried && !explained ? t('noteMissing') : undefined}
            onChange={(changed) => setEarly(changed.currentTarget.value)}
          />
        </>
      )}
      {corrects && (
        <TextArea
          label={t('correctionReason')}
          hint={t('correctionHint')}
          value={reason}
          maxLength={300}
          error={tried && reason.trim() === '' ? t('correctionMissing') : undefined}
          onChange={(changed) => setReason(changed.currentTarget.value)}
        />
      )}
      <Problem error={upload.error} />
      {upload.data?.same && (
        <Note>
          {t('sameFile', { n: upload.data.version })}{' '}
          <Button kind="text" onClick={() => send('true')}>
            {t('readAgain')}
          </Button>
        </Note>
      )}
      <div>
        <Button type="submit" kind="primary" icon="upload" busy={upload.isPending} disabled={allows(allowed)}>
          {next === 1 ? t('importNow') : t('importAgain', { n: next })}
        </Button>
        {allowed !== true && <p className="hint">{allows(allowed)}</p>}
      </div>
    </form>
  )
}

/** What a further file does to the version that stands. */
function Before({ of: { newest, visible } }: { of: OfficeEvent['event'] }) {
  const t = officeWords.use()
  if (newest && newest.state !== 'released' && newest.setId !== visible?.setId)
    return <p className="hint">{t('replaces', { n: newest.version })}</p>
  return visible && <p className="hint">{t('corrects', { n: visible.version })}</p>
}
