import { lazyDialog } from '#ui/lazy-part.ts'
import '../office.css'
import { type MailView, mailTextForm } from '@podium/contract/office/calls-mails'
import {
  type Mailing,
  type MailingReaders,
  mailingPlaceholders,
  mailingPlan,
  mailingReaders,
  mailings,
  previewMailing,
  stopMailing,
  testMailing,
} from '@podium/contract/schools/calls-mailings'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Ref, useEffect, useRef, useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { focusFirstError } from '#shell/field-focus.ts'
import { useFilters } from '#shell/filters.ts'
import { FormFrame, nothingSaved, usePortalForm } from '#shell/form-frame.tsx'
import { count, Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { defineWords } from '#shell/language/words.ts'
import { useLastPage } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useBouncedCount, usePlaceholderName, usePlaceholderText } from '#shell/mails.tsx'
import { officePaths } from '#shell/paths.ts'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { Pager } from '#ui/pager.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/schools-mailings.json'
import { mailingFilters, schoolFilterKeys } from '../filters.ts'
import type { MailingPlan, MailingRequest, MailingText } from './send-dialog.tsx'

const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-mailings.json'))

/** An e-mail to the schools in the URL: written, previewed, sent; with the earlier e-mails below. */
export function MailingsPage() {
  const t = words.use()
  const { values, countSet } = useFilters(mailingFilters)
  const { page: _, ids, ...filterValues } = values
  const [readers, setReaders] = useState<'coordinators' | 'everyone'>('coordinators')
  const request = { FYear: useSeason(), ...filterValues, ids, readers }
  const may = useMay('mailings.send')
  const readsMails = useMay('mails.read')
  const plan = useEndpoint(mailingPlan, { query: request, enabled: may })
  const { data } = plan
  const { list, search, state, step, within, balance, ...registered } = filterValues
  const set = countSet('list', ...schoolFilterKeys)
  const key = ids !== '' ? 'factChosen' : set > 0 ? 'factFiltered' : 'factAll'
  const n = data ? data.schools + data.off + data.unreachable : undefined
  return (
    <>
      <PageHeader title={t('title')} fact={n !== undefined && t(key, { n })}>
        {list === 'ledger' ? (
          <Link to={officePaths.ledger} search={{ search, state, status: balance }}>
            {t('backLedger')}
          </Link>
        ) : list === 'reminders' ? (
          <Link to={officePaths.reminders} search={{ search, state, step, within }}>
            {t('backReminders')}
          </Link>
        ) : (
          <Link to={officePaths.schools} search={ids === '' ? { ...registered, search, state } : {}}>
            {t('backRegister')}
          </Link>
        )}
      </PageHeader>
      <div className="stack">
        {!may && <Note kind="due">{t('mayNot')}</Note>}
        {may && plan.isError && !data && <LoadProblem error={plan.error} retry={plan.refetch} />}
        {may && data && <MailingForm request={request} plan={data} onReaders={setReaders} />}
        {may && !data && !plan.isError && <Skeleton shape="form" />}
        {readsMails && <MailingsSent />}
      </div>
    </>
  )
}

const SendDialog = lazyDialog(() => import('./send-dialog.tsx'), 'SendDialog')

type MailingPreview = Answer<typeof previewMailing> & { index: number }

interface MailingFormProps {
  request: MailingRequest & { readers: MailingReaders }
  plan: MailingPlan
  onReaders: (readers: MailingReaders) => void
}

