import { Component, type ReactNode } from 'react'
import { useKitWords } from '#ui/kit-words.ts'

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
export class FamilyMishap extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <Mishap /> : this.props.children
  }
}
