import type { LinkedSchool } from '@podium/contract/accounts/calls-registration'
import { placeText } from '#shell/format.tsx'
import { Note } from '#ui/note.tsx'
import { words } from './words.ts'

/** The dark half: the school of the scanned code, or what this site is. */
export function GateBanner({ school }: { school?: LinkedSchool }) {
  const t = words.use()
  if (!school) {
    return (
      <>
        <h2>{t('bannerTitle')}</h2>
        <p>{t('bannerText')}</p>
      </>
    )
  }
  return (
    <>
      <span className="k">{t('scanned')}</span>
      <h2>{school.schName}</h2>
      <p>{placeText(school.cityName, school.stateName)}</p>
      <p className="low">{t('notYours')}</p>
    </>
  )
}

/** The important information on the sign-in page. */
export function SchoolsOnly() {
  const t = words.use()
  return (
    <Note>
      <strong>{t('schoolsOnly')}</strong> {t('schoolsOnlyText')}
    </Note>
  )
}
