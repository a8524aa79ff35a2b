import './members.css'
import {
  getColleagues,
  inviteColleague,
  resendInvitation,
  withdrawInvitation,
} from '@podium/contract/accounts/calls-invitations'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { useFocusBack } from '#shell/focus-back.ts'
import { InvitationList } from '#shell/invitations/invitation-list.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { People } from './members.tsx'
import { OfferNote } from './offer-note.tsx'
import { shownOfColleagues } from './shown.ts'
import { words } from './words.ts'

const openDialog = () =>
  import('#shell/invitations/invite-dialog.tsx').then((m) => ({ default: m.InviteDialog }))
const InviteDialog = lazy(openDialog)

/** School/staff: who signs in for the school, who is invited, who coordinates. */
export function StaffPage() {
  const t = words.use()
  const staff = useEndpoint(getColleagues)
  const [inviting, setInviting] = useState(false)
  const focus = useFocusBack()
  const client = useQueryClient()
  const { data } = staff
  const mayNot = useMayNot(data?.can.manage)
  const close = () => {
    setInviting(false)
    focus.goBack()
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={data && t('fact', { n: data.data.filter(({ disabled }) => !disabled).length })}
      >
        <Button
          kind="primary"
          icon="plus"
          disabled={data ? mayNot : true}
          onPointerEnter={() => void openDialog()}
          onClick={() => {
            focus.remember()
            setInviting(true)
          }}
        >
          {t('invite')}
        </Button>
      </PageHeader>
      {staff.isError && !data && (
        <Panel padded={false}>
          <LoadProblem error={staff.error} retry={() => staff.refetch()} />
        </Panel>
      )}
      {staff.isPending && <Skeleton shape="table" rows={3} />}
      {data && <Loaded of={data} mayNot={mayNot} />}
      <Suspense>
        {inviting && (
          <InviteDialog
            draftKey="colleague.invite"
            send={async (body) => {
              await call(inviteColleague, { body })
              await client.invalidateQueries({ queryKey: [getColleagues.path] })
            }}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}

/** Why the person may not change the staff; undefined where they may. */
function useMayNot(allowed: true | string | undefined): string | undefined {
  const t = words.use()
  if (allowed === true || allowed === undefined) return undefined
  return t(allowed === 'access.acting' ? 'why_acting' : 'why_not_coordinator')
}

interface LoadedProps {
  of: Answer<typeof getColleagues>
  mayNot: string | undefined
}

function Loaded({ of: { data, invitations, offer, can }, mayNot }: LoadedProps) {
  const t = words.use()
  const { act } = useAct(shownOfColleagues)
  const coordinated = data.some(({ coordinator, disabled }) => coordinator && !disabled)
  return (
    <div className="stack">
      {offer && <OfferNote offer={offer} mayWithdraw={can.manage === true} />}
      {!coordinated && <Note kind="due">{t('noCoordinator')}</Note>}
      <Note>
        {t('note')} {t('noteCoordinator')}
      </Note>
      <People people={data} mayNot={mayNot} />
      {invitations.length > 0 && (
        <section className="colleagues-part">
          <h2>{t('invitations')}</h2>
          <InvitationList
            invitations={invitations}
            mayNot={mayNot}
            resend={({ id }, done) => act(() => call(resendInvitation, { body: { id } }), done)}
            withdraw={({ id }, done) => act(() => call(withdrawInvitation, { body: { id } }), done)}
          />
        </section>
      )}
    </div>
  )
}
