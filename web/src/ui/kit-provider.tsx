import { HeadlessMantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'

/**
 * What Mantine's components need around them. Headless on purpose: Mantine has the difficult behaviour (focus trapped
 * in a dialog, dropdowns, keyboard, positions), our styles have the looks. So none of its style sheets is downloaded
 * and no style tag is made, which the security policy (`style-src 'self'`) would refuse.
 */
export function KitProvider({ children }: { children: ReactNode }) {
  return <HeadlessMantineProvider>{children}</HeadlessMantineProvider>
}
