import type { Endpoint } from '@podium/contract/endpoint'
import type * as contract from '@podium/contract/results/calls-public'
import { resultPaths } from '@podium/contract/results/paths'

/** An endpoint as `call` needs it, which asks for method and path alone: its schemas stay on the server. */
const light = <E extends Endpoint>(at: Pick<E, 'method' | 'path'>) => at as E

export const publicResult = light<typeof contract.publicResult>(resultPaths.publicResult)
export const verifyCertificate = light<typeof contract.verifyCertificate>(resultPaths.verifyCertificate)
