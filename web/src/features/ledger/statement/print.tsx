import { istDay } from '@podium/contract/season'
import { dayText } from '#shell/format.tsx'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { words } from './words.ts'

/** Whose paper it is and of which day, above a printed table. */
export function PrintedFor() {
  const t = words.use()
  const season = useSeason()
  const user = useSession()
  const values = {
    school: user?.schName ?? '',
    code: user?.schCode ?? '',
    season,
    day: dayText(istDay(new Date())),
  }
  return <p className="print-only">{t('printed', values)}</p>
}

export function PrintButton() {
  const t = words.use()
  return (
    <Button icon="print" className="no-print" onClick={() => window.print()}>
      {t('print')}
    </Button>
  )
}