/** Subject and text beside a preview of the e-mail. What is typed stays in this tab until it is sent. */
function MailingForm({ request, plan, onReaders }: MailingFormProps) {
  const t = words.use()
  const [busy, setBusy] = useState(false)
  const preview = useRef<HTMLParagraphElement>(null)
  const [shown, setShown] = useState<MailingPreview>()
  const [sending, setSending] = useState<MailingText>()
  const f = usePortalForm({
    schema: mailTextForm,
    initialValues: { subject: '', body: '' },
    draftKey: 'mailing',
    save: async (values) => {
      await loadPreview({ ...request, ...values }, 0)
      throw nothingSaved()
    },
  })
  const loadPreview = async (written: MailingText, index: number) =>
    setShown({ ...(await call(previewMailing, { body: { ...written, at: index } })), index })
  /** Calls `then` with the typed text once it is complete; a refusal is shown at its field. */
  const withText = (then: (written: MailingText) => unknown) => async () => {
    if (f.form.validate().hasErrors) return focusFirstError(f.element.current)
    setBusy(true)
    try {
      await then({ ...request, ...f.form.getValues() })
    } catch (cause) {
      f.refuse(cause)
    } finally {
      setBusy(false)
    }
  }
  const test = async (body: MailingText) => {
    await call(testMailing, { body })
    toast.success(t('tested'))
  }
  const insert = (name: string) => {
    const node = f.form.getInputNode('body') as HTMLTextAreaElement | null
    const text = f.form.getValues().body
    const position = node?.selectionStart ?? text.length
    f.form.setFieldValue(
      'body',
      `${text.slice(0, position)}{${name}}${text.slice(node?.selectionEnd ?? position)}`,
    )
    // After the field is rendered with it, so that the next placeholder goes behind.
    requestAnimationFrame(() => {
      const field = f.form.getInputNode('body') as HTMLTextAreaElement | null
      field?.focus()
      field?.setSelectionRange(position + name.length + 2, position + name.length + 2)
    })
  }
  // The preview may be out of sight: it is beside the field or below the button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time another e-mail is shown
  useEffect(() => {
    // In braces: where scrolling answers with a promise, React would take it for what ends the effect.
    preview.current?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  const inWords = usePlaceholderText()
  const placeholderName = usePlaceholderName()
  const none = plan.schools === 0 ? t('none') : undefined
  const next = shown && shown.index + 1 < plan.schools ? shown.index + 1 : 0
  const previewAt = (index: number) => withText((written) => loadPreview(written, index))
  return (
    <div className="halves">
      <Panel title={t('write')}>
        <FormFrame of={f}>
          <div className="stack">
            <RadioField
              label={t('readers')}
              name="readers"
              value={request.readers}
              choices={mailingReaders.map((value) => ({ value, label: t(`readers_${value}`) }))}
              onChange={(value) => onReaders(value === 'everyone' ? value : 'coordinators')}
            />
            <Recipients plan={plan} filters={request} />
            <TextField label={t('subject')} {...f.form.field('subject')} />
            <TextArea label={t('text')} rows={10} hint={t('textHint')} {...f.form.field('body')} />
            <fieldset className="row gap-2">
              <legend>{t('placeholders')}</legend>
              {mailingPlaceholders.map((name) => (
                <Button key={name} className="sm" icon="plus" onClick={() => insert(name)}>
                  {placeholderName(name)}
                </Button>
              ))}
            </fieldset>
            <div className="row gap-2">
              <Button icon="eye" busy={busy} disabled={none} onClick={previewAt(0)}>
                {t('show')}
              </Button>
              <Button busy={busy} disabled={none} onClick={withText(test)}>
                {t('test')}
              </Button>
              <Button kind="primary" icon="mail" disabled={none} onClick={withText(setSending)}>
                {t('send', { n: plan.schools })}
              </Button>
            </div>
          </div>
        </FormFrame>
      </Panel>
      <Panel
        title={shown ? t('previewOf', { at: count(shown.index + 1), n: count(plan.schools) }) : t('preview')}
        aside={
          shown &&
          plan.schools > 1 && (
            <Button icon="right" busy={busy} onClick={previewAt(next)}>
              {t('next')}
            </Button>
          )
        }>
        {shown ? <Preview shown={shown} place={preview} /> : <p className="quiet">{t('previewEmpty')}</p>}
      </Panel>
      {sending && (
        <SendDialog
          written={sending}
          subject={inWords(sending.subject)}
          plan={plan}
          onSent={() => {
            f.draft.discard()
            setShown(undefined)
          }}
          onClose={() => setSending(undefined)}
        />
      )}
    </div>
  )
}

/** How many schools get it, and which are left out. */
function Recipients({ plan, filters }: { plan: MailingPlan; filters: Partial<Record<string, string>> }) {
  const filterNames = useFilterNames()
  const bounced = useBouncedCount()(plan.bounced)
  const t = words.use()
  return (
    <div className="stack gap-1">
      <p>
        <b>{t('recipients', { n: plan.schools })}</b> ({t('mailsN', { n: plan.mails })})
      </p>
      <p className="quiet">{filterNames(filters)}</p>
      <p className="quiet">{t('noAccount')}</p>
      {plan.schools === 0 && <Note kind="due">{t('none')}</Note>}
      {plan.off > 0 && <p className="quiet">{t('off', { n: plan.off })}</p>}
      {bounced && <Note kind="due">{bounced}</Note>}
      {plan.unreachable > 0 && <Note kind="due">{t('unreachable', { n: plan.unreachable })}</Note>}
    </div>
  )
}

function Preview({ shown, place }: { shown: MailingPreview; place: Ref<HTMLParagraphElement> }) {
  const t = words.use()
  return (
    <div className="stack" aria-live="polite">
      <p className="quiet" ref={place}>
        {shown.school} ({shown.schCode}) · {t('toNames', { names: shown.to.join(', ') })}
      </p>
      <h3>{shown.subject}</h3>
      <p className="as-typed">{shown.text}</p>
    </div>
  )
}

const pollInterval = 2_000
const badges = { sending: 'underway', sent: 'verified', stopped: 'rejected' } as const

/** Earlier e-mails to many schools: by whom, to which, how many; counted while they are sent. */
function MailingsSent() {
  const t = words.use()
  const filters = useFilters(mailingFilters)
  const { page } = filters.values
  const { data, error, refetch } = useQuery({
    ...endpointQuery(mailings, { query: { page: String(page) } }),
    refetchInterval: ({ state }) =>
      state.data?.data.some((mailing) => mailing.state === 'sending' || mailing.waiting > 0)
        ? pollInterval
        : false,
  })
  useLastPage(data, filters)
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  return (
    <Panel title={t('sentBefore')}>
      {!data && <Skeleton shape="text" rows={3} />}
      {data?.total === 0 && <EmptyState icon="mail" title={t('sentNone')} />}
      <ul className="ruled">
        {data?.data.map((mailing) => (
          <MailingLine key={mailing.id} mailing={mailing} />
        ))}
      </ul>
      {data && data.total > data.pageSize && (
        <Pager
          total={data.total}
          page={page}
          size={data.pageSize}
          shown={data.data.length}
          onPage={(to) => filters.change({ page: to })}
        />
      )}
    </Panel>
  )
}

const mailingCalls = [mailings]
const named = ['list', 'balance', 'step', 'within', ...schoolFilterKeys, 'ids'] as const

/** Names the filters that select the schools; the register's status `all` selects none. */
function useFilterNames() {
  const t = words.use()
  return (filters: Partial<Record<string, string>>) => {
    const names = named.flatMap((name) => {
      const value = filters[name] ?? ''
      if (value === '' || value === 'all') return []
      if (name === 'list') return [t(value === 'ledger' ? 'f_ledger' : 'f_reminders')]
      return [t(`f_${name}`, { value })]
    })
    return names.length > 0 ? t('filters', { filters: names.join(', ') }) : t('filtersNone')
  }
}

function MailingLine({ mailing }: { mailing: Mailing }) {
  const t = words.use()
  const inWords = usePlaceholderText()
  const { busy, act } = useAction(mailingCalls)
  const may = useMay('mailings.send')
  const filterNames = useFilterNames()
  const { id: mailingId, state, schools, done: sentCount, mails, left: remaining, filters } = mailing
  const { waiting, failed, returned } = mailing
  const toOutbox = (view: MailView, text: string) => (
    <Link to={officePaths.mails} search={{ state: view, mailing: mailingId }}>
      {text}
    </Link>
  )
  const facts = [
    t('progress', { done: count(sentCount), n: count(schools) }),
    t('mailsSent', { n: mails }),
    remaining > 0 && t('left', { n: remaining }),
    t(`readers_${mailing.readers}`),
    mailing.FYear,
    filterNames(filters),
  ].filter((fact) => fact !== false)
  return (
    <li className="stack gap-2">
      <header className="row between">
        <h3 className="long">{inWords(mailing.subject)}</h3>
        <Badge kind={badges[state]}>{t(state)}</Badge>
      </header>
      <p className="quiet">
        {mailing.by}, <Moment value={mailing.at} /> · {facts.join(' · ')}
      </p>
      <details>
        <summary>{t('showText')}</summary>
        <p className="as-typed">{mailing.body}</p>
      </details>
      {failed + returned > 0 && (
        <Note kind="bad">
          {failed > 0 && toOutbox('failed', t('failedN', { n: failed }))}{' '}
          {returned > 0 && toOutbox('bounced', t('returnedN', { n: returned }))}
        </Note>
      )}
      {waiting > 0 && <p>{toOutbox('waiting', t('waitingN', { n: waiting }))}</p>}
      {mailing.mails > 0 && <p>{toOutbox('all', t('eMails', { n: mailing.mails }))}</p>}
      {state === 'sending' && may && (
        <div>
          <Button
            kind="text"
            busy={busy}
            onClick={() => void act(() => call(stopMailing, { body: { mailingId } }))}>
            {t('stop')}
          </Button>
        </div>
      )}
    </li>
  )
}
