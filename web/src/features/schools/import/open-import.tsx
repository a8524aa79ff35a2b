import {
  confirmSchoolImport,
  type ImportField,
  importFields,
  mapSchoolImport,
  neededFields,
  schoolImportFaults,
} from '@podium/contract/schools/calls-import'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { officePaths } from '#shell/paths.ts'
import { useAct } from '#shell/use-action.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { SelectField } from '#ui/select-field.tsx'
import type { SchoolImport } from './data.ts'
import { ImportRows } from './rows.tsx'
import { words } from './words.ts'

/** A file that was sent: how far it is, its columns, its rows, and the yes. */
export function OpenImport({ id, one }: { id: string; one: SchoolImport }) {
  const t = words.use()
  const { act, busy } = useAct('all')
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const working = one.state === 'checking' || one.state === 'importing'
  const checked = one.state === 'checked'
  const total = one.counts.new + ticked.size
  return (
    <div className="stack">
      <Panel
        title={one.fileName}
        aside={
          <Link to={officePaths.schoolImport} search={{}} className={buttonClass('secondary')}>
            {t('another')}
          </Link>
        }
      >
        <State one={one} working={working} />
      </Panel>
      {checked && <Columns id={id} one={one} />}
      {!working && one.state !== 'failed' && (
        <ImportRows id={id} one={one} ticked={ticked} onTicked={checked ? setTicked : undefined} />
      )}
      {!working && one.state !== 'failed' && (
        <div className="school-import-acts">
          {one.state === 'done' && one.counts.created > 0 && (
            <Link to={officePaths.schoolLetters} search={{ file: id }} className={buttonClass('primary')}>
              {t('letters', { n: one.counts.created })}
            </Link>
          )}
          {checked && (
            <Button
              kind="primary"
              big
              busy={busy}
              disabled={total > 0 ? undefined : t('nothingToMake')}
              onClick={() =>
                void act(() => call(confirmSchoolImport, { body: { id, likely: [...ticked].map(Number) } }))
              }
            >
              {t('make', { n: total })}
            </Button>
          )}
          {one.counts.faulty > 0 && (
            <Button
              icon="download"
              busy={busy}
              onClick={() => void act(() => download(schoolImportFaults, { query: { id } }))}
            >
              {t('faultsFile')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function State({ one, working }: { one: SchoolImport; working: boolean }) {
  const t = words.use()
  const say = useSentences()
  if (one.state === 'failed') return <Note kind="bad">{say(one.error) || t('failed')}</Note>
  if (!working) return <p>{t(one.state === 'done' ? 'state_done' : 'state_checked')}</p>
  return (
    <ProgressBar label={t('progress')} done={one.done} total={one.total}>
      {t(one.state === 'checking' ? 'checking' : 'importing', {
        done: count(one.done),
        total: count(one.total),
      })}{' '}
      {t('leave')}
    </ProgressBar>
  )
}

function Columns({ id, one }: { id: string; one: SchoolImport }) {
  const t = words.use()
  const { act, busy } = useAct('all')
  const [fields, setFields] = useState<readonly ('' | ImportField)[]>(() =>
    one.columns.map(({ field }) => field),
  )
  const missing = neededFields.filter((field) => !fields.includes(field))
  const set = (at: number, field: '' | ImportField) =>
    setFields(fields.map((was, index) => (index === at ? field : was === field ? '' : was)))
  return (
    <Panel title={t('columnsTitle')}>
      <p className="hint">{t(one.remembered ? 'columnsRemembered' : 'columnsSays')}</p>
      {missing.length > 0 && (
        <Note kind="bad">{t('missing', { fields: missing.map((field) => t(field)).join(', ') })}</Note>
      )}
      <div className="grid school-import-columns">
        {one.columns.map(({ heading, samples }, at) => (
          <SelectField
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name, and stay where they are
            key={at}
            className="c3"
            label={heading || t('noHeading')}
            hint={samples.filter(Boolean).slice(0, 2).join(' · ')}
            empty={t('nothing')}
            value={fields[at] ?? ''}
            choices={importFields.map((field) => ({ value: field, label: t(field) }))}
            onChange={(event) =>
              set(at, importFields.find((field) => field === event.currentTarget.value) ?? '')
            }
          />
        ))}
      </div>
      <Button
        busy={busy}
        onClick={() => void act(() => call(mapSchoolImport, { body: { id, fields: [...fields] } }))}
      >
        {t('again')}
      </Button>
    </Panel>
  )
}
