import type { RegisterRow } from '@podium/contract/schools/calls-register'
import { mostSwitched } from '@podium/contract/schools/calls-write'
import { Link } from '@tanstack/react-router'
import { officePaths } from '#shell/paths.ts'
import { useSession } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { words } from './words.ts'

export const loadStanding = () =>
  import('./status-bulk-dialog.tsx').then((m) => ({ default: m.StandingManyDialog }))

interface BarProps {
  rows: readonly RegisterRow[]
  /** To be switched off, or on again */
  onTurn: (to: 'off' | 'on') => void
  onClear: () => void
}

/** What is done with the schools that are marked: letters of invitation, switched off, or on again. */
export function RegisterBar({ rows, onTurn, onClear }: BarProps) {
  const t = words.use()
  const mayWrite = useSession()?.permissions?.includes('schools.write') ?? false
  const on = rows.filter(({ active }) => active)
  const off = rows.filter(({ active }) => !active)
  const mayNot = (its: readonly RegisterRow[]) => {
    if (!mayWrite) return t('mayNotWrite')
    return its.length > mostSwitched ? t('tooMany', { n: mostSwitched }) : undefined
  }
  return (
    <>
      <span aria-live="polite">
        <b>{t('chosen', { n: rows.length })}</b>
      </span>
      <Link
        to={officePaths.schoolLetters}
        search={{ ids: rows.map(({ id }) => id).join(',') }}
        className={buttonClass('primary')}
      >
        {t('letters')}
      </Link>
      {on.length > 0 && (
        <Button
          kind="danger"
          disabled={mayNot(on)}
          onPointerEnter={() => void loadStanding()}
          onClick={() => onTurn('off')}
        >
          {t('switchOff')}
        </Button>
      )}
      {off.length > 0 && (
        <Button
          disabled={mayNot(off)}
          onPointerEnter={() => void loadStanding()}
          onClick={() => onTurn('on')}
        >
          {t('switchOn')}
        </Button>
      )}
      <Button kind="text" onClick={onClear}>
        {t('unchoose')}
      </Button>
    </>
  )
}
