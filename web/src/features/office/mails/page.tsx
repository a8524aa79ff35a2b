import './mails.css'
import { Link } from '@tanstack/react-router'
import { useFilters } from '#shell/filters.ts'
import { PageHeader } from '#ui/panel.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { mailFilters, mailTabs } from './filters.ts'
import { Queue } from './queue.tsx'
import { Texts } from './texts.tsx'
import { words } from './words.ts'

/** The office's mails: those that are on their way or failed, and their texts. */
export function MailsPage() {
  const t = words.use()
  const { tab } = useFilters(mailFilters).values
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')} />
      <LinkTabs label={t('parts')}>
        {mailTabs.map((name) => (
          <Link
            key={name}
            to="."
            search={mailFilters.validate({ tab: name })}
            replace
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === tab ? 'page' : undefined}
          >
            {t(name)}
          </Link>
        ))}
      </LinkTabs>
      {tab === 'queue' ? <Queue /> : <Texts />}
    </>
  )
}
