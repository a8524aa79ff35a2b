import { resendMails, type SchoolMail, schoolMails } from '@podium/contract/office/calls-mails'
import { mailName } from '@podium/contract/office/words'
import { officeSchoolHistory } from '@podium/contract/schools/calls-record'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { Moment } from '#shell/format.tsx'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { ListTable } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useMailErrorText } from '#shell/mails.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import { recordFilters } from '../filters.ts'
import { words } from './words.ts'

const badges = { sent: 'verified', waiting: 'waiting', failed: 'rejected', bounced: 'rejected' } as const
const mailCalls = [schoolMails, officeSchoolHistory]

/** The e-mails to the staff of a school, and whether they were sent; a failed one can be sent again from here. */
export function Emails({ id }: { id: number }) {
  const t = words.use()
  const filters = useFilters(recordFilters)
  const query = { id: String(id), page: String(filters.values.page) }
  const list = useEndpoint(schoolMails, { query })
  const columns = useColumns()
  if (list.error && !list.data) return <LoadProblem error={list.error} retry={list.refetch} />
  return (
    <section className="record-part">
      <h2>{t('emails')}</h2>
      <ListTable
        caption={t('emails')}
        columns={columns}
        list={list}
        filters={filters}
        rowKey={(mail) => String(mail.id)}
        empty={
          <EmptyState icon="mail" title={t('emailsEmpty')}>
            {t('emailsEmptyHint')}
          </EmptyState>
        }
      />
    </section>
  )
}

function useColumns(): Column<SchoolMail>[] {
  const t = words.use()
  const language = useWrittenLanguage()
  const refusal = useMailErrorText()
  return columnsOf(t, [
    {
      key: 'about',
      title: true,
      cell: ({ kind, subject }) =>
        lines(subject || mailName(kind, language), subject !== '' && mailName(kind, language)),
    },
    {
      key: 'to',
      cell: ({ name, to }) =>
        lines(
          name || <span className="quiet">{t('noOne')}</span>,
          to !== '' && <span className="long">{to}</span>,
        ),
    },
    { key: 'written', cell: ({ createdAt }) => <Moment value={createdAt} /> },
    {
      key: 'state',
      card: 'wide',
      cell: ({ state, error, at }) =>
        lines(
          <Badge kind={badges[state]}>{t(state)}</Badge>,
          state !== 'waiting' && <Moment value={at} />,
          state !== 'sent' && error !== '' && <span className="long">{refusal(error)}</span>,
        ),
    },
    { key: 'act', label: '', act: true, cell: (mail) => <SendAgain mail={mail} /> },
  ])
}

/** Sends a failed e-mail again, or says why not, such as an expired code or link. */
function SendAgain({ mail: { id, kind, subject, state, can } }: { mail: SchoolMail }) {
  const t = words.use()
  const language = useWrittenLanguage()
  const { busy, act } = useAction(mailCalls)
  if (state !== 'failed' || can === 'access.denied') return null
  return (
    <Button
      className="sm"
      busy={busy}
      disabled={can === true ? undefined : t('expired')}
      aria-label={t('againOf', { about: subject || mailName(kind, language) })}
      onClick={() => void act(() => call(resendMails, { body: { ids: [id] } }), t('resent'))}>
      {t('again')}
    </Button>
  )
}
