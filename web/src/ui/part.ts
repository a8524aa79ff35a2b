import { createElement, type FunctionComponent, type ReactNode, use } from 'react'

/** Writes what a promise came to where React looks before it waits: `use` waits once for what has arrived, too. */
function told<Value>(promise: Promise<Value>): Promise<Value> {
  promise.then(
    (value) => Object.assign(promise, { status: 'fulfilled', value }),
    () => undefined,
  )
  return promise
}

/**
 * Something that is downloaded once for each name: `take` gives it to a component, which waits (Suspense) for the
 * download and not at all for what has arrived. React holds back by 300 ms whatever follows a place that was empty.
 */
export function downloads<Name, Value>(download: (name: Name) => Promise<Value>) {
  const asked = new Map<Name, Promise<Value>>()
  /** Begins the download, or gives the one that was begun; one that failed is begun anew. */
  const load = (name: Name): Promise<Value> => {
    const found = asked.get(name)
    if (found !== undefined) return found
    const begun = told(download(name))
    asked.set(name, begun)
    begun.catch(() => asked.delete(name))
    return begun
  }
  /** Inside a component. */
  const take = (name: Name): Value => use(load(name))
  return { load, take }
}

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
