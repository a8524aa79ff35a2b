import './layout-family.css'
import type { ReactNode } from 'react'
import { FamilyMishap } from './family-mishap.tsx'
import { chooseLanguage, languages, useLanguage } from './language/language.ts'
import { Brand } from './logo.tsx'

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
