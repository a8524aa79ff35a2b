import {
  type FamilyPrivacyChild,
  familyAskData,
  familyConsent,
  familyDataFile,
  familyPrivacy,
} from '@podium/contract/privacy/calls'
import { formatDay, istDay } from '@podium/contract/season'
import { useCallback, useEffect, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useLanguage, writtenLanguage } from '#shell/language/language.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/families-privacy.json'

/** The words for the children's data on the family's page. */
const privacyWords = defineWords<typeof en>(import.meta.glob('#words/*/families-privacy.json'))

/** The notice, each child's consent, and the requests a parent can make about a child's data. */
export function Privacy({ onEnded }: { onEnded: () => void }) {
  const t = privacyWords.use()
  const translate = useSentences()
  const [privacy, setPrivacy] = useState<Answer<typeof familyPrivacy>>()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState('')

  const failed = useCallback(
    (thrown: unknown) => {
      if (!(thrown instanceof CallError)) throw thrown
      if (thrown.status === 401) onEnded()
      else setProblem(translate(thrown.message))
    },
    [onEnded, translate],
  )
  const load = useCallback(
    () => call(familyPrivacy, { query: { language: writtenLanguage() } }).then(setPrivacy, failed),
    [failed],
  )
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is opened, and in another language
  useEffect(() => void load(), [language])

  /** Runs one action at a time and says how it went in a toast: the notice may be a screen above. */
  const act = async (what: string, how: () => Promise<unknown>, done: string) => {
    toast.clear()
    setBusy(what)
    try {
      await how()
      if (done !== '') toast.success(done)
      await load()
    } catch (thrown) {
      if (thrown instanceof CallError && thrown.status !== 401) toast.error(translate(thrown.message))
      else failed(thrown)
    } finally {
      setBusy('')
    }
  }
  if (!privacy) {
    const retry = () => {
      setProblem('')
      return load()
    }
    return problem ? <ErrorState retry={retry}>{problem}</ErrorState> : <Skeleton shape="text" rows={5} />
  }
  const { notice, children } = privacy
  return (
    <div className="fam-privacy">
      <h2>{notice.title}</h2>
      {notice.paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {children.map((child) => (
        <Child key={child.individualRegId} child={child} busy={busy} act={act} version={notice.version} />
      ))}
      <p className="hint">{t('version', { version: notice.version })}</p>
    </div>
  )
}

interface ChildProps {
  child: FamilyPrivacyChild
  busy: string
  act: (what: string, how: () => Promise<unknown>, done: string) => Promise<void>
  version: string
}

const dayOf = (instant: string) => formatDay(istDay(new Date(instant)))

function Child({ child, busy, act, version }: ChildProps) {
  const t = privacyWords.use()
  const [asking, setAsking] = useState<'erase' | 'withdraw'>()
  const { individualRegId, studentName: name, consent, consentAt, requests } = child
  const open = (kind: 'export' | 'erase') =>
    requests.some(
      (request) => request.kind === kind && (request.state === 'asked' || request.state === 'checked'),
    )
  // The confirmation stays until the request is done, so that nothing below moves up under the finger.
  const consenting = async (given: boolean) => {
    const body = { individualRegId, given, noticeVersion: version, language: writtenLanguage() }
    const doneText = given ? t('given') : t('withdrawn')
    await act(`consent ${name}`, () => call(familyConsent, { body }), doneText)
    setAsking(undefined)
  }
  const sendRequest = async (kind: 'export' | 'erase') => {
    const body = { individualRegId, kind, message: '' }
    await act(`${kind} ${name}`, () => call(familyAskData, { body }), t('asked'))
    setAsking(undefined)
  }
  const consentDay = consentAt === null ? '' : dayOf(consentAt)
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <p>
        {consent === ''
          ? t('noConsent')
          : t(consent === 'given' ? 'isGiven' : 'isWithdrawn', { day: consentDay })}
      </p>
      <div className="acts">
        {consent === 'given' ? (
          <Button onClick={() => setAsking('withdraw')}>{t('withdraw')}</Button>
        ) : (
          <Button kind="primary" busy={busy === `consent ${name}`} onClick={() => void consenting(true)}>
            {t('give')}
          </Button>
        )}
        <Button
          busy={busy === `export ${name}`}
          disabled={open('export') ? t('openAlready') : undefined}
          onClick={() => void sendRequest('export')}>
          {t('askExport')}
        </Button>
        <Button
          kind="danger"
          disabled={open('erase') ? t('openAlready') : undefined}
          onClick={() => setAsking('erase')}>
          {t('askErase')}
        </Button>
      </div>
      {asking && (
        <Note kind="due">
          <p>{t(asking === 'erase' ? 'eraseEffect' : 'withdrawEffect', { name })}</p>
          <div className="acts">
            <Button
              kind="danger-filled"
              busy={busy === `${asking === 'erase' ? 'erase' : 'consent'} ${name}`}
              onClick={() => void (asking === 'erase' ? sendRequest('erase') : consenting(false))}>
              {t(asking === 'erase' ? 'yesErase' : 'yesWithdraw')}
            </Button>
            <Button onClick={() => setAsking(undefined)}>{t('no')}</Button>
          </div>
        </Note>
      )}
      <Requests child={child} act={act} />
    </section>
  )
}

function Requests({ child, act }: Pick<ChildProps, 'child' | 'act'>) {
  const t = privacyWords.use()
  if (child.requests.length === 0) return null
  return (
    <ul>
      {child.requests.map((request) => (
        <li key={request.id}>
          {t(request.kind)}, {dayOf(request.requestedAt)}:{' '}
          {t(`state_${request.state}`, { day: formatDay(request.dueOn) })}
          {request.decision !== '' && ` ${request.decision}`}
          {request.ready && (
            <span className="acts">
              {(['pdf', 'json'] as const).map((format) => (
                <Button
                  key={format}
                  icon="download"
                  onClick={() =>
                    void act(
                      'take',
                      () =>
                        download(familyDataFile, {
                          query: { id: String(request.id), format, language: writtenLanguage() },
                        }),
                      '',
                    )
                  }>
                  {t(format)}
                </Button>
              ))}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
