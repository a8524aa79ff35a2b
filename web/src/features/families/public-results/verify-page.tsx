import { formatNumber } from '@podium/contract/figures'
import { lazyPart } from '#ui/lazy-part.ts'
import './result-page.css'
import './verify-page.css'
import { type CertificateFacts, verifyCertificate } from '@podium/contract/results/calls-public'
import { Suspense, useState } from 'react'
import { Icon, type IconName } from '#ui/icon.tsx'
import { dayOf, honoursOf, Loading, olympiadName, type T, useAnswer, words } from './parts.tsx'

const NumberForm = lazyPart(() => import('./number-form.tsx'), 'NumberForm')
const Problem = lazyPart(() => import('./rest.tsx'), 'Problem')

function numberOf(path: string): string {
  try {
    return decodeURIComponent(path.split('/')[2] ?? '')
  } catch {
    return ''
  }
}

/**
 * `/verify` and `/verify/<number>`: checks whether a certificate is genuine, by the number in its QR code or typed.
 */
export function VerifyPage() {
  const t = words.use()
  const [initialNumber] = useState(() => numberOf(window.location.pathname))
  const [number, setNumber] = useState(initialNumber)
  const { data, error, again: retry } = useAnswer(verifyCertificate, number ? { number } : undefined)
  const [asks, setAsks] = useState(!initialNumber)
  if (!asks && (data || error)) setAsks(true)
  const check = (typed: string) => {
    setNumber(typed)
    window.history.replaceState(null, '', `/verify/${encodeURIComponent(typed)}`)
    if (typed === number) retry()
  }
  const form = asks && (
    <NumberForm initialNumber={data?.data ? '' : number} isRetry={data?.data != null} onCheck={check} />
  )
  return (
    <>
      <div>
        <h1>{t('verifyTitle')}</h1>
        <p className="lede">{t('verifyIntro')}</p>
      </div>
      <div aria-live="polite">
        {number && !data && !error && <Loading />}
        {error && <Problem message={error.message} retry={retry} />}
        {data?.data && <ValidCertificate certificate={data.data} t={t} />}
        {data?.state === 'suspended' && (
          <Verdict kind="due" icon="clock" title={t('suspendedTitle')}>
            {t('suspended')}
          </Verdict>
        )}
        {data?.state === 'replaced' && (
          <Verdict kind="bad" icon="warning" title={t('replacedTitle')}>
            {t('replaced')}
          </Verdict>
        )}
        {data?.state === 'unknown' && (
          <Verdict kind="bad" icon="warning" title={t('noSuchTitle')}>
            {t('noSuch')}
          </Verdict>
        )}
      </div>
      {/* Without a number the form is the whole page; otherwise it follows the verdict, and pushes nothing
          down. */}
      {initialNumber ? <Suspense>{form}</Suspense> : form}
    </>
  )
}

interface VerdictProps {
  kind: 'ok' | 'due' | 'bad'
  icon: IconName
  title: string
  children: React.ReactNode
}

function Verdict({ kind, icon, title, children }: VerdictProps) {
  return (
    <section className={`rp-verdict ${kind}`}>
      <h2>
        <Icon name={icon} />
        {title}
      </h2>
      {children}
    </section>
  )
}

function ValidCertificate({ certificate, t }: { certificate: CertificateFacts; t: T }) {
  const kind = certificate.littleStar ? 'littleStarCertificate' : certificate.kind
  const achieved = [
    ...honoursOf(certificate, t),
    ...(certificate.stars === null ? [] : [t('stars', { n: certificate.stars })]),
    ...certificate.ranks.map(
      ({ scope, rank, pool }) =>
        `${t(`rank_${scope}`)}: ${formatNumber(rank)} ${t('ofPool', { pool: formatNumber(pool) })}`,
    ),
  ]
  const facts: [string, string][] = [
    [t('number'), certificate.number],
    [t('kind'), t(kind)],
    [t('initials'), certificate.initials],
    [t('event'), olympiadName(certificate, t)],
    [t('school'), `${certificate.schoolName}, ${certificate.city}`],
  ]
  return (
    <Verdict kind="ok" icon="ok" title={t('validTitle')}>
      <dl className="rp-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{t('achievement')}</dt>
          <dd>
            {achieved.length === 0 ? (
              t('took')
            ) : (
              <ul>
                {achieved.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </dd>
        </div>
        <div>
          <dt>{t('result')}</dt>
          <dd>{t('resultVersion', { n: certificate.version, day: dayOf(certificate.releasedAt) })}</dd>
        </div>
      </dl>
      <p className="rp-foot">{t('compare')}</p>
    </Verdict>
  )
}
