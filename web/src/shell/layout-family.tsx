import { Component, type ReactNode } from 'react'
import { useKitWords } from '#ui/kit-words.ts'
import { chooseLanguage, languages, useLanguage } from './language/language.ts'
import { Brand } from './logo.tsx'
import './layout-family.css'

/** What stands there instead of a page of which a part did not arrive: a train went into a tunnel, or a new version is out. */
function Mishap() {
  const words = useKitWords()
  return (
    <div className="mishap" role="alert">
      <h1>{words.wentWrong}</h1>
      <button type="button" className="b" onClick={() => window.location.reload()}>
        {words.tryAgain}
      </button>
    </div>
  )
}

/** Keeps a fault of a family's page from leaving it blank. What was typed is in its drafts and survives the reload. */
class FamilyMishap extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <Mishap /> : this.props.children
  }
}

/** The family's frame: the mark, two languages, one column. No library of components. */
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
              onClick={() => void chooseLanguage(code).catch(() => undefined)}
            >
              {name}
            </button>
          ))}
        </div>
      </header>
      <main className="wrap">
        <FamilyMishap>{children}</FamilyMishap>
      </main>
    </div>
  )
}
