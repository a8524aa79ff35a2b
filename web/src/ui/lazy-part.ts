import { createElement, type FunctionComponent, type ReactNode, Suspense, use } from 'react'

/** Stores a promise's value where React looks first: otherwise `use` suspends even for a settled promise. */
function withStatus<Value>(promise: Promise<Value>): Promise<Value> {
  promise.then(
    (value) => Object.assign(promise, { status: 'fulfilled', value }),
    () => undefined,
  )
  return promise
}

/**
 * Downloads that run once for each name: `take` returns the value in a component, which suspends only until it arrives.
 * React delays by 300 ms whatever follows a place that was empty.
 */
export function downloads<Name, Value>(download: (name: Name) => Promise<Value>) {
  const started = new Map<Name, Promise<Value>>()
  /** Starts the download, or returns the running one; a failed one is started again. */
  const load = (name: Name): Promise<Value> => {
    const existing = started.get(name)
    if (existing !== undefined) return existing
    const promise = withStatus(download(name))
    started.set(name, promise)
    promise.catch(() => started.delete(name))
    return promise
  }
  /** For components. */
  const take = (name: Name): Value => use(load(name))
  return { load, take }
}

type Component = (props: never) => ReactNode

/** A component whose file is downloaded when it is first shown, or earlier by `load`. */
export type LazyPart<Shown extends Component = () => ReactNode> = Shown & { load: () => Promise<unknown> }

/**
 * The component `name` of a file. Like React's `lazy`, but a file that has arrived is shown at once:
 * `lazyPart(() => import('./details.tsx'), 'FamilyRest')`.
 */
export function lazyPart<File extends object, Name extends keyof File>(
  download: () => Promise<File>,
  name: Name,
): LazyPart<File[Name] extends Component ? File[Name] : never> {
  let started: Promise<File> | undefined
  const begin = () => {
    started ??= withStatus(download())
    return started
  }
  /** A preload that fails is retried when the component is shown. */
  async function load() {
    try {
      await begin()
    } catch (error) {
      started = undefined
      throw error
    }
  }
  const Place = (props: object) => createElement(use(begin())[name] as FunctionComponent, props)
  return Object.assign(Place as Component as never, { load })
}

/** A dialog of a file that is downloaded when it is first opened. Until then there is nothing to see of it. */
export const lazyDialog: typeof lazyPart = (download, name) => {
  const Part = lazyPart(download, name) as FunctionComponent
  const Place = (props: object) => createElement(Suspense, null, createElement(Part, props))
  return Object.assign(Place, Part) as never
}
