import { sendFamilyLink, showFamilyCode } from '@podium/contract/students/calls-write'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type Answer, call } from '#shell/call.ts'
import { Day, Moment } from '#shell/format.tsx'
import { officePaths } from '#shell/paths.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import type { LinkAct } from './reason-dialogs.tsx'
import { type StudentOne, shownOfStudents } from './use-record.ts'
import { words } from './words-record.ts'

const LinkDialog = lazy(() => import('./reason-dialogs.tsx').then((m) => ({ default: m.LinkDialog })))

type Code = Answer<typeof showFamilyCode>

/** The family's link: who stands behind it and whether it was opened; link and code themselves on demand. */
export function Family({ one }: { one: StudentOne }) {
  const t = words.use()
  const { student, family } = one
  const [code, setCode] = useState<Code & { made: string }>()
  const [doing, setDoing] = useState<LinkAct>()
  // A code that was replaced meanwhile is shown no longer.
  const shown = family !== null && code?.made === family.createdAt ? code : undefined
  return (
    <Panel title={t('family')} foot={<FamilyActs one={one} onDo={setDoing} />}>
      {family ? (
        <KeyValues>
          <KeyValue label={t('linkSince')}>
            <Day value={family.createdAt} />
          </KeyValue>
          <KeyValue label={t('opened')}>
            {family.lastOpenedAt ? (
              <Moment value={family.lastOpenedAt} />
            ) : (
              <span className="quiet">{t('neverOpened')}</span>
            )}
          </KeyValue>
          <KeyValue label={t('children')}>
            {family.children.map((child) => (
              <span key={child.id} className="student-season">
                {child.id === student.id ? (
                  child.studentName
                ) : (
                  <Link to={officePaths.student} params={{ id: String(child.id) }}>
                    {child.studentName}
                  </Link>
                )}{' '}
                <span className="quiet">{child.className}</span>
              </span>
            ))}
          </KeyValue>
          {shown ? (
            <>
              <KeyValue label={t('address')} copy={shown.address}>
                <span className="student-long">{shown.address}</span>
              </KeyValue>
              <KeyValue label={t('accessCode')} copy={shown.code}>
                <span className="code">{shown.code}</span>
              </KeyValue>
            </>
          ) : (
            <KeyValue label={t('accessCode')}>
              <ShowCode one={one} onShow={(found) => setCode({ ...found, made: family.createdAt })} />
            </KeyValue>
          )}
        </KeyValues>
      ) : (
        <EmptyState icon="users">{t('noLink')}</EmptyState>
      )}
      <Suspense>
        {doing && <LinkDialog act={doing} student={student} onClose={() => setDoing(undefined)} />}
      </Suspense>
    </Panel>
  )
}

function ShowCode({ one: { student, can }, onShow }: { one: StudentOne; onShow: (code: Code) => void }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfStudents)
  const show = () => act(async () => onShow(await call(showFamilyCode, { body: { id: student.id } })))
  return (
    <>
      <Button
        icon="eye"
        busy={busy}
        disabled={can.codes === true ? undefined : t('mayNotCodes')}
        onClick={() => void show()}
      >
        {t('showCode')}
      </Button>
      <span className="under">{t('codeHidden')}</span>
    </>
  )
}

function FamilyActs({ one, onDo }: { one: StudentOne; onDo: (act: LinkAct) => void }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfStudents)
  const { student, family, can } = one
  const mayNot = can.codes !== true ? t('mayNotCodes') : undefined
  const send = () =>
    act(
      () => call(sendFamilyLink, { body: { id: student.id } }),
      ({ to }) => t('sent', { to }),
    )
  return (
    <span className="student-acts">
      {family && (
        <Button
          icon="mail"
          busy={busy}
          disabled={mayNot ?? (family.mail ? undefined : t('noMail'))}
          onClick={() => void send()}
        >
          {t('send')}
        </Button>
      )}
      <Button
        disabled={mayNot ?? (student.active ? undefined : t('isDeleted'))}
        icon="rotate"
        onClick={() => onDo('renew')}
      >
        {t('renew')}
      </Button>
      {family && (
        <Button kind="danger" disabled={mayNot} onClick={() => onDo('revoke')}>
          {t('revoke')}
        </Button>
      )}
    </span>
  )
}
