import { lazyDialog } from '#ui/lazy-part.ts'
import '../details/details.css'
import { messages } from '@podium/contract/messages'
import { type Contact, getContacts, setContactStatus } from '@podium/contract/schools/calls'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { Mail } from '#shell/format.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { PanelProblem } from '#shell/load-problem.tsx'
import { BounceNote } from '#shell/mails.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, IconButton, Segmented } from '#ui/button.tsx'
import { Switch } from '#ui/check-field.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/schools-contacts.json'
import { contactFilters } from './filters.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-contacts.json'))

const ContactDialog = lazyDialog(() => import('./dialog.tsx'), 'ContactDialog')

const statusOf = { active: 'true', inactive: 'false', all: '' } as const

/**
 * School/contact-details: the people whom the foundation calls and writes to, each with a switch and an edit button.
 */
export function ContactsPage() {
  const t = words.use()
  const season = useSeason()
  const { values, change } = useFilters(contactFilters)
  const [open, setOpen] = useState<Contact | 'new'>()
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })}>
        <Button
          kind="primary"
          icon="plus"
          onClick={() => setOpen('new')}
          onPointerEnter={() => void ContactDialog.load()}>
          {t('newContact')}
        </Button>
      </PageHeader>
      <div className="row gap-4 mb-5">
        <Segmented
          label={t('show')}
          value={values.show}
          choices={[
            { value: 'all', label: t('all') },
            { value: 'active', label: t('active') },
            { value: 'inactive', label: t('inactive') },
          ]}
          onChange={(show) => change({ show })}
        />
        <p className="quiet">{t('help')}</p>
      </div>
      <Contacts status={statusOf[values.show]} onEdit={setOpen} />
      {open && (
        <ContactDialog
          contact={open === 'new' ? undefined : open}
          season={season}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

function Contacts({ status, onEdit }: { status: 'true' | 'false' | ''; onEdit: (contact: Contact) => void }) {
  const translate = useSentences()
  const season = useSeason()
  const contacts = useEndpoint(getContacts, { query: { FYear: season, status } })
  if (contacts.isError && !contacts.data) {
    return <PanelProblem error={contacts.error} retry={() => contacts.refetch()} />
  }
  if (!contacts.data) return <Skeleton shape="cards" rows={2} />
  if (contacts.data.data.length === 0) {
    return (
      <Panel>
        <EmptyState icon="users">{translate(messages.noContacts)}</EmptyState>
      </Panel>
    )
  }
  return (
    <ul className="contacts fill gap-5" aria-busy={contacts.isPlaceholderData || undefined}>
      {contacts.data.data.map((contact) => (
        <ContactCard key={contact.id} contact={contact} onEdit={() => onEdit(contact)} />
      ))}
    </ul>
  )
}

function ContactCard({ contact, onEdit }: { contact: Contact; onEdit: () => void }) {
  const t = words.use()
  const translate = useSentences()
  const { busy, act } = useAction([getContacts])
  const name = `${translateSentence(contact.title)} ${contact.contactName}`
  const onSwitch = (status: boolean) =>
    act(
      () => call(setContactStatus, { body: { id: contact.id, status } }),
      ({ message }) => translate(message),
    )
  return (
    <li className="panel pad">
      <div className="row between">
        <div>
          <h2>{name}</h2>
          <p className="quiet">{translateSentence(contact.designation)}</p>
        </div>
        <IconButton icon="edit" label={t('edit', { name })} onClick={onEdit} />
      </div>
      {contact.status && !contact.confirmed && <Badge kind="waiting">{t('toConfirm')}</Badge>}
      <dl>
        <Line label={t('mobile')} value={contact.mobile} also={contact.altmobile} />
        <Line label={t('email')} value={contact.contactEmail} also={contact.altEmail} />
      </dl>
      <BounceNote bounce={contact.bounced} />
      <Switch
        label={
          <>
            {t('isActive')}
            <span className="sr"> {name}</span>
          </>
        }
        checked={contact.status}
        aria-busy={busy || undefined}
        onChange={(event) => {
          if (!busy) void onSwitch(event.currentTarget.checked)
        }}
      />
    </li>
  )
}

function Line({ label, value, also }: { label: string; value: string; also: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Mail address={value} />
        {also !== '' && (
          <small>
            <Mail address={also} />
          </small>
        )}
      </dd>
    </div>
  )
}
