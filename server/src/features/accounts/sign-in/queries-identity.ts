import * as z from 'zod/mini'

const identity = z.object({
  provider: z.enum(['google', 'facebook']),
  subject: z.string(),
  name: z.string(),
})

/** Who somebody is at a provider; with the address it makes the person, and is the key of an account (T1). */
export type Identity = z.output<typeof identity>

/** The identity that a ticket carries, if it does. */
export function identityOf(data: unknown): Identity | undefined {
  return z.safeParse(z.object({ identity }), data).data?.identity
}
