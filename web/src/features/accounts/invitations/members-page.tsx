import { type Colleague, type CoordinatorOffer, getColleagues } from '@podium/contract/accounts/calls'
import {
  answerOffer,
  inviteColleague,
  offerCoordination,
  removeColleague,
  resendInvitation,
  withdrawInvitation,
  withdrawOffer,
} from '@podium/contract/accounts/calls-invitations'
import { getSignOffs } from '@podium/contract/students/calls-sign-off'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { dayText, Mail, Moment } from '#shell/format.tsx'
import { InvitationList } from '#shell/invitations/invitation-list.tsx'
import { defineWords } from '#shell/language/words.ts'
import { PanelProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/accounts-members.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/accounts-members.json'))

/** Everything that shows the school's staff; sign-off depends on who the coordinator is. */
const memberCalls = [getColleagues, getSignOffs]

const ConfirmAction = lazyDialog(() => import('#shell/action-dialogs.tsx'), 'ConfirmAction')

type OpenDialog = { action: 'handOver' | 'remove'; person: Colleague }

/** The school's staff with role and last sign-in, and the coordinator's actions for each. */
export function People({ people, refusal }: { people: readonly Colleague[]; refusal: string | undefined }) {
  const t = words.use()
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const columns: Column<Colleague>[] = columnsOf(t, [
    {
      key: 'name',
      title: true,
      cell: (person) => (
        <>
          {person.name}
          {person.self && <span className="quiet"> ({t('you')})</span>}
          <span className="under long">
            <Mail address={person.emailId} />
          </span>
        </>
      ),
    },
    {
      key: 'role',
      cell: (person) =>
        person.coordinator ? (
          <Badge kind="verified">{t('coordinator')}</Badge>
        ) : (
          <Badge tone="info" icon="users">
            {t('staff')}
          </Badge>
        ),
    },
    {
      key: 'state',
      cell: (person) => (
        <Badge kind={person.disabled ? 'inactive' : 'active'}>
          {t(person.disabled ? 'disabled' : 'enabled')}
        </Badge>
      ),
    },
    {
      key: 'lastSeen',
      card: 'wide',
      cell: (person) =>
        person.lastSeen ? <Moment value={person.lastSeen} /> : <span className="quiet">{t('never')}</span>,
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (person) =>
        !person.coordinator && (
          <MemberActions
            person={person}
            refusal={refusal}
            onAsk={(action) => setOpenDialog({ action, person })}
          />
        ),
    },
  ])
  return (
    <>
      <DataTable
        caption={t('people')}
        columns={columns}
        rows={[...people]}
        rowKey={(person) => String(person.id)}
        gone={(person) => person.disabled}
        empty={null}
        cardColumns={2}
      />
      {openDialog && <ConfirmDialog {...openDialog} onClose={() => setOpenDialog(undefined)} />}
    </>
  )
}

interface MemberActionsProps {
  person: Colleague
  refusal: string | undefined
  onAsk: (action: OpenDialog['action']) => void
}

function MemberActions({ person: { name, disabled }, refusal, onAsk }: MemberActionsProps) {
  const t = words.use()
  return (
    <span className="row inline gap-2">
      {!disabled && (
        <Button
          kind="text"
          disabled={refusal}
          aria-label={t('handOverOf', { name })}
          onClick={() => onAsk('handOver')}>
          {t('handOver')}
        </Button>
      )}
      <Button
        kind="text"
        disabled={refusal}
        aria-label={t('removeOf', { name })}
        onClick={() => onAsk('remove')}>
        {t('remove')}
      </Button>
    </span>
  )
}

function ConfirmDialog({
  action,
  person: { id, name, version },
  onClose,
}: OpenDialog & { onClose: () => void }) {
  const t = words.use()
  if (action === 'remove')
    return (
      <ConfirmAction
        title={t('removeTitle', { name })}
        action={t('remove')}
        danger
        act={() => call(removeColleague, { body: { id, version } })}
        invalidates={memberCalls}
        done={t('removed', { name })}
        onClose={onClose}>
        {t('removeHint', { name })}
      </ConfirmAction>
    )
  return (
    <ConfirmAction
      title={t('handOverTitle', { name })}
      action={t('handOverAct')}
      act={() => call(offerCoordination, { body: { id } })}
      invalidates={memberCalls}
      done={t('handedOver', { name })}
      onClose={onClose}>
      {t('handOverHint', { name })}
    </ConfirmAction>
  )
}

const InviteDialog = lazyDialog(() => import('#shell/invitations/invite-dialog.tsx'), 'InviteDialog')

/** School/staff: who signs in for the school, who is invited, who is coordinator. */
export function StaffPage() {
  const t = words.use()
  const staff = useEndpoint(getColleagues)
  const [inviting, setInviting] = useState(false)
  const client = useQueryClient()
  const { data } = staff
  const refusal = useStaffRefusal(data?.can.manage)
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={data && t('fact', { n: data.data.filter(({ disabled }) => !disabled).length })}>
        <Button
          kind="primary"
          icon="plus"
          disabled={data ? refusal : true}
          onPointerEnter={() => void InviteDialog.load()}
          onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      </PageHeader>
      {staff.isError && !data && <PanelProblem error={staff.error} retry={() => staff.refetch()} />}
      {staff.isPending && <Skeleton shape="table" rows={3} />}
      {data && <StaffList of={data} refusal={refusal} />}
      {inviting && (
        <InviteDialog
          draftKey="colleague.invite"
          send={async (body) => {
            await call(inviteColleague, { body })
            await client.invalidateQueries({ queryKey: [getColleagues.path] })
          }}
          onClose={() => setInviting(false)}
        />
      )}
    </>
  )
}

