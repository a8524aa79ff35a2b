import { useState } from 'react'
import { Segmented } from '#ui/button.tsx'
import { NoticeView, type Shown } from './notice-view.tsx'
import { words } from './words-office.ts'

/** A notice as a school sees it, in either language where it has both. */
export function Preview({ notice }: { notice: Shown }) {
  const t = words.use()
  const [language, setLanguage] = useState<'en' | 'hi'>('en')
  const both = notice.titleHi !== ''
  return (
    <section className="notice-preview" aria-label={t('preview')}>
      <div className="lead">
        <h3>{t('preview')}</h3>
        {both && (
          <Segmented
            label={t('language')}
            value={language}
            choices={[
              { value: 'en', label: t('english') },
              { value: 'hi', label: t('hindi') },
            ]}
            onChange={setLanguage}
          />
        )}
      </div>
      <NoticeView notice={notice} hindi={both && language === 'hi'} />
    </section>
  )
}
