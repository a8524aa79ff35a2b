// Callers that ask a server one question after the other over connections that stay open, and how long each waited.
import { Agent, request } from 'node:http'

export interface Asked {
  path: string
  method?: 'GET' | 'POST'
  token?: string
  body?: unknown
}

export interface Waited {
  perSecond: number
  /** Milliseconds of each answer */
  times: number[]
  /** Answers that were not 200 */
  refused: number
}

const agents = new Map<number, Agent>()

/** The connections of so many callers, which stay open. */
export function agentOf(callers: number): Agent {
  const known = agents.get(callers) ?? new Agent({ keepAlive: true, maxSockets: callers })
  agents.set(callers, known)
  return known
}

/** One question; gives status and length of the answer, read whole. */
export function ask(
  url: string,
  { path, method = 'GET', token, body }: Asked,
  agent = agentOf(1),
): Promise<{ status: number; text: string }> {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(sent === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers, agent }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      )
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(sent)
  })
}

/** So many callers ask for so many seconds, each the next question as soon as the last is answered. */
export async function load(
  url: string,
  callers: number,
  seconds: number,
  next: (turn: number) => Asked,
): Promise<Waited> {
  const times: number[] = []
  let refused = 0
  let turn = 0
  const agent = agentOf(callers)
  const start = performance.now()
  const end = start + seconds * 1000
  const caller = async () => {
    while (performance.now() < end) {
      const asked = performance.now()
      const { status } = await ask(url, next(turn++), agent)
      times.push(performance.now() - asked)
      if (status !== 200) refused += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return { perSecond: times.length / ((performance.now() - start) / 1000), times, refused }
}
