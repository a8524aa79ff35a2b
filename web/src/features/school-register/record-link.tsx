import {
  renewSchoolLink,
  revokeSchoolLink,
  schoolLetter,
  showSchoolCode,
} from '@podium/contract/schools-link'
import type { OfficeSchoolLink } from '@podium/contract/schools-record'
import { lazy, Suspense, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { openFile } from '#shell/download.ts'
import { dayText } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useRenew } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Qr } from '#ui/qr.tsx'
import { toast } from '#ui/toast.tsx'
import { type SchoolOne, shownOfSchools, useDoing } from './use-record.ts'
import { words } from './words-record.ts'

const ConfirmDialog = lazy(() => import('#ui/dialog.tsx').then((m) => ({ default: m.ConfirmDialog })))

/** What locks the link's buttons, in words: the role, then the school's standing. */
function useLocks(one: SchoolOne) {
  const t = words.use()
  const mayNot = one.can.codes === true ? undefined : t('mayNotCodes')
  return { mayNot, offFirst: mayNot ?? (one.school.active ? undefined : t('offFirst')) }
}

/** The link of the school's invitation, its access code on demand, and its letter. */
export function SchoolLink({ one }: { one: SchoolOne }) {
  return one.link ? <Link one={one} link={one.link} /> : <NoLink one={one} />
}

function NoLink({ one }: { one: SchoolOne }) {
  const t = words.use()
  const doing = useDoing()
  const [busy, setBusy] = useState(false)
  const { offFirst } = useLocks(one)
  const make = async () => {
    setBusy(true)
    const body = { id: one.school.id, linkId: '' }
    await doing(() => call(renewSchoolLink, { body }), t('linkMade'))
    setBusy(false)
  }
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
                <span className="register-long">{link.address}</span>
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

/** The code, unsealed when somebody asks for it; it leaves the page with its tab. */
function AccessCode({ one, link }: LinkProps) {
  const t = words.use()
  const say = useSentences()
  const renew = useRenew(shownOfSchools)
  const [code, setCode] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { mayNot } = useLocks(one)
  const show = async () => {
    setBusy(true)
    try {
      setCode((await call(showSchoolCode, { body: { id: one.school.id, linkId: link.id } })).code)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(false)
      await renew()
    }
  }
  return (
    <div>
      <h3>{t('accessCode')}</h3>
      {!link.readable && <Note kind="due">{t('codeUnreadable')}</Note>}
      {link.readable && (
        <p className="register-code">
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

/** A new link or none: each after a question. */
function Change({ one, link }: LinkProps) {
  const t = words.use()
  const doing = useDoing()
  const [asking, setAsking] = useState<'renew' | 'revoke'>()
  const [busy, setBusy] = useState(false)
  const { mayNot, offFirst } = useLocks(one)
  const body = { id: one.school.id, linkId: link.id }
  const confirm = async () => {
    setBusy(true)
    if (asking === 'renew') await doing(() => call(renewSchoolLink, { body }), t('renewDone'))
    else await doing(() => call(revokeSchoolLink, { body }), t('revokeDone'))
    setBusy(false)
    setAsking(undefined)
  }
  return (
    <div className="register-acts">
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
  const say = useSentences()
  const renew = useRenew(shownOfSchools)
  const [busy, setBusy] = useState<string>()
  const { offFirst } = useLocks(one)
  const lock = offFirst ?? (link.readable ? undefined : t('makeFirst'))
  const print = async (language: 'en' | 'hi') => {
    setBusy(language)
    try {
      await openFile(schoolLetter, { body: { id: one.school.id, linkId: link.id, language } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(undefined)
      await renew()
    }
  }
  return (
    <Panel title={t('letter')}>
      <div className="stack">
        <p>{t('letterSays')}</p>
        <div className="register-acts">
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
