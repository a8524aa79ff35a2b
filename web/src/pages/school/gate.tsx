import { createRoute, redirect } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { gateSearch, root } from './areas.tsx'

/**
 * The pages before the sign-in are an entry of their own (pages/gate): inside the portal their addresses are known,
 * and opening one loads it.
 */
interface Leaving {
  location: { href: string }
  preload: boolean
}
const leave = ({ location, preload }: Leaving) => {
  if (!preload) throw redirect({ href: location.href, reloadDocument: true })
}

const gate = <Path extends string>(path: Path) =>
  createRoute({ getParentRoute: () => root, path, validateSearch: gateSearch, beforeLoad: leave })

export const login = gate(paths.login)
export const register = gate(paths.register)
export const forgot = gate(paths.forgot)
export const reset = gate(paths.reset)
export const invitation = gate(paths.invitation)
