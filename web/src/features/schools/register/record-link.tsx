import {
  type OfficeSchoolLink,
  renewSchoolLink,
  revokeSchoolLink,
  schoolLetter,
  showSchoolCode,
} from '@podium/contract/schools/calls-record'
import { lazy, Suspense, useState } from 'react'
import { call } from '#shell/call.ts'
import { openFile } from '#shell/download.ts'
import { dayText } from '#shell/format.tsx'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Qr } from '#ui/qr.tsx'
import { type SchoolOne, shownOfSchools, words } from './parts.tsx'

const ConfirmDialog = lazy(() => import('#ui/dialog.tsx').then((m) => ({ default: m.ConfirmDialog })))

/** Returns why the link's buttons are locked: the role, then the school's status. */
function useLocks(one: SchoolOne) {
  const t = words.use()
  const mayNot = one.can.codes === true ? undefined : t('mayNotCodes')
  return { mayNot, offFirst: mayNot ?? (one.school.active ? undefined : t('offFirst')) }
}

/** The school's invitation link, its access code on demand, and its letter. */
export function SchoolLink({ one }: { one: SchoolOne }) {
  return one.link ? <Link one={one} link={one.link} /> : <NoLink one={one} />
}

function NoLink({ one }: { one: SchoolOne }) {
  const t = words.use()
  const { busy, act } = useAction(shownOfSchools)
  const { offFirst } = useLocks(one)
  const body = { id: one.school.id, linkId: '' }
  const make = () => act(() => call(renewSchoolLink, { body }), t('linkMade'))
  return (
    <Panel padded={false}>
      <EmptyState
        icon="school"
        title={t('noLink')}
        actions={
          <Button kind="primary" busy={busy} disabled={offFirst} onClick={() => void make()}>
            {t('makeLink')}
          </Button>
        }
      >
        {t('noLinkSays')}
      </EmptyState>
    </Panel>
  )
}

function Link({ one, link }: { one: SchoolOne; link: OfficeSchoolLink }) {
  const t = words.use()
  return (
    <>
      <Panel
        title={t('link')}
        aside={<span className="hint">{t('linkSince', { day: dayText(link.createdAt) })}</span>}
      >
        <div className="register-link">
          <Qr value={link.address} label={t('qr', { name: one.school.schName })} />
          <div className="stack">
            <KeyValues>
              <KeyValue label={t('linkAddress')} copy={link.address}>
                <span className="long">{link.address}</span>
              </KeyValue>
            </KeyValues>
            <p className="hint">{t('linkSays')}</p>
            <AccessCode key={link.id} one={one} link={link} />
            <Change one={one} link={link} />
          </div>
        </div>
      </Panel>
      <Letter one={one} link={link} />
    </>
  )
}

interface LinkProps {
  one: SchoolOne
  link: OfficeSchoolLink
}

/** The code, decrypted on demand; it is gone when the tab is left. */
function AccessCode({ one, link }: LinkProps) {
  const t = words.use()
  const { busy, act } = useAction(shownOfSchools)
  const [code, setCode] = useState<string>()
  const { mayNot } = useLocks(one)
  const body = { id: one.school.id, linkId: link.id }
  const show = () => act(async () => setCode((await call(showSchoolCode, { body })).code))
  return (
    <div>
      <h3>{t('accessCode')}</h3>
      {!link.readable && <Note kind="due">{t('codeUnreadable')}</Note>}
      {link.readable && (
        <p className="register-code row gap-4">
          {code ? <b className="code">{code}</b> : <span className="quiet">•••• ••••</span>}
          {code ? (
            <Button icon="eye-off" onClick={() => setCode(undefined)}>
              {t('hideCode')}
            </Button>
          ) : (
            <Button icon="eye" busy={busy} disabled={mayNot} onClick={() => void show()}>
              {t('showCode')}
            </Button>
          )}
        </p>
      )}
      <p className="hint">{mayNot ?? t('codeHidden')}</p>
    </div>
  )
}

/** Replaces or withdraws the link, after a confirmation. */
function Change({ one, link }: LinkProps) {
  const t = words.use()
  const { busy, act } = useAction(shownOfSchools)
  const [asking, setAsking] = useState<'renew' | 'revoke'>()
  const { mayNot, offFirst } = useLocks(one)
  const body = { id: one.school.id, linkId: link.id }
  const confirm = async () => {
    if (asking === 'renew') await act(() => call(renewSchoolLink, { body }), t('renewDone'))
    else await act(() => call(revokeSchoolLink, { body }), t('revokeDone'))
    setAsking(undefined)
  }
  return (
    <div className="row inline gap-2">
      <Button icon="rotate" disabled={offFirst} onClick={() => setAsking('renew')}>
        {t('renew')}
      </Button>
      <Button kind="danger" disabled={mayNot} onClick={() => setAsking('revoke')}>
        {t('revoke')}
      </Button>
      {asking && (
        <Suspense>
          <ConfirmDialog
            opened
            danger
            title={t(asking === 'renew' ? 'renewTitle' : 'revokeTitle')}
            action={t(asking)}
            busy={busy}
            onConfirm={confirm}
            onCancel={() => setAsking(undefined)}
          >
            {t(asking === 'renew' ? 'renewSays' : 'revokeSays')}
          </ConfirmDialog>
        </Suspense>
      )}
    </div>
  )
}

function Letter({ one, link }: LinkProps) {
  const t = words.use()
  const { act } = useAction(shownOfSchools)
  const [busy, setBusy] = useState<string>()
  const { offFirst } = useLocks(one)
  const lock = offFirst ?? (link.readable ? undefined : t('makeFirst'))
  const print = async (language: 'en' | 'hi') => {
    setBusy(language)
    await act(() => openFile(schoolLetter, { body: { id: one.school.id, linkId: link.id, language } }))
    setBusy(undefined)
  }
  return (
    <Panel title={t('letter')}>
      <div className="stack">
        <p>{t('letterSays')}</p>
        <div className="row inline gap-2">
          <Button icon="print" busy={busy === 'en'} disabled={lock} onClick={() => void print('en')}>
            {t('letterEn')}
          </Button>
          <Button icon="print" busy={busy === 'hi'} disabled={lock} onClick={() => void print('hi')}>
            {t('letterHi')}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
