import { sentenceOf } from '@podium/contract/errors'
import {
  exportMails,
  type MailView,
  mailQueue,
  mailStates,
  mailViews,
  type QueuedMail,
  resendMails,
} from '@podium/contract/office/calls-mails'
import { mailName } from '@podium/contract/office/words'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { count, dayText, Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { ListTable } from '#shell/list-table.tsx'
import { useMailErrorText, usePlaceholderText } from '#shell/mails.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, Segmented } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState } from '#ui/note.tsx'
import { SearchField } from '#ui/text-field.tsx'
import type en from '#words/en/office-mails.json'
import { mailFilters } from '../filters.ts'

/** Translations of the office's e-mails: the queue and the texts. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/office-mails.json'))

const emptyTexts = {
  all: 'noneYet',
  failed: 'noFailed',
  bounced: 'noBounced',
  waiting: 'noWaiting',
  sent: 'noSent',
} as const

const badges = { failed: 'rejected', bounced: 'doubt', waiting: 'underway', sent: 'verified' } as const

const shown = [mailQueue]

/** E-mails by state. Failed ones can be resent here. */
export function Queue() {
  const t = words.use()
  const translate = useSentences()
  const filters = useFilters(mailFilters)
  const { search, mailing, page } = filters.values
  const inWords = usePlaceholderText()
  const [first, setFirst] = useState<MailView>()
  const state = filters.values.state || first || 'failed'
  const mayFind = useMay('mails.addresses')
  const denied = !mayFind && search.includes('@')
  const query = { state, search, mailing: String(mailing), page: String(page) }
  const list = useEndpoint(mailQueue, { query, enabled: !denied })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const disabledReason = useMay('mails.write') ? undefined : t('mayNot')
  const { busy, act } = useAction(shown)
  const resend = async (ids: number[]) => {
    const isDone = await act(
      () => call(resendMails, { body: { ids } }),
      ({ resent }) => t('resent', { n: resent }),
    )
    if (isDone) setSelected((now) => new Set([...now].filter((id) => !ids.includes(Number(id)))))
  }
  const { columns, tools } = useListView(
    'mails',
    useColumns(state, disabledReason, (mail) => void resend([mail.id])),
  )
  const { data } = list
  // Chosen once, so that the list stays when its last e-mail is resent.
  if (first === undefined && data)
    setFirst(mailStates.find((item) => item === 'sent' || data.counts[item] > 0))
  const label = (item: MailView) => {
    if (item === 'all' || item === 'sent' || !data?.counts[item]) return t(item)
    return t(`${item}N`, { n: count(data.counts[item]) })
  }
  const choose = (some: Parameters<typeof filters.change>[0]) => {
    setSelected(new Set())
    filters.change(some)
  }
  return (
    <>
      <FilterRow
        set={mailing === 0 ? 0 : 1}
        {...(search === '' && mailing === 0 ? {} : { onClear: () => choose({ search: '', mailing: 0 }) })}
        chips={
          mailing === 0 || !data
            ? []
            : [
                {
                  key: 'mailing',
                  text: data.mailing
                    ? t('ofMailing', {
                        subject: inWords(data.mailing.subject),
                        day: dayText(data.mailing.at),
                      })
                    : t('ofUnknownMailing'),
                  onRemove: () => choose({ mailing: 0 }),
                },
              ]
        }
        search={
          <SearchField
            label={t('search')}
            placeholder={t(mayFind ? 'searchHint' : 'searchKind')}
            value={filters.shown.search}
            onChange={(event) => choose({ search: event.currentTarget.value })}
          />
        }
        view={
          <div className="view-tools">
            <Segmented
              label={t('state')}
              value={filters.shown.state || state}
              choices={mailViews.map((view) => ({ value: view, label: label(view) }))}
              onChange={(item) => choose({ state: item })}
            />
            {tools}
            <ListDownloads endpoint={exportMails} bodyOf={(format) => ({ state, search, mailing, format })} />
          </div>
        }
      />
      <ListTable
        list={list}
        caption={t('caption')}
        columns={columns}
        rows={denied ? [] : list.isPlaceholderData && data?.total === 0 ? undefined : data?.data}
        rowKey={(mail) => String(mail.id)}
        selection={
          state === 'failed' && disabledReason === undefined
            ? { selected, onChange: setSelected, name: (mail) => mail.subject }
            : undefined
        }
        bulk={
          <>
            <span>{t('chosen', { n: selected.size })}</span>
            <Button
              kind="primary"
              icon="mail"
              busy={busy}
              onClick={() => void resend([...selected].map(Number))}>
              {t('againMany', { n: selected.size })}
            </Button>
          </>
        }
        empty={
          search === '' ? (
            <EmptyState icon="ok" title={t(mailing === 0 ? emptyTexts[state] : 'noneOfMailing')} />
          ) : (
            <EmptyState icon="search" title={t('noneFound')}>
              {denied
                ? translate(sentenceOf('mails.address_search'))
                : t(
                    state === 'sent' || state === 'bounced'
                      ? 'noneFoundSent'
                      : mayFind
                        ? 'noneFoundHint'
                        : 'noneFoundKind',
                  )}
            </EmptyState>
          )
        }
        filters={denied ? undefined : filters}
      />
    </>
  )
}

/** The recipient of an e-mail: person and school if known, and the address until it is sent. */
function Recipient({ mail: { to, name, school, state } }: { mail: QueuedMail }) {
  const t = words.use()
  if (to === '' && name === '' && !school) return <span className="quiet">{t('notStored')}</span>
  return (
    <>
      {name}
      {school && (
        <Link
          className="block"
          to={officePaths.school}
          params={{ id: String(school.id) }}
          // The tab on which the address is marked as bounced.
          search={{ tab: state === 'bounced' ? 'people' : 'emails' }}>
          {school.schName} ({school.schCode})
        </Link>
      )}
      {to !== '' && <span className={name || school ? 'under quiet' : undefined}>{to}</span>}
    </>
  )
}

function useColumns(
  state: MailView,
  disabledReason: string | undefined,
  onAgain: (mail: QueuedMail) => void,
): Column<QueuedMail>[] {
  const t = words.use()
  const language = useWrittenLanguage()
  const refusal = useMailErrorText()
  const about = (mail: QueuedMail) => mail.subject || mailName(mail.kind, language)
  return columnsOf(t, [
    {
      key: 'about',
      title: true,
      cell: (mail) => lines(about(mail), mail.subject !== '' && mailName(mail.kind, language)),
    },
    { key: 'to', card: 'wide', cell: (mail) => <Recipient mail={mail} /> },
    { key: 'tries', num: true, cell: (mail) => count(mail.attempts) },
    { key: 'written', card: 'wide', cell: (mail) => <Moment value={mail.createdAt} /> },
    {
      key: 'at',
      label: t(state === 'all' ? 'state' : `when_${state}`),
      card: 'wide',
      cell: (mail) =>
        state === 'all' ? (
          lines(
            <Badge kind={badges[mail.state]}>{t(mail.state)}</Badge>,
            <Moment value={mail.at} />,
            refusal(mail.error),
          )
        ) : (
          <Moment value={mail.at} />
        ),
    },
    state !== 'sent' &&
      state !== 'all' && { key: 'error', card: 'wide', cell: (mail) => refusal(mail.error) },
    state === 'failed' && {
      key: 'act',
      label: t('again'),
      act: true,
      cell: (mail) => (
        <Button
          className="sm"
          disabled={disabledReason}
          aria-label={t('againOf', { about: about(mail), to: mail.to })}
          onClick={() => onAgain(mail)}>
          {t('again')}
        </Button>
      ),
    },
  ])
}
