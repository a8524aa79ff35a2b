import { createHash, randomBytes } from 'node:crypto'

/** What a flow keeps on this side between its beginning and its return; bound to one browser by a ticket. */
export interface FlowSecrets {
  state: string
  nonce: string
  verifier: string
}

/** Who came back. `subject` never changes at a provider; the address may, and counts only when it is verified. */
export interface SocialPerson {
  subject: string
  /** Lower case; empty when the provider gave none */
  email: string
  emailVerified: boolean
  name: string
}

export interface SocialProvider {
  /** The provider's page to send the browser to. */
  begin(redirectUri: string, secrets: FlowSecrets): Promise<URL>
  /** Turns the address with which the browser came back into a person. Throws a SocialFailure. */
  finish(cameBack: URL, redirectUri: string, secrets: FlowSecrets): Promise<SocialPerson>
}

/** Why nobody came back: they changed their mind, the provider can't be reached, or its answer can't be trusted. */
export class SocialFailure extends Error {
  readonly problem: 'cancelled' | 'unavailable' | 'failed'

  constructor(problem: SocialFailure['problem'], cause?: unknown) {
    super(`social sign-in: ${problem}`, { cause })
    this.problem = problem
  }
}

/** How long a provider may take for one answer, in milliseconds. */
export const providerPatience = 5_000

export function newFlowSecrets(): FlowSecrets {
  const random = () => randomBytes(32).toString('base64url')
  return { state: random(), nonce: random(), verifier: random() }
}

/** PKCE, method S256 (RFC 7636). */
export function codeChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
