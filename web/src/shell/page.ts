// biome-ignore lint/style/noRestrictedImports: the one place that is meant
import { lazyRouteComponent } from '@tanstack/react-router'
import { languageLoaded } from './language/language.ts'

/**
 * The page of a route: the component `name` of a file that is downloaded when its address is opened or pointed at, and
 * with it the words that its parts ask for. So it is whole when it is shown first: what follows a place that waited for
 * words would be held back by React for 300 ms.
 */
export const page = <File extends object, Name extends keyof File & string>(
  download: () => Promise<File>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    const file = await download()
    await languageLoaded().catch(() => undefined)
    return file
  }, name)
