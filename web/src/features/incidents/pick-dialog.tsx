import type { Incident } from '@podium/contract/incidents'
import { addPick, type PickForm, type PickFound, previewPick } from '@podium/contract/incidents-people'
import { useEffect, useRef, useState } from 'react'
import { call } from '#shell/call.ts'
import { count } from '#shell/format.tsx'
import { useActionName } from '#shell/history/line-parts.tsx'
import { useAct } from '#shell/use-act.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { ActorFields } from './pick-actor.tsx'
import { ListFields, SchoolFields } from './pick-fields.tsx'
import { shownOfIncidents } from './use-incident.ts'
import { words } from './words.ts'

const ways = ['schools', 'actor', 'list'] as const

/** What the form of one way hands on: what was typed, once it can be read. */
export interface PickProps {
  /** Looks who that is; throws what is to be shown at a field. */
  look: (pick: PickForm) => Promise<void>
  formId: string
}

const formId = 'incident-pick'

/** Adds those affected: first a look at who that is, then they are added. */
export function PickDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfIncidents)
  const [how, setHow] = useState<PickForm['how']>('schools')
  const [looked, setLooked] = useState<{ pick: PickForm; found: PickFound }>()
  const { id, version } = incident
  const look = async (pick: PickForm) =>
    setLooked({ pick, found: await call(previewPick, { body: { id, pick } }) })
  const add = async () => {
    if (!looked) return
    const body = { id, version, pick: looked.pick }
    if (await act(() => call(addPick, { body }), t('added', { n: looked.found.added }))) onClose()
  }
  const forget = () => setLooked(undefined)
  const Fields = how === 'schools' ? SchoolFields : how === 'list' ? ListFields : ActorFields
  const added = looked?.found.added ?? 0
  return (
    <Dialog opened onClose={onClose} title={t('pickTitle')} fact={incident.title}>
      <DialogBody>
        <div className="stack">
          <Segmented
            label={t('pickHow')}
            value={how}
            choices={ways.map((value) => ({ value, label: t(`how_${value}`) }))}
            onChange={(next) => {
              setHow(next)
              forget()
            }}
          />
          <div onInput={forget}>
            <Fields key={how} look={look} formId={formId} />
          </div>
          {looked && <Found found={looked.found} />}
        </div>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" form={formId} kind={looked ? 'secondary' : 'primary'}>
          {t('showWho')}
        </Button>
        {looked && (
          <Button
            kind="primary"
            busy={busy}
            disabled={added === 0 ? t('nobodyNew') : undefined}
            onClick={() => void add()}
          >
            {t('addThem', { n: added })}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}

function Found({ found }: { found: PickFound }) {
  const t = words.use()
  const actionName = useActionName()
  const { children, people, schools, unreachable, unknown, unnamed, sample } = found
  const more = children + people - sample.length
  const start = useRef<HTMLElement>(null)
  // On a phone it stands below the fold.
  useEffect(() => {
    start.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={start} className="stack" aria-label={t('foundTitle')} aria-live="polite">
      <p className="strong">
        {t('foundCounts', { children: count(children), people: count(people), schools: count(schools) })}{' '}
        {unreachable > 0 && t('unreachable', { n: unreachable })}
      </p>
      {sample.length > 0 && (
        <ul className="incident-found">
          {sample.map(({ kind, name, place }) => (
            <li key={`${kind} ${name} ${place}`}>
              {name} <span className="quiet">({place === '' ? t(kind) : `${t(kind)}, ${place}`})</span>
            </li>
          ))}
          {more > 0 && <li className="quiet">{t('andMore', { n: more })}</li>}
        </ul>
      )}
      {unknown.length > 0 && <Note kind="due">{t('unknown', { list: unknown.join(', ') })}</Note>}
      {unnamed.length > 0 && (
        <Note kind="info">
          {t('unnamed', {
            list: unnamed.map(({ action, lines }) => `${actionName(action)} (${count(lines)})`).join(', '),
          })}
        </Note>
      )}
    </section>
  )
}
