import type { SchoolContact } from '@podium/contract/schools/calls-record'
import { confirmContact } from '@podium/contract/schools/calls-write'
import { call } from '#shell/call.ts'
import { useSeason } from '#shell/season.ts'
import { useAct } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { Staff } from './record-staff.tsx'
import { Returned } from './returned.tsx'
import { type SchoolOne, shownOfSchools } from './use-record.ts'
import { words } from './words-record.ts'

/** Who signs in for the school, and whom the foundation calls there. */
export function People({ one }: { one: SchoolOne }) {
  return (
    <>
      <Staff one={one} />
      <Contacts one={one} />
    </>
  )
}

function stateOf(contact: SchoolContact) {
  if (!contact.confirmed) return { kind: 'waiting', word: 'waits' } as const
  return contact.active
    ? ({ kind: 'verified', word: 'confirmed' } as const)
    : ({ kind: 'inactive', word: 'off' } as const)
}

function Contacts({ one }: { one: SchoolOne }) {
  const t = words.use()
  const season = useSeason()
  const mayNot = one.can.write === true ? undefined : t('mayNotWrite')
  const columns: Column<SchoolContact>[] = [
    {
      key: 'name',
      label: t('person'),
      title: true,
      cell: (contact) => `${contact.title} ${contact.name}`,
    },
    {
      key: 'designation',
      label: t('designation'),
      cell: (contact) => (
        <>
          {contact.designation}
          {contact.fyear !== season && <span className="under">{contact.fyear}</span>}
        </>
      ),
    },
    {
      key: 'reach',
      label: t('email'),
      card: 'wide',
      cell: (contact) => (
        <>
          <Returned schoolId={one.school.id} email={contact.email} mark={contact.bounced} mayNot={mayNot}>
            <span className="long">{[contact.email, contact.altEmail].filter(Boolean).join(', ')}</span>
          </Returned>
          <span className="under nowrap">
            {[contact.mobile, contact.altmobile].filter(Boolean).join(', ')}
          </span>
        </>
      ),
    },
    {
      key: 'state',
      label: t('contactState'),
      cell: (contact) => <Badge kind={stateOf(contact).kind}>{t(stateOf(contact).word)}</Badge>,
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (contact) =>
        !contact.confirmed && <Confirm schoolId={one.school.id} contact={contact} mayNot={mayNot} />,
    },
  ]
  return (
    <section className="record-part">
      <h2>{t('contacts', { season })}</h2>
      <DataTable
        caption={t('contacts', { season })}
        columns={columns}
        rows={one.contacts}
        rowKey={(contact) => String(contact.id)}
        empty={<EmptyState icon="phone">{t('noContacts')}</EmptyState>}
        cardColumns={2}
      />
    </section>
  )
}

interface ConfirmProps {
  schoolId: number
  contact: SchoolContact
  mayNot: string | undefined
}

function Confirm({ schoolId, contact, mayNot }: ConfirmProps) {
  const t = words.use()
  const { busy, act } = useAct(shownOfSchools)
  const { id: contactId, version, name } = contact
  const body = { id: schoolId, contactId, version }
  const confirm = () => act(() => call(confirmContact, { body }), t('confirmDone', { name }))
  return (
    <Button
      busy={busy}
      disabled={mayNot}
      aria-label={t('confirmOf', { name })}
      onClick={() => void confirm()}
    >
      {t('confirm')}
    </Button>
  )
}
