import './layout-gate.css'
import type { ReactNode } from 'react'
import { hideAfterSkeleton } from '#ui/skeleton.tsx'
import { OfflineNote, RequestBar } from './connection.tsx'
import { chooseLanguage, languages, useLanguage } from './language/language.ts'
import { Brand } from './logo.tsx'
import { paths } from './paths.ts'

/** The layout of sign-in and registration: the podium with a banner (the school of a scanned code), and the form. */
export function GateLayout({
  banner,
  children,
  start = paths.login,
}: {
  banner: ReactNode
  children: ReactNode
  start?: string
}) {
  const language = useLanguage()
  return (
    <div className="split">
      <header className="panel-ink">
        <RequestBar />
        <OfflineNote />
        <svg className="steps" viewBox="0 0 600 200" preserveAspectRatio="none" aria-hidden="true">
          <rect x="0" y="96" width="198" height="104" />
          <rect x="201" y="36" width="198" height="164" />
          <rect className="cap" x="201" y="32" width="198" height="5" />
          <rect x="402" y="132" width="198" height="68" />
        </svg>
        <div className="gate-top">
          <a className="logo" href={start}>
            <Brand />
          </a>
          <span className="gate-lang">
            {languages
              .filter(({ code }) => code !== language)
              .map(({ code, name }) => (
                <button
                  key={code}
                  type="button"
                  lang={code}
                  onClick={() => void chooseLanguage(code).catch(() => undefined)}>
                  {name}
                </button>
              ))}
          </span>
        </div>
        <div className="banner">{banner}</div>
      </header>
      <main className="gate" id="main" tabIndex={-1}>
        <div className="col" ref={hideAfterSkeleton}>
          {children}
        </div>
      </main>
    </div>
  )
}
