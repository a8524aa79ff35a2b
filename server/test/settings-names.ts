import { readSettings } from '../src/platform/settings.ts'

/** The names that are asked of an environment with everything optional set. */
export function namesRead(): string[] {
  const asked = new Set<string>()
  const given: Record<string, string> = {
    DATA_DIR: '/nowhere',
    SECRET: 'Fq7hW2mZ9xLkTr4bNc8VsYp3JdGu6QaE',
    GOOGLE_CLIENT_ID: 'g',
    GOOGLE_CLIENT_SECRET: 'g',
    FACEBOOK_CLIENT_ID: 'f',
    FACEBOOK_CLIENT_SECRET: 'f',
  }
  readSettings(
    new Proxy(given, {
      get: (env, name) => {
        asked.add(String(name))
        return typeof name === 'string' ? env[name] : undefined
      },
    }),
  )
  return [...asked].sort()
}
