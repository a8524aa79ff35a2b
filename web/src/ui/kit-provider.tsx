import { HeadlessMantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'

/**
 * What Mantine's parts need around them. Headless on purpose: Mantine brings the behaviour that is hard (focus kept
 * in a dialog, lists that open, keyboard, places), our tokens and styles bring the looks. So none of its style sheets
 * is downloaded and no style tag is made, which the security policy (`style-src 'self'`) would refuse.
 */
export function KitProvider({ children }: { children: ReactNode }) {
  return <HeadlessMantineProvider>{children}</HeadlessMantineProvider>
}
