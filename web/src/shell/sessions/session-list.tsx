import { type RefObject, useState } from 'react'
import type { CallError } from '#shell/call.ts'
import { Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/sessions.json'
import { defineWords } from '../language/words.ts'

/** Words for the list of sessions. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/sessions.json'))

/** Empties a form that stays open once saved. Its fields are rendered anew, so their focus first goes to its button. */
export function emptyForm({
  form,
  element,
}: {
  form: { reset: () => void }
  element: RefObject<HTMLElement | null>
}) {
  const saved = element.current
  if (saved?.contains(document.activeElement)) saved.querySelector<HTMLElement>('[type="submit"]')?.focus()
  form.reset()
}

interface Session {
  id: string
  current: boolean
  agent: string
  since: string
  lastSeen: string
  /** For an officer: the school the session is signed in as; otherwise empty */
  school?: string
}

interface ListProps {
  sessions: readonly Session[] | undefined
  error: CallError | null
  retry: () => unknown
  onEnd: (session: string) => Promise<unknown>
}

interface PanelProps extends Omit<ListProps, 'onEnd'> {
  title: string
  endAll: string
  /** Without a session: ends all but the current one. */
  onEnd: (session?: string) => Promise<unknown>
}

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'] as const

/** Returns browser and system of a user agent, as far as known. */
function describeDevice(agent: string, unknown: string): string {
  const browser = browsers.find(([sign]) => agent.includes(sign))?.[1]
  const system = systems.find((sign) => agent.includes(sign))
  return [browser, system].filter(Boolean).join(', ') || unknown
}

/** A panel with the list of sessions, and a button to end all others. */
export function SessionPanel({ title, endAll, ...list }: PanelProps) {
  const others = list.sessions?.filter(({ current }) => !current) ?? []
  return (
    <Panel title={title} aside={others.length > 1 && <EndButton label={endAll} onEnd={() => list.onEnd()} />}>
      <SessionList {...list} />
    </Panel>
  )
}

/** The list of a user's sessions; each can be ended. */
export function SessionList({ sessions, error, retry, onEnd }: ListProps) {
  const t = words.use()
  return (
    <>
      {error && !sessions && <LoadProblem error={error} retry={retry} />}
      {!sessions && !error && <Skeleton shape="text" rows={3} />}
      {sessions?.length === 0 && <p className="quiet">{t('noSessions')}</p>}
      <ul className="ruled">
        {sessions?.map((session) => (
          <SessionLine key={session.id} session={session} onEnd={onEnd} />
        ))}
      </ul>
    </>
  )
}

interface EndProps {
  label: string
  /** What is ended, if the label does not say it. */
  name?: string
  onEnd: () => Promise<unknown>
}

function EndButton({ label, name, onEnd }: EndProps) {
  const [busy, setBusy] = useState(false)
  const end = () => {
    setBusy(true)
    void onEnd().finally(() => setBusy(false))
  }
  return (
    <Button className="sm" busy={busy} aria-label={name} onClick={end}>
      {label}
    </Button>
  )
}

function SessionLine({ session, onEnd }: { session: Session; onEnd: ListProps['onEnd'] }) {
  const t = words.use()
  const device = describeDevice(session.agent, t('unknownDevice'))
  return (
    <li className="row between one-line">
      <div>
        <b title={session.agent}>{device}</b>
        {session.school && <span> {t('inPortal', { school: session.school })}</span>}
        <span className="under">
          {t('lastSeen')}: <Moment value={session.lastSeen} />
        </span>
        <span className="under">
          {t('since')}: <Moment value={session.since} />
        </span>
      </div>
      {session.current ? (
        <Badge kind="active">{t('here')}</Badge>
      ) : (
        <EndButton
          label={t('end')}
          name={t('endOf', { device, when: session.lastSeen })}
          onEnd={() => onEnd(session.id)}
        />
      )}
    </li>
  )
}
