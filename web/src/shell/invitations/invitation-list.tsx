import type { Invitation } from '@podium/contract/accounts/calls'
import type { Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { dayText, Mail, Moment } from '#shell/format.tsx'
import { defineWords } from '#shell/language/words.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import type en from '#words/en/accounts-invite.json'
import { useAction } from '../use-action.ts'

/** Words for inviting users to a school, in the school's portal and in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/accounts-invite.json'))

const ConfirmAction = lazyDialog(() => import('../action-dialogs.tsx'), 'ConfirmAction')

type InvitationAction = (invitation: Invitation) => Promise<unknown>

interface InvitationListProps {
  invitations: readonly Invitation[]
  /** Why they can't be changed here; undefined if they can */
  disabledReason: string | undefined
  resend: InvitationAction
  withdraw: InvitationAction
  /** Calls that are out of date after either */
  invalidates: readonly Endpoint[]
}

/** Open invitations: sent when, valid until when; to resend or withdraw. */
export function InvitationList(props: InvitationListProps) {
  const { invitations, disabledReason, resend, withdraw, invalidates } = props
  const t = words.use()
  const { act } = useAction(invalidates)
  const [resending, setResending] = useState<number>()
  const [invitationToWithdraw, setInvitationToWithdraw] = useState<Invitation>()
  const sendAgain = async (invitation: Invitation) => {
    setResending(invitation.id)
    await act(() => resend(invitation), t('resent', { email: invitation.emailId }))
    setResending(undefined)
  }
  const columns: Column<Invitation>[] = columnsOf(t, [
    {
      key: 'name',
      title: true,
      cell: (invitation) => (
        <>
          {invitation.name}
          <span className="under long">
            <Mail address={invitation.emailId} />
          </span>
        </>
      ),
    },
    {
      key: 'sent',
      label: t('invited'),
      card: 'wide',
      cell: (invitation) =>
        lines(
          <Moment value={invitation.sentAt} />,
          <>
            {invitation.invitedBy !== '' && `${t('by', { name: invitation.invitedBy })}, `}
            {t('times', { n: invitation.timesSent })}
          </>,
        ),
    },
    {
      key: 'state',
      cell: (invitation) =>
        invitation.over ? (
          <Badge kind="inactive">{t('over')}</Badge>
        ) : (
          <Badge kind="waiting">{t('open', { day: dayText(invitation.until) })}</Badge>
        ),
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (invitation) => (
        <span className="row inline gap-2">
          <Button
            kind="text"
            disabled={disabledReason}
            busy={resending === invitation.id}
            aria-label={t('resendOf', { name: invitation.name })}
            onClick={() => void sendAgain(invitation)}>
            {t('resend')}
          </Button>
          <Button
            kind="text"
            disabled={disabledReason}
            aria-label={t('withdrawOf', { name: invitation.name })}
            onClick={() => setInvitationToWithdraw(invitation)}>
            {t('withdraw')}
          </Button>
        </span>
      ),
    },
  ])
  return (
    <>
      <DataTable
        caption={t('caption')}
        columns={columns}
        rows={[...invitations]}
        rowKey={(invitation) => String(invitation.id)}
        gone={(invitation) => invitation.over}
        empty={null}
        cardColumns={2}
      />
      {invitationToWithdraw && (
        <ConfirmAction
          title={t('withdrawTitle', { name: invitationToWithdraw.name })}
          action={t('withdraw')}
          danger
          act={() => withdraw(invitationToWithdraw)}
          invalidates={invalidates}
          done={t('withdrawn', { name: invitationToWithdraw.name })}
          onClose={() => setInvitationToWithdraw(undefined)}>
          {t('withdrawHint')}
        </ConfirmAction>
      )}
    </>
  )
}
