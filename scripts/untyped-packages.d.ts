// What our scripts, measurements and tests use of packages that have no types.

declare module 'xliff' {
  interface Xliff {
    resources: Record<string, Record<string, { source: string; target?: string; note?: string }>>
    sourceLanguage: string
    targetLanguage: string
  }
  const xliff: { jsToXliff12(words: Xliff): Promise<string>; xliff12ToJs(file: string): Promise<Xliff> }
  export default xliff
}

declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream'
  import type { Submittable } from 'pg'
  export function from(text: string): Submittable & Writable
}

// The part of oidc-provider (which has no types) that the tests use.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  class Grant {
    constructor(of: { clientId: string; accountId: string })
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    Grant: typeof Grant
  }
}
