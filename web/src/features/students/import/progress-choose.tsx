import { importTemplate } from '@podium/contract/students/calls-import'
import { type DragEvent, useRef, useState } from 'react'
import { download } from '#shell/download.ts'
import { count } from '#shell/format.tsx'
import { usePortalLimits } from '#shell/portal-limits.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { importWords } from './words-progress.ts'

interface ImportChooseProps {
  season: string
  /** The name of the file that is being read now. */
  checking: string | undefined
  onFile: (file: File) => void
}

/** The template, and a place to drop or choose the filled-in file. */
export function ImportChoose({ season, checking, onFile }: ImportChooseProps) {
  const { importRows } = usePortalLimits()
  const t = importWords.use()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const { busy: fetching, act } = useAct()
  const fetchTemplate = () => act(() => download(importTemplate, { query: { FYear: season } }))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !checking) onFile(file)
  }
  return (
    <>
      <div className="im-lead">
        <p>{t('chooseLead')}</p>
        <Button icon="download" busy={fetching} onClick={() => void fetchTemplate()}>
          {t('template')}
        </Button>
      </div>
      <section
        className={over ? 'im-drop over' : 'im-drop'}
        aria-label={t('file')}
        aria-busy={checking !== undefined || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {checking ? (
          <p role="status">
            <span className="spin" aria-hidden="true" /> {t('checking', { name: checking })}
          </p>
        ) : (
          <>
            <Icon name="upload" />
            <p className="im-wide">
              <b>{t('drop')}</b>
            </p>
            <p className="im-wide quiet">{t('dropOr')}</p>
            <Button kind="primary" onClick={() => input.current?.click()} data-autofocus>
              {t('chooseFile')}
            </Button>
            <p className="hint">{t('fileHint', { rows: count(importRows) })}</p>
          </>
        )}
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t('file')}
          accept=".xlsx,.csv,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            // The same file can be chosen again after it was corrected.
            event.currentTarget.value = ''
            if (file) onFile(file)
          }}
        />
      </section>
    </>
  )
}
