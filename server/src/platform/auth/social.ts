import type { Provider } from '@podium/contract/accounts/calls'
import type { Settings } from '../settings.ts'
import { facebook } from './social-facebook.ts'
import { google } from './social-google.ts'
import type { SocialProvider } from './social-provider.ts'

/** The providers that this installation has been set up for. */
export function socialProviders(settings: Settings): Partial<Record<Provider, SocialProvider>> {
  return {
    ...(settings.google ? { google: google(settings.google) } : {}),
    ...(settings.facebook ? { facebook: facebook(settings.facebook) } : {}),
  }
}
