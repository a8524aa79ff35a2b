import type { Incident } from '@podium/contract/incidents'
import { type IncidentPick, removePick } from '@podium/contract/incidents-people'
import { useReason } from '#shell/allowance.ts'
import { call } from '#shell/call.ts'
import { count, dayText, Moment } from '#shell/format.tsx'
import { useAct } from '#shell/use-act.ts'
import { Button } from '#ui/button.tsx'
import { momentValue } from './moment-value.ts'
import { shownOfIncidents } from './use-incident.ts'
import { words } from './words.ts'

const text = (instant: string) => `${dayText(instant)} ${momentValue(instant).time}`

/** How those affected were found, each with its way back. */
export function Picks({ incident, picks }: { incident: Incident; picks: readonly IncidentPick[] }) {
  const t = words.use()
  const reason = useReason(t('mayNotWrite'))
  const { busy, act } = useAct(shownOfIncidents)
  const { id, version } = incident
  const said = ({ how, what }: IncidentPick) => {
    if (how === 'schools')
      return t(what.season === '' ? 'bySchoolsEver' : 'bySchools', {
        codes: what.codes.join(', '),
        season: what.season,
      })
    if (how === 'list') return t('byList', { n: what.lines })
    const values = { name: what.actor, from: text(what.from), until: text(what.until) }
    return t(what.wholeSchools ? 'byActorWhole' : 'byActor', values)
  }
  if (picks.length === 0) return null
  return (
    <ul className="incident-picks">
      {picks.map((pick) => (
        <li key={pick.id}>
          <span>
            {said(pick)}
            <span className="under">
              {t('pickFound', { children: count(pick.children), people: count(pick.people) })} · {pick.by},{' '}
              <Moment value={pick.at} />
            </span>
          </span>
          <Button
            kind="text"
            busy={busy}
            disabled={reason(incident.can.change)}
            aria-label={t('unpickOf', { what: said(pick) })}
            onClick={() =>
              void act(() => call(removePick, { body: { id, version, pickId: pick.id } }), t('unpicked'))
            }
          >
            {t('unpick')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
