import { createElement, type FunctionComponent, type ReactNode, use } from 'react'
import { told } from './arrived.ts'

type Component = (props: never) => ReactNode

/** A component whose file is downloaded when it is first shown, or ahead of that by `load`. */
export type Part<Shown extends Component = () => ReactNode> = Shown & { load: () => Promise<unknown> }

/** React's `lazy`, but for a file that has arrived: it is shown at once. */
export function part<Shown extends Component>(download: () => Promise<{ default: Shown }>): Part<Shown> {
  let asked: ReturnType<typeof download> | undefined
  const begin = () => {
    asked ??= told(download())
    return asked
  }
  /** What fails ahead of its time is asked for once more when it is shown. */
  async function load() {
    try {
      await begin()
    } catch (error) {
      asked = undefined
      throw error
    }
  }
  function Place(props: object) {
    const shown: Component = use(begin()).default
    return createElement(shown as FunctionComponent, props)
  }
  return Object.assign(Place as Component as Shown, { load })
}