/** Returns why the user can't change the staff, or undefined. */
function useStaffRefusal(allowed: true | string | undefined): string | undefined {
  const t = words.use()
  if (allowed === true || allowed === undefined) return undefined
  return t(allowed === 'access.acting' ? 'why_acting' : 'why_not_coordinator')
}

interface StaffListProps {
  of: Answer<typeof getColleagues>
  refusal: string | undefined
}

function StaffList({ of: { data, invitations, offer, can }, refusal }: StaffListProps) {
  const t = words.use()
  const coordinated = data.some(({ coordinator, disabled }) => coordinator && !disabled)
  return (
    <div className="stack">
      {offer && <OfferNote offer={offer} mayWithdraw={can.manage === true} />}
      {!coordinated && <Note kind="due">{t('noCoordinator')}</Note>}
      <Note>
        {t('note')} {t('noteCoordinator')}
      </Note>
      <People people={data} refusal={refusal} />
      {invitations.length > 0 && (
        <section>
          <h2 className="mt-4 mb-2">{t('invitations')}</h2>
          <InvitationList
            invitations={invitations}
            disabledReason={refusal}
            resend={({ id }) => call(resendInvitation, { body: { id } })}
            withdraw={({ id }) => call(withdrawInvitation, { body: { id } })}
            invalidates={memberCalls}
          />
        </section>
      )}
    </div>
  )
}

/**
 * The pending offer of the coordinator's role: with buttons for the person it is offered to, as a note for the
 * others.
 */
export function OfferNote({ offer, mayWithdraw }: { offer: CoordinatorOffer; mayWithdraw: boolean }) {
  const t = words.use()
  const { act } = useAction(memberCalls)
  const [busy, setBusy] = useState<'accept' | 'decline' | 'withdraw'>()
  const { id, fromName: from, toName: to } = offer
  const day = dayText(offer.until)
  const answerWith = async (action: NonNullable<typeof busy>, send: () => Promise<unknown>, done: string) => {
    setBusy(action)
    await act(send, done)
    setBusy(undefined)
  }
  if (!offer.mine)
    return (
      <Note>
        <div className="row between">
          <span style={{ flex: '1 1 280px' }}>{t('offerOther', { from, to, day })}</span>
          {mayWithdraw && (
            <Button
              busy={busy === 'withdraw'}
              onClick={() =>
                void answerWith(
                  'withdraw',
                  () => call(withdrawOffer, { body: { id } }),
                  t('withdrawn', { to }),
                )
              }>
              {t('withdraw')}
            </Button>
          )}
        </div>
      </Note>
    )
  const answer = (accept: boolean) => () => call(answerOffer, { body: { id, accept } })
  return (
    <Note kind="due">
      <div className="row between">
        <span style={{ flex: '1 1 280px' }}>
          <b>{t('offerMine', { from, day })}</b> {t('noteCoordinator')}
        </span>
        <span className="row inline gap-2">
          <Button
            kind="primary"
            busy={busy === 'accept'}
            onClick={() => void answerWith('accept', answer(true), t('accepted'))}>
            {t('accept')}
          </Button>
          <Button
            busy={busy === 'decline'}
            onClick={() => void answerWith('decline', answer(false), t('declined', { from }))}>
            {t('decline')}
          </Button>
        </span>
      </div>
    </Note>
  )
}
