import { Component, type ReactNode } from 'react'
import { useKitWords } from '#ui/kit-words.ts'
import { chooseLanguage, languages, useLanguage } from './language/language.ts'
import { Brand } from './logo.tsx'
import './layout-family.css'

/** Shown instead of a page that could not be downloaded completely: a train in a tunnel, or a new version. */
function CrashNote() {
  const words = useKitWords()
  return (
    <div className="mishap" role="alert">
      <h1>{words.loadFailed}</h1>
      <button type="button" className="b" onClick={() => window.location.reload()}>
        {words.tryAgain}
      </button>
    </div>
  )
}

/** An error boundary, so that a family's page is never blank. Input is stored in its drafts and survives the reload. */
class FamilyErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <CrashNote /> : this.props.children
  }
}

/** The family's layout: the logo, two languages, one column. Uses no component library. */
export function FamilyLayout({ children }: { children: ReactNode }) {
  const language = useLanguage()
  return (
    <div className="fam">
      <header className="top">
        <span className="logo">
          <Brand />
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as one row of buttons everywhere */}
        <div className="lang" role="group" aria-label="Language / भाषा">
          {languages.map(({ code, name }) => (
            <button
              key={code}
              type="button"
              lang={code}
              aria-pressed={code === language}
              onClick={() => void chooseLanguage(code).catch(() => undefined)}>
              {name}
            </button>
          ))}
        </div>
      </header>
      <main className="wrap">
        <FamilyErrorBoundary>{children}</FamilyErrorBoundary>
      </main>
    </div>
  )
}
