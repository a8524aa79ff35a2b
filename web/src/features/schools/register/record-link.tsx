import type { WrittenLanguage } from '@podium/contract/languages'
import {
  type OfficeSchoolLink,
  renewSchoolLink,
  revokeSchoolLink,
  schoolLetter,
  showSchoolCode,
} from '@podium/contract/schools/calls-record'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { openFile } from '#shell/download.ts'
import { dayText } from '#shell/format.tsx'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Qr } from '#ui/qr.tsx'
import { type SchoolAnswer, schoolCalls, words } from './parts.tsx'

const ConfirmAction = lazyDialog(() => import('#shell/action-dialogs.tsx'), 'ConfirmAction')

/** Returns why the link's buttons are locked: the role, then the school's status. */
function useDisabledReasons(record: SchoolAnswer) {
  const t = words.use()
  const refusal = record.can.codes === true ? undefined : t('mayNotCodes')
  return { disabledReason: refusal, offFirst: refusal ?? (record.school.active ? undefined : t('offFirst')) }
}

/** The school's invitation link, its access code on demand, and its letter. */
export function SchoolLink({ record }: { record: SchoolAnswer }) {
  return record.link ? <LinkPanel record={record} link={record.link} /> : <NoLink record={record} />
}

function NoLink({ record }: { record: SchoolAnswer }) {
  const t = words.use()
  const { busy, act } = useAction(schoolCalls)
  const { offFirst } = useDisabledReasons(record)
  const body = { id: record.school.id, linkId: '' }
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
        }>
        {t('noLinkHint')}
      </EmptyState>
    </Panel>
  )
}

function LinkPanel({ record, link }: { record: SchoolAnswer; link: OfficeSchoolLink }) {
  const t = words.use()
  return (
    <>
      <Panel
        title={t('link')}
        aside={<span className="hint">{t('linkSince', { day: dayText(link.createdAt) })}</span>}>
        <div className="register-link">
          <Qr value={link.address} label={t('qr', { name: record.school.schName })} />
          <div className="stack">
            <KeyValues>
              <KeyValue label={t('linkAddress')} copy={link.address}>
                <span className="long">{link.address}</span>
              </KeyValue>
            </KeyValues>
            <p className="hint">{t('linkHint')}</p>
            <AccessCode key={link.id} record={record} link={link} />
            <ChangeLink record={record} link={link} />
          </div>
        </div>
      </Panel>
      <Letter record={record} link={link} />
    </>
  )
}

interface LinkProps {
  record: SchoolAnswer
  link: OfficeSchoolLink
}

/** The code, decrypted on demand; it is gone when the tab is left. */
function AccessCode({ record, link }: LinkProps) {
  const t = words.use()
  const { busy, act } = useAction(schoolCalls)
  const [code, setCode] = useState<string>()
  const { disabledReason: refusal } = useDisabledReasons(record)
  const body = { id: record.school.id, linkId: link.id }
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
            <Button icon="eye" busy={busy} disabled={refusal} onClick={() => void show()}>
              {t('showCode')}
            </Button>
          )}
        </p>
      )}
      <p className="hint">{refusal ?? t('codeHidden')}</p>
    </div>
  )
}

/** Replaces or withdraws the link, after a confirmation. */
function ChangeLink({ record, link }: LinkProps) {
  const t = words.use()
  const [asking, setAsking] = useState<'renew' | 'revoke'>()
  const { disabledReason: refusal, offFirst } = useDisabledReasons(record)
  const body = { id: record.school.id, linkId: link.id }
  return (
    <div className="row inline gap-2">
      <Button icon="rotate" disabled={offFirst} onClick={() => setAsking('renew')}>
        {t('renew')}
      </Button>
      <Button kind="danger" disabled={refusal} onClick={() => setAsking('revoke')}>
        {t('revoke')}
      </Button>
      {asking && (
        <ConfirmAction
          danger
          title={t(`${asking}Title`)}
          action={t(asking)}
          act={() => call(asking === 'renew' ? renewSchoolLink : revokeSchoolLink, { body })}
          invalidates={schoolCalls}
          done={t(`${asking}Done`)}
          onClose={() => setAsking(undefined)}>
          {t(`${asking}Hint`)}
        </ConfirmAction>
      )}
    </div>
  )
}

function Letter({ record, link }: LinkProps) {
  const t = words.use()
  const { act } = useAction(schoolCalls)
  const [busy, setBusy] = useState<string>()
  const { offFirst } = useDisabledReasons(record)
  const disabledReason = offFirst ?? (link.readable ? undefined : t('makeFirst'))
  const print = async (language: WrittenLanguage) => {
    setBusy(language)
    await act(() => openFile(schoolLetter, { body: { id: record.school.id, linkId: link.id, language } }))
    setBusy(undefined)
  }
  return (
    <Panel title={t('letter')}>
      <div className="stack">
        <p>{t('letterHint')}</p>
        <div className="row inline gap-2">
          <Button
            icon="print"
            busy={busy === 'en'}
            disabled={disabledReason}
            onClick={() => void print('en')}>
            {t('letterEn')}
          </Button>
          <Button
            icon="print"
            busy={busy === 'hi'}
            disabled={disabledReason}
            onClick={() => void print('hi')}>
            {t('letterHi')}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
